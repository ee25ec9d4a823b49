/*
 * The table for binary search is described in the Linux Standard Base ("Exception Frames"), with
 * the entries that it leads to.
 */
#include "trace/symbols/unwind_table.h"
#include "base/array.h"
#include "base/file.h"
#include "base/search.h"
#include "trace/format/bytes.h"
#include "trace/symbols/elf_read.h"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* More entries are not read. */
enum { ENTRIES_MOST = 1 << 22 };

/* How numbers are written: 4 bits are the size, 3 what they are relative to. */
enum {
	FORM_ABSOLUTE = 0x00,
	FORM_UNSIGNED_4 = 0x03,
	FORM_SIGNED_4 = 0x0b,
	FORM_SIGNED_8 = 0x0c,
	FORM_SIZE = 0x0f,
	FORM_TO_HERE = 0x10,
	FORM_TO_TABLE = 0x30,
};

/* Both are relative to the table's address. */
struct unwind_entry {
	int32_t start; /* of the function */
	int32_t frame; /* where .eh_frame says more of it */
};

/* Code in a section that has functions of the program, [from, to). */
struct code {
	uint64_t from, to;
};

struct unwind_table {
	struct elf_file elf;
	uint64_t address;
	struct unwind_entry *entries; /* in ascending order of start */
	size_t n;
	VECTOR(Elf64_Phdr) segments; /* those that are mapped */
	VECTOR(struct code) code;
};

/* ---- reading ---- */

static bool entries_ascend(const struct unwind_table *t)
{
	for (size_t i = 1; i < t->n; i++)
		if (t->entries[i].start < t->entries[i - 1].start)
			return false;
	return t->n > 0;
}

/* Reads the table in its segment. */
static bool entries_read(struct unwind_table *t, const Elf64_Phdr *p)
{
	static const unsigned char known[] = {1, FORM_TO_HERE | FORM_SIGNED_4, FORM_UNSIGNED_4,
					      FORM_TO_TABLE | FORM_SIGNED_4};
	unsigned char head[12];

	if (p->p_filesz < sizeof head || !file_read_at(t->elf.fd, head, sizeof head, p->p_offset) ||
	    memcmp(head, known, sizeof known) != 0)
		return false;
	t->address = p->p_vaddr;
	t->n = read_swapped_32(head + 8, t->elf.swapped);
	if (t->n > ENTRIES_MOST || t->n > (p->p_filesz - sizeof head) / sizeof *t->entries)
		return false;
	t->entries = array_new(t->n, sizeof *t->entries);
	if (!file_read_at(t->elf.fd, t->entries, t->n * sizeof *t->entries,
			  p->p_offset + sizeof head))
		return false;
	for (size_t i = 0; t->elf.swapped && i < t->n; i++) {
		struct unwind_entry *e = &t->entries[i];

		e->start = (int32_t)__builtin_bswap32((uint32_t)e->start);
		e->frame = (int32_t)__builtin_bswap32((uint32_t)e->frame);
	}
	return entries_ascend(t);
}

static bool segments_read(struct unwind_table *t)
{
	Elf64_Phdr p, table = {.p_type = PT_NULL};

	for (unsigned i = 0; i < t->elf.header.e_phnum; i++) {
		if (!elf_segment(&t->elf, i, &p))
			return false;
		if (p.p_type == PT_LOAD)
			*vector_add(&t->segments) = p;
		else if (p.p_type == PT_GNU_EH_FRAME)
			table = p;
	}
	return table.p_type != PT_NULL && entries_read(t, &table);
}

/* Without names of sections, code of the linker cannot be told from functions. */
static bool code_read(struct unwind_table *t)
{
	static const char linkage[] = ".plt";
	char name[sizeof linkage - 1];
	Elf64_Shdr names, s;

	if (t->elf.header.e_shstrndx >= t->elf.header.e_shnum ||
	    !elf_section(&t->elf, t->elf.header.e_shstrndx, &names))
		return false;
	for (unsigned i = 0; i < t->elf.header.e_shnum; i++) {
		if (!elf_section(&t->elf, i, &s))
			return false;
		if (!(s.sh_flags & SHF_EXECINSTR) || s.sh_type != SHT_PROGBITS ||
		    s.sh_addr + s.sh_size < s.sh_addr)
			continue;
		if (!file_read_at(t->elf.fd, name, sizeof name, names.sh_offset + s.sh_name))
			return false;
		if (memcmp(name, linkage, sizeof name) != 0)
			*vector_add(&t->code) = (struct code){s.sh_addr, s.sh_addr + s.sh_size};
	}
	return true;
}

struct unwind_table *unwind_table_read(int fd)
{
	struct unwind_table *t = array_zero(1, sizeof *t);
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	t->elf.fd = own;
	if (own >= 0 && elf_read(&t->elf, own) && segments_read(t) && code_read(t))
		return t;
	unwind_table_free(t);
	return NULL;
}

void unwind_table_free(struct unwind_table *t)
{
	if (!t)
		return;
	if (t->elf.fd >= 0)
		close(t->elf.fd);
	free(t->entries);
	free(t->segments.at);
	free(t->code.at);
	free(t);
}

/* ---- entries ---- */

/* Bytes at an address of .eh_frame: zeros follow those that the file has. */
struct frame_bytes {
	unsigned char bytes[64];
	uint64_t address;
};

