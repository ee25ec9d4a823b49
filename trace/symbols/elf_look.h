/*
 * Inspects an ELF file before a library reads it: whether it is the one that the program ran, and
 * where it is mapped. It reads little of the file, and never beyond its end.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_ELF_LOOK_H
#define GLIMPSE_TRACE_SYMBOLS_ELF_LOOK_H

#include "trace/symbols/build_id.h"
#include <stdint.h>

struct elf_look {
	struct build_id id; /* of no bytes: it has none */
	uint64_t low, high; /* addresses in the file that are mapped: [low, high) */
};

/* Looks at an open file; returns false if it is no 64-bit ELF file that can be mapped. */
bool elf_look(int fd, struct elf_look *look);
/*
 * Reads the build id of an open file of debug information, which need not be one that can be
 * mapped; returns false if it has none.
 */
bool elf_build_id(int fd, struct build_id *id);

/*
 * Opens a file that a log names: a regular one, of a size that makes sense; never waits. Returns -1
 * if it is something else.
 */
int elf_open(const char *path);

#endif
