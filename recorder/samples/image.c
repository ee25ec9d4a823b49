#include "recorder/samples/image.h"
#include "base/array.h"
#include "base/hash.h"
#include "recorder/samples/go_table.h"
#include "recorder/samples/inner_code.h"
#include "trace/symbols/elf_read.h"
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_ENTRIES = 1 << 22, KNOWN_RULES = 1 << 12 };
/* The dynamic loader's first function, which has no tables, has at most so many bytes. */
#define ENTRY_SIZE 64
/* No module is larger. */
#define MOST_BYTES (UINT64_C(1) << 36)
/* No module's tables are. */
#define MOST_TABLE (UINT64_C(1) << 28)

/* Executable part of the file. */
struct image_part {
	uint64_t offset, size, address; /* address: as the file has it */
};

struct known_rule {
	uint64_t address;
	struct cfi_rule rule;
};

struct sampled_image {
	dev_t device;
	ino_t inode;
	struct build_id id;
	uint64_t entry; /* where the file begins to run */
	uintptr_t bias; /* from the file's addresses to ours */
	struct cfi_table table;
	struct cfi_entry *entries;
	struct go_table go;
	struct inner_code inner; /* the function that waits for locks inside the C library */
	bool mapped, module;     /* module: an ELF file of this machine */
	VECTOR(struct image_part) parts;
	struct known_rule known[KNOWN_RULES];
};

static VECTOR(struct sampled_image *) images;

/* ---- laying out ---- */

static bool is_ours(const struct elf_file *f)
{
	const ElfW(Ehdr) *own = (const ElfW(Ehdr) *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);

	return !f->swapped && (!own || f->header.e_machine == own->e_machine);
}

/* Returns how many there are; 0: they cannot be read. */
static unsigned segments_read(const struct elf_file *f, Elf64_Phdr segments[SEGMENTS_MOST])
{
	for (unsigned i = 0; i < f->header.e_phnum; i++)
		if (!elf_segment(f, i, &segments[i]))
			return 0;
	return f->header.e_phnum;
}

static void parts_add(struct sampled_image *i, const ElfW(Phdr) * p)
{
	if (p->p_type == PT_LOAD && p->p_flags & PF_X)
		*vector_add(&i->parts) = (struct image_part){p->p_offset, p->p_filesz, p->p_vaddr};
}

/* Reserves memory for all segments. The file's addresses must be some that fit. */
static bool image_lay_out(struct sampled_image *i, const Elf64_Phdr *segments, size_t n)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), low = UINT64_MAX, high = 0;
	void *room;

	for (size_t k = 0; k < n; k++) {
		const Elf64_Phdr *p = &segments[k];

		if (p->p_type != PT_LOAD)
			continue;
		if (p->p_memsz > MOST_BYTES || p->p_vaddr > UINT64_MAX - MOST_BYTES)
			return false;
		low = p->p_vaddr < low ? p->p_vaddr : low;
		high = p->p_vaddr + p->p_memsz > high ? p->p_vaddr + p->p_memsz : high;
	}
	if (low >= high || high - low > MOST_BYTES)
		return false;
	low &= ~(page - 1);
	high = (high + page - 1) & ~(page - 1);
	room = mmap(NULL, high - low, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (room == MAP_FAILED)
		return false;
	i->mapped = true;
	i->bias = (uintptr_t)room - low;
	i->table = (struct cfi_table){.header_end = (uintptr_t)room + (high - low),
				      .from = (uintptr_t)room,
				      .to = (uintptr_t)room + (high - low)};
	for (size_t k = 0; k < n; k++)
		parts_add(i, &segments[k]);
	return true;
}

/* ---- tables without a header: of programs that are linked statically ---- */

