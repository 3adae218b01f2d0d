/* SPDX-License-Identifier: MIT */
#ifndef CARPOOL_PRELOAD_FUNCTION_H
#define CARPOOL_PRELOAD_FUNCTION_H

#include <stdint.h>

/* A function of MPI that this library has, too, and the address to which its calls go. */
struct Function {
    const char* name;
    void* address; /* null before the first call */
};

/* Looks for the address: the function of Carpool's library for the MPI of this program, or else the
 * next one of that name, which is MPI's or a tool's. */
__attribute__((visibility("hidden"))) void* resolved(struct Function* function);

static inline void* address_of(struct Function* function) {
    void* const known = __atomic_load_n(&function->address, __ATOMIC_ACQUIRE);
    return known != 0 ? known : resolved(function);
}

/* A function of this library, which calls the one of MPI that has this name. */
struct Forwarder {
    const char* name;
    void* function;
};

/* The names of the functions that start, complete and free requests, and a null pointer. */
__attribute__((visibility("hidden"))) extern const char* const functions_of_requests[];

#endif
