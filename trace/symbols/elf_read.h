/*
 * Reads the headers of a 64-bit ELF file of either byte order. It trusts none of them, and reads
 * nothing beyond the end of the file.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_ELF_READ_H
#define GLIMPSE_TRACE_SYMBOLS_ELF_READ_H

#include <elf.h>
#include <stdbool.h>

/* Files with more segments are not read. */
enum { SEGMENTS_MOST = 128 };

struct elf_file {
	int fd;       /* the caller closes it */
	bool swapped; /* the file has the other byte order; the headers here do not */
	Elf64_Ehdr header;
};

/* Reads the header of an open file; returns false if it is no 64-bit ELF file. */
bool elf_read(struct elf_file *f, int fd);
/* Read segment i below e_phnum, section i below e_shnum; return false if the file has them not. */
bool elf_segment(const struct elf_file *f, unsigned i, Elf64_Phdr *p);
bool elf_section(const struct elf_file *f, unsigned i, Elf64_Shdr *s);
/* Finds the first section of a name, of 31 bytes at most; returns false if the file has none. */
bool elf_section_named(const struct elf_file *f, const char *name, Elf64_Shdr *s);

#endif
