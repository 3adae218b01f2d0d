/* SPDX-License-Identifier: MIT */
/* Finds the MPI of the program in which this library has been preloaded, or with which it has been
 * linked, and Carpool's library for it: libcarpool_mpi-KIND.so in the folder of this one. This
 * library is linked with no MPI, so it does no harm in any program. */
#include "fortran.h"
#include "function.h"
#include "optional.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int GetLibraryVersion(char *version, int *length);

static const char get_library_version[] = "PMPI_Get_library_version";
static void *mpi;     /* a handle of the MPI that the program has loaded; null if there is none */
static void *carpool; /* a handle of Carpool's library for it; null if there is none */

/* ---- The program's MPI ---------------------------------------------------------------------- */

static const char *file_of(void *address)
{
    Dl_info info;
    return address != 0 && dladdr(address, &info) != 0 ? info.dli_fname : 0;
}

/* Files whose names say that they may be an MPI. */
struct Files {
    char names[8][PATH_MAX];
    int count;
};

static int collect(struct dl_phdr_info *info, size_t size, void *result)
{
    struct Files *const files = result;
    (void)size;
    if (strstr(info->dlpi_name, "libmpi") != 0 && strlen(info->dlpi_name) < PATH_MAX)
        strcpy(files->names[files->count++], info->dlpi_name);
    return files->count == sizeof files->names / sizeof *files->names;
}

static void *version_function_in(const char *file)
{
    void *const library = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    if (library == 0) return 0;
    void *const address = dlsym(library, get_library_version);
    dlclose(library); /* it was loaded before, and stays */
    return address;
}

/* Where a program has loaded MPI for itself (a Python module), its symbols are not visible to all.
 * So this looks into each library whose name says that it is an MPI; not while they are listed,
 * since the list is locked. */
static GetLibraryVersion *version_function(void)
{
    static struct Files files;
    void *address = dlsym(RTLD_DEFAULT, get_library_version);
    files.count = 0;
    if (address == 0) dl_iterate_phdr(collect, &files);
    for (int i = 0; address == 0 && i < files.count; ++i)
        address = version_function_in(files.names[i]);
    return (GetLibraryVersion *)address;
}

/* Writes the name of an MPI as the names of our libraries have it, such as "mpich" or "openmpi5";
 * nothing if it is none that is known. Intel MPI has the handles of MPICH. */
static void write_kind(const char *version, const char *file, char *kind, size_t room)
{
    const char *const open_mpi = strstr(version, "Open MPI v");
    kind[0] = '\0';
    if (strstr(file, "libmpi_abi") != 0)
        snprintf(kind, room, "abi");
    else if (open_mpi != 0)
        snprintf(kind, room, "openmpi%ld", strtol(open_mpi + strlen("Open MPI v"), 0, 10));
    else if (strstr(version, "MPICH") != 0 || strstr(version, "Intel(R) MPI") != 0)
        snprintf(kind, room, "mpich");
}

/* ---- Carpool's library for it --------------------------------------------------------------- */

/* Whether this is rank 0, as far as launchers tell the rank. */
static int is_first_rank(void)
{
    static const char *const ranks[] = {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"};
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; ++i) {
        const char *const rank = getenv(ranks[i]);
        if (rank != 0 && strcmp(rank, "0") != 0) return 0;
    }
    return 1;
}

/* Says why the program runs without Carpool. */
static void complain(const char *version, const char *why)
{
    if (!is_first_rank()) return;
    fprintf(stderr, "Carpool: %s; the program runs without Carpool, on %.*s\n", why,
            (int)strcspn(version, ",\n"), version);
}

/* Whether a function that the whole program uses is that of this library; not every MPI has it. */
static int arrives_here(const char *name)
{
    Dl_info used, own;
    void *const program = dlopen(0, RTLD_LAZY); /* RTLD_DEFAULT would begin with this library */
    void *const address = dlsym(program, name);
    dlclose(program);
    if (address == 0) return 1;
    return dladdr(address, &used) != 0 && dladdr((void *)functions_of_requests, &own) != 0 &&
           used.dli_fbase == own.dli_fbase;
}

static int requests_arrive(void)
{
    for (const char *const *name = functions_of_requests; *name != 0; ++name)
        if (!arrives_here(*name)) return 0;
    return fortran_requests_arrive();
}

