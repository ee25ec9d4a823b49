#include "trace/symbols/elf_read.h"
#include "base/file.h"
#include "trace/format/bytes.h"

static uint16_t half(uint16_t n, bool swapped)
{
	return swapped ? __builtin_bswap16(n) : n;
}

static uint32_t word(uint32_t n, bool swapped)
{
	return swapped ? __builtin_bswap32(n) : n;
}

static uint64_t giant(uint64_t n, bool swapped)
{
	return swapped ? __builtin_bswap64(n) : n;
}

bool elf_read(struct elf_file *f, int fd)
{
	Elf64_Ehdr *h = &f->header;

	f->fd = fd;
	if (!file_read_at(fd, h, sizeof *h, 0) || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 ||
	    h->e_ident[EI_CLASS] != ELFCLASS64)
		return false;
	f->swapped = (h->e_ident[EI_DATA] == ELFDATA2LSB) != (BYTE_ORDER == LITTLE_ENDIAN);
	h->e_machine = half(h->e_machine, f->swapped);
	h->e_phoff = giant(h->e_phoff, f->swapped);
	h->e_phentsize = half(h->e_phentsize, f->swapped);
	h->e_phnum = half(h->e_phnum, f->swapped);
	h->e_shoff = giant(h->e_shoff, f->swapped);
	h->e_shentsize = half(h->e_shentsize, f->swapped);
	h->e_shnum = half(h->e_shnum, f->swapped);
	h->e_shstrndx = half(h->e_shstrndx, f->swapped);
	return h->e_phnum == 0 ||
	       (h->e_phentsize == sizeof(Elf64_Phdr) && h->e_phnum <= SEGMENTS_MOST);
}

bool elf_segment(const struct elf_file *f, unsigned i, Elf64_Phdr *p)
{
	if (!file_read_at(f->fd, p, sizeof *p, f->header.e_phoff + i * sizeof *p))
		return false;
	p->p_type = word(p->p_type, f->swapped);
	p->p_flags = word(p->p_flags, f->swapped);
	p->p_offset = giant(p->p_offset, f->swapped);
	p->p_vaddr = giant(p->p_vaddr, f->swapped);
	p->p_filesz = giant(p->p_filesz, f->swapped);
	p->p_memsz = giant(p->p_memsz, f->swapped);
	return true;
}

/* Of sections by name: so many headers are read at once, and so much of their names. */
enum { SECTIONS_AT_ONCE = 32, NAMES_READ = 8192 };

static void section_order(const struct elf_file *f, Elf64_Shdr *s)
{
	s->sh_name = word(s->sh_name, f->swapped);
	s->sh_type = word(s->sh_type, f->swapped);
	s->sh_flags = giant(s->sh_flags, f->swapped);
	s->sh_addr = giant(s->sh_addr, f->swapped);
	s->sh_offset = giant(s->sh_offset, f->swapped);
	s->sh_size = giant(s->sh_size, f->swapped);
}

/* Reads n headers from section i on. */
static bool sections_read(const struct elf_file *f, unsigned i, Elf64_Shdr *s, unsigned n)
{
	if (f->header.e_shentsize != sizeof *s ||
	    !file_read_at(f->fd, s, n * sizeof *s, f->header.e_shoff + i * sizeof *s))
		return false;
	for (unsigned k = 0; k < n; k++)
		section_order(f, &s[k]);
	return true;
}

bool elf_section(const struct elf_file *f, unsigned i, Elf64_Shdr *s)
{
	return sections_read(f, i, s, 1);
}

/* The names of sections, the first of which are in memory. */
struct section_names {
	Elf64_Shdr at;
	char read[NAMES_READ];
	size_t n;
};

static bool names_read(const struct elf_file *f, struct section_names *names)
{
	if (f->header.e_shstrndx >= f->header.e_shnum ||
	    !elf_section(f, f->header.e_shstrndx, &names->at))
		return false;
	names->n = names->at.sh_size < NAMES_READ ? names->at.sh_size : NAMES_READ;
	if (!file_read_at(f->fd, names->read, names->n, names->at.sh_offset))
		names->n = 0;
	return true;
}

/* size: of the name with the zero at its end, at most 32. */
static bool is_named(const struct elf_file *f, const struct section_names *names,
		     const Elf64_Shdr *s, const char *name, size_t size)
{
	char is[32];

	if (s->sh_name < names->n && size <= names->n - s->sh_name)
		return memcmp(names->read + s->sh_name, name, size) == 0;
	return file_read_at(f->fd, is, size, names->at.sh_offset + s->sh_name) &&
	       memcmp(is, name, size) == 0;
}

bool elf_section_named(const struct elf_file *f, const char *name, Elf64_Shdr *s)
{
	size_t size = strlen(name) + 1;
	Elf64_Shdr some[SECTIONS_AT_ONCE];
	struct section_names names;

	if (size > 32 || !names_read(f, &names))
		return false;
	for (unsigned i = 0; i < f->header.e_shnum; i += SECTIONS_AT_ONCE) {
		unsigned n = f->header.e_shnum - i;

		n = n < SECTIONS_AT_ONCE ? n : SECTIONS_AT_ONCE;
		/* the file may end among them */
		while (n && !sections_read(f, i, some, n))
			n--;
		for (unsigned k = 0; k < n; k++)
			if (is_named(f, &names, &some[k], name, size)) {
				*s = some[k];
				return true;
			}
	}
	return false;
}
