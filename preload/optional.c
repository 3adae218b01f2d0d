/* SPDX-License-Identifier: MIT */
#include "optional.h"

#include "calls.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

enum { most = 256 };

/* ---- Symbols of this library ----------------------------------------------------------------
 *
 * A symbol without a value is passed over where a name is looked up. */

static struct {
    ElfW(Sym) * symbol;
    ElfW(Addr) value;
} hidden[most];

static int set_value(ElfW(Sym) * symbol, ElfW(Addr) value)
{
    if (!protect(symbol, sizeof *symbol, PROT_READ | PROT_WRITE)) return 0;
    symbol->st_value = value;
    protect(symbol, sizeof *symbol, PROT_READ);
    return 1;
}

static void hide(int i)
{
    Dl_info info;
    ElfW(Sym) *symbol = 0;
    if (dladdr1(optional_functions[i].function, &info, (void **)&symbol, RTLD_DL_SYMENT) == 0 ||
        symbol == 0)
        return;
    const ElfW(Addr) value = symbol->st_value;
    if (!set_value(symbol, 0)) return;
    hidden[i].symbol = symbol;
    hidden[i].value = value;
}

/* ---- Calls in other libraries ---------------------------------------------------------------- */

/* Each optional function that is linked as the first address is to be linked as the second. */
static struct {
    void *from, *to;
} changes[most];

/* The index of an optional function; -1 if the name is another's. */
static int optional_named(const char *name)
{
    if (strncmp(name, "MPI_", 4) != 0) return -1;
    for (int i = 0; i < most && optional_functions[i].name != 0; ++i)
        if (strcmp(optional_functions[i].name, name) == 0) return i;
    return -1;
}

/* A place with another address is linked later, or is not MPI's. */
static int changed(const char *name, void *const *place, void **chosen)
{
    const int i = optional_named(name);
    if (i < 0 || changes[i].from == 0 || *place != changes[i].from) return 0;
    *chosen = changes[i].to;
    return 1;
}

void hide_optional(InMpi *in_mpi)
{
    for (int i = 0; i < most && optional_functions[i].name != 0; ++i) {
        if (in_mpi != 0 && in_mpi(optional_functions[i].name) != 0) continue;
        hide(i);
        changes[i].from = optional_functions[i].function;
        changes[i].to = 0; /* what programs see of a function that there is not */
    }
    redirect_calls(0, changed);
}

void show_optional(InMpi *in_mpi)
{
    for (int i = 0; i < most && optional_functions[i].name != 0; ++i) {
        changes[i].from = in_mpi(optional_functions[i].name);
        changes[i].to = optional_functions[i].function;
        if (hidden[i].symbol != 0 && changes[i].from != 0)
            set_value(hidden[i].symbol, hidden[i].value);
    }
    redirect_calls(0, changed);
}
