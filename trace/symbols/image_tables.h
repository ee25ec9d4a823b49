/* What is read from an ELF file and the file of its debug information: through libdw of elfutils. */
#ifndef GLIMPSE_TRACE_SYMBOLS_IMAGE_TABLES_H
#define GLIMPSE_TRACE_SYMBOLS_IMAGE_TABLES_H

#include "trace/symbols/elf_look.h"
#include <stddef.h>
#include <stdint.h>

/* A function or variable. */
struct symbol {
	uint64_t address, size;
	const char *name;       /* as the linker has it; the file keeps it */
	bool global;
};

/* Called for each; variable: it is no function. */
typedef void symbol_visit(void *context, const struct symbol *s, bool variable);

struct image_file;

/* Returns the folders of separate debug information, a list with colons: $GLIMPSE_DEBUG_PATH. */
const char *debug_folders(void);

/*
 * Reads an open ELF file, which is closed; returns NULL if that is impossible. Debug information is
 * in the file itself or in FOLDER/.build-id/xx/yyy.debug, where xxyyy is the build id.
 */
struct image_file *image_file_open(const char *path, int fd, const struct build_id *id);
/* Visits the symbols, in no order; some have the same address. */
void image_file_symbols(struct image_file *f, symbol_visit *visit, void *context);
/* Returns the source file, without folders, and the line of an address; NULL: unknown. */
const char *image_file_line(struct image_file *f, uint64_t address, unsigned *line);

#endif
