/* Stands for CUDA's driver: two variables lie in memory of a GPU, the second in managed memory. */

#include <stdbool.h>
#include <stdint.h>

char fake_cuda_memory[64];
char fake_cuda_managed[64];

static bool is_in(uintptr_t pointer, const char *memory)
{
    return pointer >= (uintptr_t)memory && pointer < (uintptr_t)memory + 64;
}

int cuPointerGetAttribute(void *value, int attribute, uintptr_t pointer);

/* Attribute 2 is the type of memory, 2 on a device; 8 whether it is managed. */
int cuPointerGetAttribute(void *value, int attribute, uintptr_t pointer)
{
    const bool managed = is_in(pointer, fake_cuda_managed);
    if (!managed && !is_in(pointer, fake_cuda_memory)) return 1;
    if (attribute == 2) *(unsigned *)value = 2;
    if (attribute == 8) *(bool *)value = managed;
    return 0;
}
