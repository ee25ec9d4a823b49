/*
 * Call frame information of the modules of this process.
 *
 * Allocates nothing, takes no lock (with glibc 2.35 or later) and does not change errno.
 */
#ifndef GLIMPSE_PROBES_UNWIND_LOADED_H
#define GLIMPSE_PROBES_UNWIND_LOADED_H

#include "probes/unwind/cfi.h"

/* Returns the rule for the frame that the call before return address `pc` was made in. */
struct cfi_rule cfi_find(uintptr_t pc);

#endif
