/* SPDX-License-Identifier: MIT */
/* Counts the exceptions that libcarpool throws. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

static int thrown = 0;

int exceptions_thrown(void);
int exceptions_thrown(void) { return thrown; }

/* What every throw of C++ calls, in front of that of the C++ library. */
_Noreturn void __cxa_throw(void *exception, void *type, void (*destructor)(void *));
_Noreturn void __cxa_throw(void *exception, void *type, void (*destructor)(void *))
{
    void (*next)(void *, void *, void (*)(void *)) = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "__cxa_throw");
    thrown++;
    next(exception, type, destructor);
    abort();
}
