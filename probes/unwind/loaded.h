/*
 * Call frame information of the modules of this process.
 *
 * Allocates nothing, takes no lock (where LOADED_LOCKLESS is 1) and does not change errno.
 */
#ifndef GLIMPSE_PROBES_UNWIND_LOADED_H
#define GLIMPSE_PROBES_UNWIND_LOADED_H

#include "probes/unwind/cfi.h"
#include <dlfcn.h>

/* Whether a signal handler may look for a module: glibc 2.35 or later. */
#if defined(__GLIBC__) && defined(DLFO_STRUCT_HAS_EH_DBASE)
#define LOADED_LOCKLESS 1
#else
#define LOADED_LOCKLESS 0
#endif

/* Returns the rule for the frame that the call before return address `pc` was made in. */
struct cfi_rule cfi_find(uintptr_t pc);

#endif
