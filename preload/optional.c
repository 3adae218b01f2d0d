/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "optional.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { most = 256 };

/* Sets the protection of the pages of an object; returns whether that was allowed. */
static int protect(void *object, size_t size, int protection)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = (uintptr_t)object / page * page;
    return mprotect((void *)begin, (uintptr_t)object + size - begin, protection) == 0;
}

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
    if (dladdr1(optional_functions[i].forwarder, &info, (void **)&symbol, RTLD_DL_SYMENT) == 0 ||
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

/* What a library has been linked with: relocations, of which some are addresses of functions. */
struct Linked {
    ElfW(Addr) base;
    const ElfW(Sym) * symbols;
    const char *names;
    const ElfW(Rela) * relocations[2];
    size_t sizes[2]; /* in bytes */
    const ElfW(Phdr) * relro;
};

static ElfW(Addr) address_in(const struct dl_phdr_info *info, ElfW(Addr) value)
{
    return value < info->dlpi_addr ? value + info->dlpi_addr : value; /* musl does not add it */
}

static struct Linked linked_of(const struct dl_phdr_info *info)
{
    struct Linked linked = {.base = info->dlpi_addr};
    const ElfW(Dyn) *entry = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *const header = &info->dlpi_phdr[i];
        if (header->p_type == PT_DYNAMIC)
            entry = (const ElfW(Dyn) *)(info->dlpi_addr + header->p_vaddr);
        if (header->p_type == PT_GNU_RELRO) linked.relro = header;
    }
    for (; entry != 0 && entry->d_tag != DT_NULL; ++entry) {
        const ElfW(Addr) at = address_in(info, entry->d_un.d_ptr);
        switch (entry->d_tag) {
            case DT_SYMTAB:
                linked.symbols = (const ElfW(Sym) *)at;
                break;
            case DT_STRTAB:
                linked.names = (const char *)at;
                break;
            case DT_RELA:
                linked.relocations[0] = (const ElfW(Rela) *)at;
                break;
            case DT_RELASZ:
                linked.sizes[0] = entry->d_un.d_val;
                break;
            case DT_JMPREL:
                linked.relocations[1] = (const ElfW(Rela) *)at;
                break;
            case DT_PLTRELSZ:
                linked.sizes[1] = entry->d_un.d_val;
                break;
            default:
                break;
        }
    }
    return linked;
}

/* The index of an optional function; -1 if the name is another's. */
static int optional_named(const char *name)
{
    if (strncmp(name, "MPI_", 4) != 0) return -1;
    for (int i = 0; i < most && optional_functions[i].name != 0; ++i)
        if (strcmp(optional_functions[i].name, name) == 0) return i;
    return -1;
}

/* Writes another address of a function; that memory may have been made read-only since it was
 * linked, in whole pages. */
static void redirect(const struct Linked *linked, void **place, void *address)
{
    const ElfW(Addr) page = (ElfW(Addr))sysconf(_SC_PAGESIZE);
    const ElfW(Phdr) *const relro = linked->relro;
    const ElfW(Addr) at = (ElfW(Addr))place;
    const int read_only = relro != 0 && at >= linked->base + relro->p_vaddr &&
                          at < (linked->base + relro->p_vaddr + relro->p_memsz) / page * page;
    if (read_only && !protect(place, sizeof *place, PROT_READ | PROT_WRITE)) return;
    __atomic_store_n(place, address, __ATOMIC_RELEASE);
    if (read_only) protect(place, sizeof *place, PROT_READ);
}

/* Redirects one call; a place with another address is linked later, or is not MPI's. */
static void redirect_one(const struct Linked *linked, const ElfW(Rela) * relocation)
{
    const size_t symbol = relocation->r_info >> 32;
    const int i =
        symbol == 0 ? -1 : optional_named(linked->names + linked->symbols[symbol].st_name);
    if (i < 0 || changes[i].from == 0) return;
    void **const place = (void **)(linked->base + relocation->r_offset);
    if (*place == changes[i].from) redirect(linked, place, changes[i].to);
}

static void *own_base; /* of this library, which has a table of them */

static int redirect_in(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    const struct Linked linked = linked_of(info);
    if (linked.symbols == 0 || linked.names == 0 || (void *)linked.base == own_base) return 0;
    for (int part = 0; part < 2; ++part) {
        const size_t count = linked.sizes[part] / sizeof(ElfW(Rela));
        for (size_t i = 0; linked.relocations[part] != 0 && i < count; ++i)
            redirect_one(&linked, &linked.relocations[part][i]);
    }
    return 0;
}

void hide_optional(InMpi *in_mpi)
{
    Dl_info own;
    if (dladdr((void *)optional_functions, &own) != 0) own_base = own.dli_fbase;
    for (int i = 0; i < most && optional_functions[i].name != 0; ++i) {
        if (in_mpi != 0 && in_mpi(optional_functions[i].name) != 0) continue;
        hide(i);
        changes[i].from = optional_functions[i].forwarder;
        changes[i].to = 0; /* what programs see of a function that there is not */
    }
    dl_iterate_phdr(redirect_in, 0);
}

void show_optional(InMpi *in_mpi)
{
    for (int i = 0; i < most && optional_functions[i].name != 0; ++i) {
        changes[i].from = in_mpi(optional_functions[i].name);
        changes[i].to = optional_functions[i].forwarder;
        if (hidden[i].symbol != 0 && changes[i].from != 0)
            set_value(hidden[i].symbol, hidden[i].value);
    }
    dl_iterate_phdr(redirect_in, 0);
}
