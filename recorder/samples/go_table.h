/*
 * Finds rules for frames of Go programs, which have no .eh_frame, in the table .gopclntab, which
 * their run time needs itself. It is there since Go 1.20 in this form, also in stripped files.
 */
#ifndef GLIMPSE_RECORDER_SAMPLES_GO_TABLE_H
#define GLIMPSE_RECORDER_SAMPLES_GO_TABLE_H

#include "probes/unwind/cfi.h"
#include <stdbool.h>

struct go_table {
	const uint8_t *bytes; /* as long as the table is used; NULL: none */
	size_t size;
	uint64_t text;             /* where its functions begin */
	uint64_t pctab, functions; /* offsets in it */
	uint64_t n;                /* functions */
};

/*
 * Opens the section .gopclntab of a file; `text` is the address of the section .text, `entry` where
 * the file begins to run. Returns false if it is of another form or machine, or if it is not known
 * where the functions begin: Go 1.26 does not say it, and a linker other than Go's may put them
 * anywhere.
 */
bool go_table_open(struct go_table *t, const uint8_t *bytes, size_t size, uint64_t text,
		   uint64_t entry);

/*
 * Returns the rule for an instruction at an address of the file. Damaged tables are read within
 * their bounds.
 */
struct cfi_rule go_table_rule(const struct go_table *t, uint64_t address);

#endif
