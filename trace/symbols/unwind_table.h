/*
 * Finds where the functions of an ELF file begin and end without its symbols: by the entries that
 * unwinding the stack needs, which stripping leaves (.eh_frame_hdr and .eh_frame). It trusts
 * nothing in the file, and what does not fit together is no function.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_UNWIND_TABLE_H
#define GLIMPSE_TRACE_SYMBOLS_UNWIND_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct unwind_table;

/*
 * Reads the table of an open ELF file, for unwind_table_free(). It keeps a descriptor of its own.
 * Returns NULL if the file has no table, or one in another form than linkers write.
 */
struct unwind_table *unwind_table_read(int fd);
void unwind_table_free(struct unwind_table *t);
/*
 * Finds the function that an address in the file is in, [*start, *end). Returns false between
 * functions, and for what the linker made to call functions of libraries (.plt): all of that is
 * one entry.
 */
bool unwind_table_find(const struct unwind_table *t, uint64_t address, uint64_t *start,
		       uint64_t *end);

#endif
