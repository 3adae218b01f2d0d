/* SPDX-License-Identifier: MIT */
#ifndef CARPOOL_PRELOAD_CALLS_H
#define CARPOOL_PRELOAD_CALLS_H

/* Chooses the function that is to be called by a name. Returns 0 if that is the one at *place,
 * which has been linked, or finds the function at the first call. */
typedef int Choose(const char* name, void* const* place, void** chosen);

/* Whether a file is of those whose calls are redirected. */
typedef int IsMeant(const char* file);

/* Redirects calls of all libraries that are loaded, and of the program, but for this library: those
 * of files that are meant; of all files, if is_meant is null. */
__attribute__((visibility("hidden"))) void redirect_calls(IsMeant* is_meant, Choose* choose);

/* Protects memory that is read-only since the program has been linked. Returns whether that was
 * allowed. @param protection  as mprotect() has it, for whole pages */
__attribute__((visibility("hidden"))) int protect(void* object, unsigned long size, int protection);

#endif
