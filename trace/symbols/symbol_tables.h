/*
 * Reads the symbols of functions and variables in an ELF file that libelf has opened, and the
 * entries of its procedure linkage table.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_SYMBOL_TABLES_H
#define GLIMPSE_TRACE_SYMBOLS_SYMBOL_TABLES_H

#include "base/array.h"
#include "trace/symbols/image_tables.h"
#include <gelf.h>

/* Whoever gets the symbols. */
struct visitor {
	symbol_visit *visit;
	void *context;
};

/* Names of entries of the procedure linkage table; they stay with the symbols. */
struct linkage_names {
	VECTOR(char *) list;
};

/*
 * Visits the symbols in tables of a type, SHT_SYMTAB or SHT_DYNSYM; bias is added to their
 * addresses. Returns false if the file has no such table.
 */
bool symbol_tables_read(Elf *elf, uint64_t bias, GElf_Word type, const struct visitor *v);
/* Visits "NAME@plt" for each function of a library that the file, as it was mapped, calls. */
void linkage_read(Elf *elf, struct linkage_names *names, const struct visitor *v);
/* Returns a section by its name, and its header; NULL: the file has none. */
Elf_Scn *section_named(Elf *elf, const char *name, GElf_Shdr *header);

#endif
