/* Finds the function of glibc in which threads wait for its own locks, and for no others. */
#ifndef GLIMPSE_RECORDER_SAMPLES_INNER_CODE_H
#define GLIMPSE_RECORDER_SAMPLES_INNER_CODE_H

#include "trace/symbols/elf_read.h"

/* Addresses in the file: [from, to). */
struct inner_code {
	uint64_t from, to;
};

/* Returns an empty range if the file exports no such function. */
struct inner_code inner_code_find(const struct elf_file *f);

#endif
