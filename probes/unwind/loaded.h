/*
 * Call frame information of the modules of this process.
 *
 * Allocates nothing, takes no lock (where GL_MODULES_LOCKLESS is 1) and does not change errno.
 */
#ifndef GLIMPSE_PROBES_UNWIND_LOADED_H
#define GLIMPSE_PROBES_UNWIND_LOADED_H

#include "probes/unwind/cfi.h"
#include "runtime/module_headers.h"

/* Returns the rule for the frame that the call before return address `pc` was made in. */
struct cfi_rule cfi_find(uintptr_t pc);

#endif
