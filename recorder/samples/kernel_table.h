/*
 * The kernel's functions as a table that can be searched, from the lines of /proc/kallsyms. What
 * the table points to is one piece of memory, so that it can be a file.
 */
#ifndef GLIMPSE_RECORDER_SAMPLES_KERNEL_TABLE_H
#define GLIMPSE_RECORDER_SAMPLES_KERNEL_TABLE_H

#include "recorder/samples/made_names.h"

/* Whose a symbol is: the kernel's own, or of the module with this number. */
enum {
	KERNEL_OWN = 0,
	KERNEL_PASSING = UINT16_MAX /* code that comes and goes unseen: of BPF, of tracers */
};

struct kernel_symbol {
	uint64_t start;
	uint32_t name; /* where it is in the text */
	uint16_t owner;
	uint16_t rank; /* of several at an address the lowest one is kept */
};

/* Ascending by their start; no two have the same one. */
struct kernel_table {
	struct kernel_symbol *symbols;
	size_t n;
	char *text; /* names, each with a zero after it */
	size_t bytes;
};

/* Reads an open list. Returns false if it has more than is read; the table is of the rest. */
bool kernel_table_read(struct kernel_table *t, int fd);
void kernel_table_free(struct kernel_table *t);

/*
 * Gives the functions of n addresses, which are in ascending order, each once. A function goes up
 * to the next one, and at most 1 MiB.
 */
void kernel_table_give(const struct kernel_table *t, const uint64_t *addresses, size_t n,
		       made_take *take, void *context);
/*
 * Returns whether the table says what is at an address as long as the kernel has the same modules:
 * if the symbols around it are of one owner.
 */
bool kernel_table_lasts(const struct kernel_table *t, uint64_t address);

#endif
