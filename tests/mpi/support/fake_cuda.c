/* Takes the place of CUDA's driver: two variables count as memory of a GPU, the second as managed
 * memory. */

#include <stdbool.h>
#include <stdint.h>

char fake_cuda_memory[64];
char fake_cuda_managed[64];

static bool is_in(uintptr_t pointer, const char *memory)
{
    return pointer >= (uintptr_t)memory && pointer < (uintptr_t)memory + 64;
}

int cuPointerGetAttribute(void *value, int attribute, uintptr_t pointer);

/* Attribute 2 is the memory type (2 means a device); attribute 8 says whether the memory is
 * managed. */
int cuPointerGetAttribute(void *value, int attribute, uintptr_t pointer)
{
    const bool managed = is_in(pointer, fake_cuda_managed);
    if (!managed && !is_in(pointer, fake_cuda_memory)) return 1;
    if (attribute == 2) *(unsigned *)value = 2;
    if (attribute == 8) *(bool *)value = managed;
    return 0;
}
