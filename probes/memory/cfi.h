/*
 * Call frame information: how to get from a frame to that of its caller, from a module's .eh_frame.
 *
 * No function here allocates, takes a lock (with glibc 2.35 or later) or changes errno.
 */
#ifndef GLIMPSE_PROBES_MEMORY_CFI_H
#define GLIMPSE_PROBES_MEMORY_CFI_H

#include <stdint.h>

enum cfi_kind {
	CFI_UNKNOWN,    /* not looked up yet; never returned */
	CFI_END,        /* there is no caller, or none that we can find */
	CFI_SP,         /* the frame ends at sp + cfa words */
	CFI_FP,         /* ... at fp + cfa words */
	CFI_AT_SP,      /* ... at the address that is stored at sp + cfa words, plus `add` words */
	CFI_AT_FP,      /* ... at the address that is stored at fp + cfa words, plus `add` words */
};

#define CFI_FP_SAME (-(1 << 14))        /* as `fp`: the function has not touched it */

/*
 * The rule at one address, in words of 8 bytes. Where the frame ends is the stack pointer of the
 * caller; the caller's frame pointer and the return address are stored `fp` and `ra` words from
 * there.
 */
struct cfi_rule {
	uint64_t kind : 3;
	uint64_t ours : 1;      /* the code is that of a library of Glimpse */
	uint64_t add : 7;
	int64_t cfa : 23;
	int64_t fp : 15;
	int64_t ra : 15;
};

/* Returns the rule for the frame that the call before return address `pc` was made in. */
struct cfi_rule cfi_find(uintptr_t pc);

#endif
