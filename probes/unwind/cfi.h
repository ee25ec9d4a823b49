/*
 * Call frame information: how to get from a frame to that of its caller, from a module's .eh_frame.
 *
 * No function here allocates, takes a lock or changes errno.
 */
#ifndef GLIMPSE_PROBES_UNWIND_CFI_H
#define GLIMPSE_PROBES_UNWIND_CFI_H

#include <stddef.h>
#include <stdint.h>

enum cfi_kind {
	CFI_UNKNOWN,   /* not looked up yet; never returned */
	CFI_END,       /* how to find the caller is not known */
	CFI_OUTERMOST, /* there is no caller: a thread begins here */
	CFI_BARE,      /* no module has the address, or its module has no tables */
	CFI_SP,        /* the frame ends at sp + cfa words */
	CFI_FP,        /* ... at fp + cfa words */
	CFI_AT_SP,     /* ... at the address that is stored at sp + cfa words, plus `add` words */
	CFI_AT_FP,     /* ... at the address that is stored at fp + cfa words, plus `add` words */
	CFI_SIGNAL,    /* a signal interrupted the caller: its sp is stored at sp + cfa words */
};

/*
 * Whether the code belongs to a library of Glimpse: a probe calls the program's functions, the
 * runtime calls none.
 */
enum cfi_ours { CFI_OURS_NOT, CFI_OURS_PROBE, CFI_OURS_RUNTIME };

#define CFI_FP_SAME (-(1 << 14)) /* as `fp`: the function has not touched it */

/*
 * The rule at one address, in words of 8 bytes. Where the frame ends is the stack pointer of the
 * caller; the caller's frame pointer and the return address are stored `fp` and `ra` words from
 * there, of CFI_SIGNAL from sp. What a signal interrupted is the very instruction at that address,
 * not the one behind a call.
 */
struct cfi_rule {
	uint64_t kind : 4;
	uint64_t ours : 2;     /* enum cfi_ours */
	uint64_t fp_at_fp : 1; /* `fp` is from this frame's own frame pointer */
	uint64_t add : 6;
	int64_t cfa : 21;
	int64_t fp : 15;
	int64_t ra : 15;
};

/* Where a function begins, and its entry in .eh_frame: places in memory. */
struct cfi_entry {
	uintptr_t start, entry;
};

/*
 * A module's tables, laid out in memory as the loader does it. Of .eh_frame no bytes outside
 * [from, to) are read, of its header none from header_end on.
 */
struct cfi_table {
	const void *header; /* .eh_frame_hdr; NULL: none */
	uintptr_t header_end;
	uintptr_t from, to;
	const struct cfi_entry *entries; /* instead of a header, in the order of their starts */
	size_t n;
};

/* Returns where .eh_frame is, as its header says; 0: that does not. */
uintptr_t cfi_frames(const struct cfi_table *t);
/* Returns the rule for the frame of an instruction; `pc` is in that memory. `ours` is 0. */
struct cfi_rule cfi_rule_at(const struct cfi_table *t, uintptr_t pc);
/*
 * Stores the entries of a section .eh_frame, in its order, at most `room`; returns how many there
 * are.
 */
size_t cfi_entries(const struct cfi_table *t, uintptr_t section, size_t size,
		   struct cfi_entry *entries, size_t room);

#endif
