/* SPDX-License-Identifier: MIT */
#include "fortran.h"

#include "calls.h"

#include <ctype.h>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Whether a file is a library of an MPI's functions for Fortran: libmpi_mpifh.so and
 * libmpi_usempif08.so of Open MPI, libmpifort.so and libmpichfort.so of MPICH and its relatives. */
static int is_for_fortran(const char *file)
{
    const char *const slash = strrchr(file, '/');
    const char *const name = slash != 0 ? slash + 1 : file;
    return strncmp(name, "libmpi", strlen("libmpi")) == 0 &&
           (strstr(name, "fort") != 0 || strstr(name, "mpifh") != 0 ||
            strstr(name, "usempif08") != 0);
}

static int ours(const char *name, void *const *place, void **chosen)
{
    (void)place;
    if (strncmp(name, "PMPI_", strlen("PMPI_")) != 0) return 0;
    for (const struct Forwarder *known = functions_for_fortran; known->name != 0; ++known) {
        if (strcmp(known->name, name + 1) != 0) continue;
        *chosen = known->function;
        return 1;
    }
    return 0;
}

static int read_loads(struct dl_phdr_info *info, size_t size, void *loads)
{
    (void)size;
    *(unsigned long long *)loads = info->dlpi_adds;
    return 1;
}

void take_from_fortran(void)
{
    static pthread_mutex_t redirecting = PTHREAD_MUTEX_INITIALIZER;
    static unsigned long long known_loads = 0;
    unsigned long long loads = 0;
    pthread_mutex_lock(&redirecting);
    dl_iterate_phdr(read_loads, &loads);
    if (loads != known_loads) redirect_calls(is_for_fortran, ours);
    known_loads = loads;
    pthread_mutex_unlock(&redirecting);
}

/* The library that has the program's function of a name as Fortran calls it, or null. */
static void *library_of(const char *function, const char *suffix)
{
    char name[128];
    Dl_info info;
    snprintf(name, sizeof name, "%s%s", function, suffix);
    for (char *letter = name; *letter != 0; ++letter) *letter = (char)tolower(*letter);
    void *const address = dlsym(RTLD_DEFAULT, name);
    return address != 0 && dladdr(address, &info) != 0 ? info.dli_fbase : 0;
}

static int of_one_library(const char *suffix)
{
    void *const first = library_of(functions_of_requests[0], suffix);
    for (const char *const *function = functions_of_requests; *function != 0; ++function) {
        void *const library = library_of(*function, suffix);
        if (library != 0 && library != first) return 0;
    }
    return 1;
}

int fortran_requests_arrive(void) { return of_one_library("_") && of_one_library("_f08_"); }
