/* Finds what an expression of call frame information says of a frame: DWARF 5, section 2.5. */
#ifndef GLIMPSE_PROBES_UNWIND_CFI_EXPRESSION_H
#define GLIMPSE_PROBES_UNWIND_CFI_EXPRESSION_H

#include "probes/unwind/bytes.h"

#if defined(__x86_64__)
enum { REGISTER_FP = 6, REGISTER_SP = 7, REGISTER_PC = 16 };
#else /* aarch64, which has no number for the pc */
enum { REGISTER_FP = 29, REGISTER_SP = 31, REGISTER_PC = -1 };
#endif

enum cfi_base {
	CFI_BASE_UNKNOWN,
	CFI_BASE_NUMBER, /* the value is `add` */
	CFI_BASE_SP,     /* ... the stack pointer plus `add` */
	CFI_BASE_FP,     /* ... the frame pointer plus `add` */
	CFI_BASE_AT_SP,  /* ... the word at the stack pointer plus `offset`, plus `add` */
	CFI_BASE_AT_FP,  /* ... the word at the frame pointer plus `offset`, plus `add` */
};

struct cfi_value {
	enum cfi_base base;
	int64_t offset, add; /* bytes */
};

/*
 * Returns the value of an expression for an instruction; unknown if it has an operation that we do
 * not know.
 */
struct cfi_value cfi_expression(struct bytes e, uintptr_t pc);

#endif
