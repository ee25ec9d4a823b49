/*
 * What a file of a program knows of its addresses: functions, variables, lines of the source. Files
 * are read when they are first asked for, and kept until the program ends: several traces, and the
 * same one as it grows, use them. Only one thread at a time may call these functions.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_IMAGE_H
#define GLIMPSE_TRACE_SYMBOLS_IMAGE_H

#include "trace/symbols/elf_look.h"
#include <stddef.h>
#include <stdint.h>

struct image;

/* What was found at a path. */
enum image_state {
	IMAGE_GOOD,
	IMAGE_MISSING,          /* no ELF file that can be read */
	IMAGE_OTHER,            /* another one than that which ran: its build id differs */
};

/* Finds the file that ran. Returns NULL unless *state is IMAGE_GOOD. */
struct image *image_find(const char *path, const struct build_id *id, enum image_state *state);

/* Gives the addresses in the file that are mapped, [low, high). */
void image_range(const struct image *i, uint64_t *low, uint64_t *high);

/* An address in a file, by name. A function without a symbol has none: NULL. */
struct place {
	const char *name;       /* as in the source, all of it visible; the image keeps it */
	uint64_t offset;        /* of the address from where the function or variable begins */
	const char *file;       /* the source's, without folders; NULL: unknown; to be copied */
	unsigned line;
};

/*
 * Find the function, and the line, or the variable that an address in the file is in. An address
 * inside of a function is taken for one that a call returns to: the line is that of the call. Where
 * a function has no symbol, what unwinding needs says where it begins.
 */
bool image_function(struct image *i, uint64_t address, struct place *p);
bool image_variable(struct image *i, uint64_t address, struct place *p);

#endif