static int by_start(const void *left, const void *right)
{
	const struct cfi_entry *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

static void entries_find(struct sampled_image *i, const Elf64_Shdr *s)
{
	/* an entry has 8 bytes at least */
	size_t room = s->sh_size / 8 < MOST_ENTRIES ? s->sh_size / 8 : MOST_ENTRIES;

	i->entries = array_new(room + 1, sizeof *i->entries);
	i->table.n = cfi_entries(&i->table, i->bias + s->sh_addr, s->sh_size, i->entries, room);
	i->table.n = i->table.n < room ? i->table.n : room;
	i->table.entries = i->entries;
	if (i->table.n)
		qsort(i->entries, i->table.n, sizeof *i->entries, by_start);
}

/* ---- reading ---- */

/*
 * Reads a part of the file to where it belongs, up to the end of its segment at most. A file that
 * is mapped would end the recorder by a signal if it became shorter.
 */
static bool range_read(const struct sampled_image *i, int fd, const Elf64_Phdr *segments, size_t n,
		       uint64_t address, uint64_t size)
{
	for (size_t k = 0; k < n; k++) {
		const Elf64_Phdr *p = &segments[k];
		uint64_t at = address - p->p_vaddr, left = p->p_filesz - at;

		if (p->p_type != PT_LOAD || address < p->p_vaddr || at >= p->p_filesz ||
		    p->p_filesz > p->p_memsz || p->p_offset > INT64_MAX - MOST_BYTES)
			continue;
		size = size < left ? size : left;
		return size <= MOST_TABLE && pread(fd, (void *)(i->bias + address), size,
						   (off_t)(p->p_offset + at)) == (ssize_t)size;
	}
	return false;
}

/* Without its section the length of .eh_frame is not known: it is behind its header. */
static void tables_read(struct sampled_image *i, int fd, const struct elf_file *f,
			const Elf64_Phdr *segments, size_t n)
{
	Elf64_Shdr s;
	bool section = elf_section_named(f, ".eh_frame", &s) && s.sh_flags & SHF_ALLOC;
	bool tables = section && range_read(i, fd, segments, n, s.sh_addr, s.sh_size);

	for (size_t k = 0; k < n; k++) {
		const Elf64_Phdr *p = &segments[k];

		if (p->p_type == PT_GNU_EH_FRAME && p->p_memsz >= 12 && (tables || !section) &&
		    range_read(i, fd, segments, n, p->p_vaddr, section ? p->p_filesz : UINT64_MAX))
			i->table.header = (const void *)(i->bias + p->p_vaddr);
	}
	if (tables && !i->table.header)
		entries_find(i, &s);
}

static void go_table_read(struct sampled_image *i, int fd, const struct elf_file *f,
			  const Elf64_Phdr *segments, size_t n)
{
	uintptr_t from = i->table.from, to = i->table.to;
	Elf64_Shdr s, text;

	if ((elf_section_named(f, ".gopclntab", &s) ||
	     elf_section_named(f, ".data.rel.ro.gopclntab", &s)) &&
	    elf_section_named(f, ".text", &text) &&
	    range_read(i, fd, segments, n, s.sh_addr, s.sh_size) &&
	    s.sh_size <= to - (i->bias + s.sh_addr) && i->bias + s.sh_addr >= from)
		go_table_open(&i->go, (const uint8_t *)(i->bias + s.sh_addr), s.sh_size,
			      text.sh_addr, i->entry);
}

/* ---- files ---- */

/* Opens the file as the process sees it; -1 if it is not that of the mapping any more. */
static int file_open(pid_t pid, const struct mapping *m, struct stat *s)
{
	char *path = text_format("/proc/%d/root%s", (int)pid, m->path);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	free(path);
	if (fd < 0)
		fd = open(m->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return -1;
	if (fstat(fd, s) == 0 && S_ISREG(s->st_mode) && (!m->inode || s->st_ino == m->inode))
		return fd;
	close(fd);
	return -1;
}

static struct sampled_image *image_known(dev_t device, ino_t inode)
{
	for (size_t k = 0; k < images.n; k++)
		if (images.at[k]->device == device && images.at[k]->inode == inode)
			return images.at[k];
	return NULL;
}

static struct sampled_image *image_add(dev_t device, ino_t inode)
{
	struct sampled_image *i = array_zero(1, sizeof *i);

	i->device = device;
	i->inode = inode;
	*vector_add(&images) = i;
	return i;
}

/* The kernel gives all programs the same code of its own; this process has it, too. */
static struct sampled_image *image_of_kernel(void)
{
	const ElfW(Ehdr) *h = (const ElfW(Ehdr) *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
	struct sampled_image *i = image_known(0, 0);
	const ElfW(Phdr) * p;

	if (i || !h)
		return i;
	i = image_add(0, 0);
	i->bias = (uintptr_t)h;
	p = (const ElfW(Phdr) *)((uintptr_t)h + h->e_phoff);
	for (size_t k = 0; k < h->e_phnum; k++) {
		if (p[k].p_type == PT_LOAD)
			i->table = (struct cfi_table){
			    .header_end = (uintptr_t)h + p[k].p_vaddr + p[k].p_memsz,
			    .from = (uintptr_t)h + p[k].p_vaddr,
			    .to = (uintptr_t)h + p[k].p_vaddr + p[k].p_memsz};
		parts_add(i, &p[k]);
	}
	for (size_t k = 0; k < h->e_phnum; k++)
		if (p[k].p_type == PT_GNU_EH_FRAME)
			i->table.header = (const void *)(i->bias + p[k].p_vaddr);
	return i;
}

static bool is_c_library(const char *path)
{
	const char *name = strrchr(path, '/');

	return name && (strncmp(name, "/libc.so", 8) == 0 || strncmp(name, "/libc-2", 7) == 0);
}

/* Reads what an image needs of its file; what cannot be read has no tables. */
static void image_read(struct sampled_image *i, int fd, const char *path)
{
	Elf64_Phdr segments[SEGMENTS_MOST];
	struct elf_look look;
	struct elf_file f;
	unsigned n;

	if (!elf_read(&f, fd) || !is_ours(&f) || !(n = segments_read(&f, segments)))
		return;
	i->module = true;
	i->entry = f.header.e_entry;
	if (elf_look(fd, &look))
		i->id = look.id;
	if (!image_lay_out(i, segments, n))
		return;
	tables_read(i, fd, &f, segments, n);
	go_table_read(i, fd, &f, segments, n);
	if (is_c_library(path))
		i->inner = inner_code_find(&f);
}

struct sampled_image *image_of(pid_t pid, const struct mapping *m)
{
	struct sampled_image *i;
	struct stat s;
	int fd;

	if (strcmp(m->path, "[vdso]") == 0)
		return image_of_kernel();
	if (*m->path != '/' || (fd = file_open(pid, m, &s)) < 0)
		return NULL;
	i = image_known(s.st_dev, s.st_ino);
	if (!i) {
		i = image_add(s.st_dev, s.st_ino);
		image_read(i, fd, m->path);
	}
	close(fd);
	return i->module ? i : NULL;
}

void images_free(void)
{
	for (size_t k = 0; k < images.n; k++) {
		struct sampled_image *i = images.at[k];

		if (i->mapped)
			munmap((void *)i->table.from, i->table.to - i->table.from);
		free(i->entries);
		free(i->parts.at);
		free(i);
	}
	free(images.at);
	memset(&images, 0, sizeof images);
}

/* ---- rules ---- */

const struct build_id *image_id(const struct sampled_image *i)
{
	return &i->id;
}

bool image_shift(const struct sampled_image *i, uint64_t offset, uint64_t size, uint64_t *shift)
{
	for (const struct image_part *p = i->parts.at; p < i->parts.at + i->parts.n; p++)
		if (offset < p->offset + p->size && p->offset < offset + size) {
			*shift = p->address - p->offset;
			return true;
		}
	return false;
}

bool image_waits_inside(const struct sampled_image *i, uint64_t offset)
{
	uint64_t shift;

	/* a call of the system returns behind its instruction */
	return image_shift(i, offset, 1, &shift) && offset + shift > i->inner.from &&
	       offset + shift <= i->inner.to;
}

static struct cfi_rule rule_find(const struct sampled_image *i, uint64_t address)
{
	struct cfi_rule rule = {.kind = CFI_END};

	if (i->table.header || i->table.n)
		rule = cfi_rule_at(&i->table, i->bias + address);
	if (rule.kind == CFI_END && i->go.bytes)
		rule = go_table_rule(&i->go, address);
	/* nothing calls where a file begins to run: the stack does not end early there */
	if (rule.kind == CFI_END && i->entry && address - i->entry < ENTRY_SIZE)
		rule.kind = CFI_OUTERMOST;
	return rule;
}

struct cfi_rule image_rule(struct sampled_image *i, uint64_t offset)
{
	struct known_rule *known;
	uint64_t shift, address;

	if ((!i->table.header && !i->table.n && !i->go.bytes) || !image_shift(i, offset, 1, &shift))
		return (struct cfi_rule){.kind = CFI_END};
	address = offset + shift;
	known = &i->known[hash_mix(address) & (KNOWN_RULES - 1)];
	if (known->address != address || known->rule.kind == CFI_UNKNOWN)
		*known = (struct known_rule){address, rule_find(i, address)};
	return known->rule;
}
