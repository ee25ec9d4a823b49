/*
 * Reads an ELF file and the file of its debug information, using libdw of elfutils. Debug
 * information is opened at its first use.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_IMAGE_TABLES_H
#define GLIMPSE_TRACE_SYMBOLS_IMAGE_TABLES_H

#include "trace/symbols/image.h"
#include <stddef.h>
#include <stdint.h>

/* A function or variable. */
struct image_symbol {
	uint64_t address, size;
	const char *name; /* as the linker has it; the file keeps it */
	bool global;
	bool guessed; /* the size: up to the end of the section, as the symbol has none */
};

/* Called for each; variable: it is no function. */
typedef void symbol_visit(void *context, const struct image_symbol *s, bool variable);

struct image_file;

/*
 * Reads an open ELF file, which is closed; returns NULL if that is impossible. Debug information is
 * in the file itself or in a separate one (debug_files.h).
 */
struct image_file *image_file_open(const char *path, int fd, const struct build_id *id);
/*
 * Visits the symbols, in no order; some have the same address. They are those of the file, of the
 * separate one, or else of what stripping left: the dynamic ones and .gnu_debugdata.
 */
void image_file_symbols(struct image_file *f, symbol_visit *visit, void *context);
/* Says which names there are, once image_file_symbols() was called. */
struct image_names image_file_names(struct image_file *f);
/* Returns the path of the source file and the line of an address; NULL: unknown. */
const char *image_file_line(struct image_file *f, uint64_t address, unsigned *line);
/*
 * Finds the calls that are inlined at an address, the outermost first (inlined.h), up to
 * INLINED_MOST. Returns how many there are; the caller frees their names.
 */
struct inlined_call;
size_t image_file_inlined(struct image_file *f, uint64_t address, struct inlined_call *calls);
/*
 * Returns what follows the name of the variable at an address for a byte in it (members.h), to be
 * freed; NULL: there is no debug information of it.
 */
char *image_file_member(struct image_file *f, uint64_t variable, uint64_t byte);

#endif
