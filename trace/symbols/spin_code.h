/*
 * Recognises loops in which a thread waits for another one and keeps its processor, by their
 * machine code. It trusts none of the bytes.
 *
 * Such a loop has an instruction that says so: pause of x86-64; yield, wfe or isb of AArch64. Or,
 * on x86-64 alone, it is short, loads from memory, calls and stores nothing, and no iteration
 * leaves anything in a register to the next one: only another thread can end it. A search through
 * memory changes the address that it loads from, and a computation changes a register or a
 * variable. Without optimisation, compilers store what they load, and such loops are not known.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_SPIN_CODE_H
#define GLIMPSE_TRACE_SYMBOLS_SPIN_CODE_H

#include <stdbool.h>
#include <stddef.h>

/* Longer loops, in bytes, are not recognised. */
enum { SPIN_LOOP_MOST = 64 };

/* Machine code around an instruction. */
struct code_bytes {
	unsigned char bytes[2 * SPIN_LOOP_MOST];
	size_t n, at;     /* how many there are; where the instruction begins */
	unsigned machine; /* e_machine of its file: EM_X86_64 */
};

/* Returns whether the instruction is in such a loop; false for other processors. */
bool spin_code_is(const struct code_bytes *c);

#endif
