/*
 * The calls that gcc, g++, gfortran and clang put into functions with -finstrument-functions. Each
 * stays as small as it can: what it pushes is paid at every call of the program.
 */
#include "probes/functions/calls.h"
#include "probes/wrap.h"

/* The stack pointer of the function that calls here. */
#define CALLERS_STACK ((uintptr_t)__builtin_dwarf_cfa())

void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

WRAP_EXPORT void __cyg_profile_func_enter(void *function, void *site)
{
	calls_enter((uintptr_t)function, (uintptr_t)site, CALLERS_STACK);
}

WRAP_EXPORT void __cyg_profile_func_exit(void *function, void *site)
{
	(void)site;
	calls_leave((uintptr_t)function);
}