static bool frame_read(const struct unwind_table *t, uint64_t address, struct frame_bytes *f)
{
	*f = (struct frame_bytes){.address = address};
	for (size_t i = 0; i < t->segments.n; i++) {
		const Elf64_Phdr *p = &t->segments.at[i];
		uint64_t at = address - p->p_vaddr, room;

		if (at >= p->p_filesz)
			continue;
		room = p->p_filesz - at;
		return file_read_at(t->elf.fd, f->bytes,
				    room < sizeof f->bytes ? room : sizeof f->bytes,
				    p->p_offset + at);
	}
	return false;
}

/* Returns the bytes of a number of this form; 0: it is not known. */
static unsigned form_size(unsigned char form)
{
	unsigned relative = form & ~FORM_SIZE;

	if (relative != 0 && relative != FORM_TO_HERE)
		return 0;
	switch (form & FORM_SIZE) {
	case FORM_UNSIGNED_4:
	case FORM_SIGNED_4:
		return 4;
	case FORM_ABSOLUTE:
	case FORM_SIGNED_8:
		return 8;
	default:
		return 0;
	}
}

/* Reads the number at an offset; length: it is relative to nothing. */
static uint64_t frame_number(const struct unwind_table *t, const struct frame_bytes *f, unsigned at,
			     unsigned char form, bool length)
{
	uint64_t base = !length && form & FORM_TO_HERE ? f->address + at : 0;

	if (form_size(form) == 8)
		return base + read_swapped_64(f->bytes + at, t->elf.swapped);
	if ((form & FORM_SIZE) == FORM_SIGNED_4 && !length)
		return base + (uint64_t)(int32_t)read_swapped_32(f->bytes + at, t->elf.swapped);
	return base + read_swapped_32(f->bytes + at, t->elf.swapped);
}

/* Finds the form of addresses among what the common entry says by letters. */
static bool letters_form(const char *letters, const unsigned char *at, const unsigned char *end,
			 unsigned char *form)
{
	for (; at < end; letters++) {
		if (*letters == 'R') {
			*form = *at;
			return form_size(*form) > 0;
		}
		if (*letters == 'P')
			/* indirect or not, the number has this size */
			at +=
			    form_size(*at & 0x7f) ? 1 + form_size(*at & 0x7f) : (size_t)(end - at);
		else if (*letters == 'L')
			at++;
		else if (*letters != 'S' && *letters != 'B' && *letters != 'G')
			return false;
	}
	return false;
}

/* Reads the form of addresses from the entry that several functions have in common. */
static bool common_form(const struct unwind_table *t, uint64_t address, unsigned char *form)
{
	enum { VERSION = 8, LETTERS = 9 };
	const unsigned char *at, *end;
	const char *letters;
	uint64_t skipped;
	struct frame_bytes f;

	if (!frame_read(t, address, &f) || read_swapped_32(f.bytes + 4, t->elf.swapped) != 0)
		return false;
	if (f.bytes[VERSION] != 1 && f.bytes[VERSION] != 3)
		return false;
	letters = (const char *)f.bytes + LETTERS;
	end = f.bytes + sizeof f.bytes;
	at = memchr(letters, '\0', sizeof f.bytes - LETTERS);
	if (!at++)
		return false;
	*form = FORM_ABSOLUTE;
	if (*letters == '\0')
		return true;
	/* factors of code and data, the register of the return address, the size of what follows */
	for (int i = 0; i < 4; i++)
		if (!varint_read(&at, end, &skipped))
			return false;
	return *letters == 'z' && letters_form(letters + 1, at, end, form);
}

/* Reads from its entry how long a function is; returns false if that is of another one. */
static bool function_length(const struct unwind_table *t, uint64_t address, uint64_t start,
			    uint64_t *length)
{
	enum { COMMON = 4, START = 8, LENGTH_LONG = 0x7ffffff0 };
	unsigned char form;
	uint32_t common, bytes;
	struct frame_bytes f;

	if (!frame_read(t, address, &f))
		return false;
	bytes = read_swapped_32(f.bytes, t->elf.swapped);
	common = read_swapped_32(f.bytes + COMMON, t->elf.swapped);
	if (common == 0 || !common_form(t, address + COMMON - common, &form) ||
	    bytes > LENGTH_LONG || bytes + COMMON < START + 2 * form_size(form) ||
	    frame_number(t, &f, START, form, false) != start)
		return false;
	*length = frame_number(t, &f, START + form_size(form), form, true);
	return start + *length > start;
}

static bool in_code(const struct unwind_table *t, uint64_t start, uint64_t end)
{
	for (size_t i = 0; i < t->code.n; i++)
		if (t->code.at[i].from <= start && end <= t->code.at[i].to)
			return true;
	return false;
}

bool unwind_table_find(const struct unwind_table *t, uint64_t address, uint64_t *start,
		       uint64_t *end)
{
	int64_t wanted = (int64_t)(address - t->address);
	size_t next = lower_bound(i, 0, t->n, t->entries[i].start <= wanted);
	struct unwind_entry e;
	uint64_t length;

	if (next == 0)
		return false;
	e = t->entries[next - 1];
	*start = t->address + (uint64_t)(int64_t)e.start;
	if (!function_length(t, t->address + (uint64_t)(int64_t)e.frame, *start, &length) ||
	    address - *start >= length)
		return false;
	*end = *start + length;
	return in_code(t, *start, *end);
}
