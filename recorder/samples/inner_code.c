#include "recorder/samples/inner_code.h"
#include "base/array.h"
#include "base/file.h"
#include <stdlib.h>
#include <string.h>

/* Locks that are a mutex for the program wait in another one. */
#define FUNCTION "__lll_lock_wait_private"
/* No C library has larger tables. */
#define MOST_BYTES (UINT64_C(4) << 20)

/* Returns a section with a NUL behind it, to be freed; NULL: it cannot be read. */
static char *section_read(const struct elf_file *f, const char *name, uint64_t *size)
{
	Elf64_Shdr s;
	char *bytes;

	if (!elf_section_named(f, name, &s) || s.sh_size > MOST_BYTES)
		return NULL;
	bytes = array_zero(s.sh_size + 1, 1);
	if (!file_read_at(f->fd, bytes, s.sh_size, s.sh_offset)) {
		free(bytes);
		return NULL;
	}
	*size = s.sh_size;
	return bytes;
}

struct inner_code inner_code_find(const struct elf_file *f)
{
	struct inner_code range = {0, 0};
	uint64_t size = 0, length = 0;
	char *symbols = f->swapped ? NULL : section_read(f, ".dynsym", &size);
	char *names = symbols ? section_read(f, ".dynstr", &length) : NULL;
	Elf64_Sym symbol;

	for (uint64_t at = 0; names && at + sizeof symbol <= size; at += sizeof symbol) {
		memcpy(&symbol, symbols + at, sizeof symbol);
		if (symbol.st_name < length && strcmp(names + symbol.st_name, FUNCTION) == 0)
			range =
			    (struct inner_code){symbol.st_value, symbol.st_value + symbol.st_size};
	}
	free(symbols);
	free(names);
	return range;
}