static void *opened(const char *version, const char *kind)
{
    char file[PATH_MAX];
    char why[PATH_MAX + 256];
    const char *const own = file_of((void *)functions_of_requests);
    const char *const slash = own != 0 ? strrchr(own, '/') : 0;
    snprintf(file, sizeof file, "%.*slibcarpool_mpi-%s.so", slash != 0 ? (int)(slash + 1 - own) : 0,
             own, kind);
    void *const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == 0) {
        snprintf(why, sizeof why, "%s", dlerror());
        complain(version, why);
        return 0;
    }
    void (*const set_requests_arrive)(int) =
        (void (*)(int))dlsym(library, "carpool_set_requests_arrive");
    if (set_requests_arrive != 0) {
        set_requests_arrive(requests_arrive());
        return library;
    }
    snprintf(why, sizeof why, "%s is of another version", file);
    complain(version, why);
    return 0;
}

/* MPI's function of a name, or that of a tool before it. */
static void *in_mpi(const char *name)
{
    void *const next = dlsym(RTLD_NEXT, name);
    return next != 0 || mpi == 0 ? next : dlsym(mpi, name);
}

static int loaded_late; /* the program began without an MPI */

/* Finds the program's MPI, and makes its symbols visible to our library, which is linked with no
 * MPI of its own. */
static GetLibraryVersion *open_mpi(void)
{
    GetLibraryVersion *const get_version = version_function();
    const char *const file = file_of((void *)get_version);
    if (file != 0) mpi = dlopen(file, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
    return mpi != 0 ? get_version : 0;
}

static int is_off(void)
{
    const char *const wanted = getenv("CARPOOL");
    return wanted != 0 && strcmp(wanted, "off") == 0;
}

__attribute__((constructor)) static void begin(void)
{
    loaded_late = open_mpi() == 0;
    hide_optional(loaded_late ? 0 : in_mpi);
    if (!is_off()) take_from_fortran();
}

static int searched; /* the program has called a function of this library */
static int counted;  /* and a collective, which Carpool's library counts */

static void find(void)
{
    GetLibraryVersion *const get_version = open_mpi();
    searched = 1;
    if (get_version == 0 || is_off()) return;
    static char version[1 << 14];
    int length = 0;
    get_version(version, &length);
    char kind[32];
    write_kind(version, file_of((void *)get_version), kind, sizeof kind);
    if (kind[0] == '\0')
        complain(version, "this MPI is not known");
    else
        carpool = opened(version, kind);
    if (carpool != 0 && loaded_late) show_optional(in_mpi);
}

/* ---- Functions ------------------------------------------------------------------------------ */

/* Whether it is one of those that start, complete and free requests, or make topologies. */
static int is_of_requests(const char *function)
{
    const char *const *name = functions_of_requests;
    while (*name != 0 && strcmp(*name, function) != 0) ++name;
    return *name != 0;
}

/* MPI's own function of a name, past tools, if Carpool's library would only pass its calls on to
 * it; else null. */
static void *left_to_mpi(const char *function)
{
    char own[64];
    int (*const leaves)(const char *) =
        (int (*)(const char *))dlsym(carpool, "carpool_leaves_to_mpi");
    if (leaves == 0 || !leaves(function)) return 0;
    snprintf(own, sizeof own, "P%s", function);
    return in_mpi(own);
}

void *resolved(struct Function *function)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    if (carpool != 0) take_from_fortran(); /* Python may have loaded it since */
    void *address = carpool != 0 ? left_to_mpi(function->name) : 0;
    if (address == 0 && carpool != 0) address = dlsym(carpool, function->name);
    if (address != 0 && !is_of_requests(function->name))
        __atomic_store_n(&counted, 1, __ATOMIC_RELAXED);
    if (address == 0) address = in_mpi(function->name);
    if (address == 0) {
        fprintf(stderr, "Carpool: the program calls %s, which its MPI does not have\n",
                function->name);
        abort();
    }
    __atomic_store_n(&function->address, address, __ATOMIC_RELEASE);
    return address;
}

/* Whether the program has initialized MPI. */
static int has_used_mpi(void)
{
    int used = 0;
    int (*const initialized)(int *) =
        open_mpi() != 0 ? (int (*)(int *))in_mpi("PMPI_Initialized") : 0;
    if (initialized != 0) initialized(&used);
    return used;
}

/* Where no collective came here, Carpool's library has nothing to report, or was not even loaded.
 */
__attribute__((destructor)) static void end(void)
{
    const char *const report = getenv("CARPOOL_REPORT");
    const int runs_without = searched && carpool == 0;
    if (counted || runs_without || is_off() || report == 0 || *report == '\0') return;
    if (is_first_rank() && has_used_mpi())
        fprintf(stderr,
                "carpool: nothing to report: no collective of this program has come to Carpool\n");
}
