/*
 * Finds what a file of a program says of its addresses: functions, variables, lines of the source.
 * Files are read when they are first asked for, and kept until the program ends: several traces,
 * and the same one as it grows, use them. Only one thread at a time may call these functions.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_IMAGE_H
#define GLIMPSE_TRACE_SYMBOLS_IMAGE_H

#include "trace/symbols/elf_look.h"
#include "trace/symbols/inlined.h"
#include "trace/symbols/spin_code.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image;
struct stored_file;

/* What was found at a path. */
enum image_state {
	IMAGE_GOOD,
	IMAGE_MISSING, /* no ELF file that can be read */
	IMAGE_OTHER,   /* another one than that which ran: its build id differs */
};

/* Finds the file that ran. Returns NULL unless *state is IMAGE_GOOD. */
struct image *image_find(const char *path, const struct build_id *id, enum image_state *state);

/*
 * Returns what stored_names.h has of a file that is gone, as an image; the caller calls free().
 * It names no other addresses than those that are stored.
 */
struct image *image_stored(const struct stored_file *f);

/* Which names a file has of its functions, with its separate debug information. */
enum function_names {
	NAMES_NONE,
	NAMES_EXPORTED, /* of what other files call */
	NAMES_SYMBOLS,  /* of all */
};

struct image_names {
	enum function_names functions;
	bool debug; /* there is debug information */
	/* Of a file that the debug information needs, and that is not there; of no bytes: none. */
	struct build_id missing;
};

struct image_names image_names(struct image *i);

/*
 * Returns whether the file has its debug information in another one, found by its build id. Such
 * files come from packages: only an update replaces them.
 */
bool image_is_packaged(const struct image *i);

/* Gives the addresses in the file that are mapped, [low, high). */
void image_range(const struct image *i, uint64_t *low, uint64_t *high);

/*
 * Reads the machine code around an instruction of the file, as far as the file has it. Returns
 * false if it has no code there, or is gone.
 */
bool image_code(struct image *i, uint64_t address, struct code_bytes *c);

/* An address in a file, by name. A function without a symbol has none: NULL. */
struct place {
	const char *name; /* as in the source, all of it visible; the image keeps it */
	uint64_t offset;  /* of the address from where the function or variable begins */
};

/*
 * Find the function or the variable that an address in the file is in. Where a function has no
 * symbol, what unwinding needs says where it begins.
 */
bool image_function(struct image *i, uint64_t address, struct place *p);
bool image_variable(struct image *i, uint64_t address, struct place *p);
/*
 * Returns what follows a variable's name for the place: its members and elements, ".notFull"; NULL:
 * there is no debug information of it. The caller frees it.
 */
char *image_member(struct image *i, uint64_t address, const struct place *p);

/* Returns the path of the source file, to be copied, and the line of an address; NULL: unknown. */
const char *image_line(struct image *i, uint64_t address, unsigned *line);
/*
 * Finds the calls that are inlined at an address, the outermost first; their names are set, and as
 * those of functions. Returns how many there are. The caller frees the names and copies the files.
 */
size_t image_inlined(struct image *i, uint64_t address, struct inlined_call calls[INLINED_MOST]);

#endif
