/* SPDX-License-Identifier: MIT */
#include "calls.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int protect(void *object, size_t size, int protection)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = (uintptr_t)object / page * page;
    return mprotect((void *)begin, (uintptr_t)object + size - begin, protection) == 0;
}

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

/* Which calls are redirected, and the library of this file, which has the addresses of all. */
struct Redirection {
    IsMeant *is_meant;
    Choose *choose;
    const void *own_base;
};

static int redirect_in(struct dl_phdr_info *info, size_t size, void *redirection)
{
    const struct Redirection *const all = redirection;
    (void)size;
    if (all->is_meant != 0 && !all->is_meant(info->dlpi_name)) return 0;
    const struct Linked linked = linked_of(info);
    if (linked.symbols == 0 || linked.names == 0 || (void *)linked.base == all->own_base) return 0;
    for (int part = 0; part < 2; ++part) {
        const ElfW(Rela) *const relocations = linked.relocations[part];
        const size_t count = relocations != 0 ? linked.sizes[part] / sizeof *relocations : 0;
        for (size_t i = 0; i < count; ++i) {
            const size_t symbol = relocations[i].r_info >> 32;
            void **const place = (void **)(linked.base + relocations[i].r_offset);
            const char *const name = linked.names + linked.symbols[symbol].st_name;
            void *chosen = 0;
            if (symbol != 0 && all->choose(name, place, &chosen)) redirect(&linked, place, chosen);
        }
    }
    return 0;
}

void redirect_calls(IsMeant *is_meant, Choose *choose)
{
    Dl_info own;
    struct Redirection all = {is_meant, choose, 0};
    if (dladdr((void *)redirect_calls, &own) != 0) all.own_base = own.dli_fbase;
    dl_iterate_phdr(redirect_in, &all);
}
