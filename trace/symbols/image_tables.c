#include "trace/symbols/image_tables.h"
#include <stdlib.h>
#include <unistd.h>

const char *debug_folders(void)
{
	const char *folders = getenv("GLIMPSE_DEBUG_PATH");

	return folders && *folders ? folders : "/usr/lib/debug";
}

#ifdef HAVE_LIBDW
#include "base/array.h"
#include "base/search.h"
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdio.h>

/* More symbols or parts of units than this are not read. */
enum { SYMBOLS_MOST = 1 << 23, RANGES_MOST = 1 << 23 };

/* Addresses of a unit of the debug information: [from, to). */
struct unit_range {
	Dwarf_Addr from, to;
	Dwarf_Off unit;
};

struct image_file {
	struct build_id id;
	Dwfl *session;
	Dwfl_Module *module;
	Dwarf *dwarf;           /* NULL: no debug information */
	Dwarf_Addr bias;        /* what an address has more than in the debug information */
	Dwarf *alternative;     /* what the debug information has in a file of several (dwz) */
	int alternative_fd;
	VECTOR(struct unit_range) ranges;
	bool ranged;            /* they were read */
	VECTOR(char *) linkage; /* names of entries of the procedure linkage table */
};

/* ---- separate files of debug information ---- */

static int debug_file_open(const char *folder, size_t length, const unsigned char *id, size_t n)
{
	char hex[2 * sizeof ((struct build_id *)0)->bytes + 1] = "", *path;
	struct build_id found = {0};
	const void *bytes;
	ssize_t got;
	Elf *elf;
	int fd;

	for (size_t i = 0; i < n; i++)
		sprintf(hex + 2 * i, "%02x", id[i]);
	path = text_format("%.*s/.build-id/%.2s/%s.debug", (int)length, folder, hex, hex + 2);
	fd = elf_open(path);
	free(path);
	elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	got = elf ? dwelf_elf_gnu_build_id(elf, &bytes) : -1;
	if (got > 0 && (size_t)got <= sizeof found.bytes)
		memcpy(found.bytes, bytes, found.n = (unsigned)got);
	elf_end(elf);
	if (fd >= 0 && (found.n != n || memcmp(found.bytes, id, n) != 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

static int debug_file_find(const unsigned char *id, size_t n)
{
	const char *folders = debug_folders();
	int fd = -1;

	while (fd < 0 && *folders && n > 1 && n <= sizeof ((struct build_id *)0)->bytes) {
		size_t length = strcspn(folders, ":");

		if (length)
			fd = debug_file_open(folders, length, id, n);
		folders += length + (folders[length] == ':');
	}
	return fd;
}

/*
 * Called by libdw for a separate file of the debug information. It calls once more for the file
 * that dwz has put common parts into; that one has no checksum, and alternative_set() finds it.
 */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word crc, char **found)
{
	const struct image_file *f = *data;

	(void)module, (void)name, (void)base, (void)file, (void)found;
	return f && !(link && crc == 0) ? debug_file_find(f->id.bytes, f->id.n) : -1;
}

/* libdw would look for it by the path that the file names, whatever that is. */
static void alternative_set(struct image_file *f)
{
	const char *name;
	const void *id;
	ssize_t n = dwelf_dwarf_gnu_debugaltlink(f->dwarf, &name, &id);

	if (n <= 0)
		return;
	f->alternative_fd = debug_file_find(id, (size_t)n);
	if (f->alternative_fd >= 0)
		f->alternative = dwarf_begin(f->alternative_fd, DWARF_C_READ);
	dwarf_setalt(f->dwarf, f->alternative ? f->alternative : f->dwarf);
}

static const Dwfl_Callbacks callbacks = {.find_debuginfo = find_debuginfo,
					 .section_address = dwfl_offline_section_address};

struct image_file *image_file_open(const char *path, int fd, const struct build_id *id)
{
	struct image_file *f = array_zero(1, sizeof *f);
	void **data;

	f->id = *id;
	f->alternative_fd = -1;
	f->session = dwfl_begin(&callbacks);
	if (f->session) {
		dwfl_report_begin(f->session);
		f->module = dwfl_report_elf(f->session, "", path, fd, 0, true);
		dwfl_report_end(f->session, NULL, NULL);
	}
	if (!f->module) {
		close(fd);
		dwfl_end(f->session);
		free(f);
		return NULL;
	}
	dwfl_module_info(f->module, &data, NULL, NULL, NULL, NULL, NULL, NULL);
	*data = f;
	f->dwarf = dwfl_module_getdwarf(f->module, &f->bias);
	if (f->dwarf)
		alternative_set(f);
	return f;
}

/* ---- symbols ---- */

/* Whoever gets the symbols. */
struct visitor {
	symbol_visit *visit;
	void *context;
};

static bool is_function(unsigned type)
{
	return type == STT_FUNC || type == STT_GNU_IFUNC;
}

/* A function of unknown size, in assembler, ends with its section, unless another one begins. */
static uint64_t room_after(Elf *elf, GElf_Word section, uint64_t value)
{
	GElf_Shdr header;

	if (!gelf_getshdr(elf_getscn(elf, section), &header) ||
	    value - header.sh_addr >= header.sh_size)
		return 0;
	return header.sh_addr + header.sh_size - value;
}

static void symbol_read(struct image_file *f, int number, const struct visitor *v)
{
	GElf_Sym symbol;
	GElf_Addr address;
	GElf_Word section;
	Elf *elf;
	const char *name = dwfl_module_getsym_info(f->module, number, &symbol, &address, &section,
						   &elf, NULL);
	unsigned type = name ? GELF_ST_TYPE(symbol.st_info) : STT_NOTYPE;
	bool variable = type == STT_OBJECT;
	struct symbol s;

	if ((!is_function(type) && !variable) || !*name || section == SHN_UNDEF ||
	    section == SHN_ABS)
		return;
	s = (struct symbol){.address = address, .size = symbol.st_size, .name = name,
			    .global = GELF_ST_BIND(symbol.st_info) != STB_LOCAL};
	if (s.size == 0 && !variable)
		s.size = room_after(elf, section, symbol.st_value);
	v->visit(v->context, &s, variable);
}

/* ---- the procedure linkage table ---- */

/* What stands between a program and the functions of libraries: an entry for each. */
struct linkage {
	GElf_Shdr entries;      /* .plt.sec, or else .plt */
	uint64_t first;         /* bytes before the first entry of a function */
	Elf_Data *relocations;  /* .rela.plt: of entry i the symbol i */
	size_t nrelocations;
	Elf *elf;
	GElf_Shdr symbols;
	Elf_Data *symbol_data;
};

enum { LINKAGE_ENTRY = 16 };

static void linkage_section(struct linkage *l, Elf_Scn *section, const char *name,
			    const GElf_Shdr *header)
{
	Elf_Scn *symbols;

	if (!strcmp(name, ".plt.sec") || (!strcmp(name, ".plt") && l->entries.sh_size == 0)) {
		l->entries = *header;
		l->first = name[4] ? 0 : l->first;
	} else if (!strcmp(name, ".rela.plt") && header->sh_entsize) {
		symbols = elf_getscn(l->elf, header->sh_link);
		if (!gelf_getshdr(symbols, &l->symbols))
			return;
		l->relocations = elf_getdata(section, NULL);
		l->nrelocations = header->sh_size / header->sh_entsize;
		l->symbol_data = elf_getdata(symbols, NULL);
	}
}

static bool linkage_find(struct linkage *l)
{
	Elf_Scn *section = NULL;
	GElf_Ehdr header;
	GElf_Shdr one;
	size_t names;

	if (!gelf_getehdr(l->elf, &header) || elf_getshdrstrndx(l->elf, &names) != 0)
		return false;
	l->first = header.e_machine == EM_AARCH64 ? 32 : 16;
	while ((section = elf_nextscn(l->elf, section))) {
		const char *name = gelf_getshdr(section, &one)
				       ? elf_strptr(l->elf, names, one.sh_name)
				       : NULL;

		if (name)
			linkage_section(l, section, name, &one);
	}
	return (header.e_machine == EM_X86_64 || header.e_machine == EM_AARCH64) &&
	       l->entries.sh_size && l->relocations && l->symbol_data;
}

/* Reads the entries of the file that was mapped, which separate debug information has not. */
static void linkage_read(struct image_file *f, const struct visitor *v)
{
	GElf_Addr bias;
	struct linkage l = {.elf = dwfl_module_getelf(f->module, &bias)};

	if (!l.elf || !linkage_find(&l))
		return;
	for (size_t i = 0; i < l.nrelocations && i < SYMBOLS_MOST &&
			   l.first + (i + 1) * LINKAGE_ENTRY <= l.entries.sh_size; i++) {
		GElf_Rela relocation;
		GElf_Sym symbol;
		const char *name = NULL;

		if (gelf_getrela(l.relocations, (int)i, &relocation) &&
		    gelf_getsym(l.symbol_data, (int)GELF_R_SYM(relocation.r_info), &symbol))
			name = elf_strptr(l.elf, l.symbols.sh_link, symbol.st_name);
		if (!name || !*name)
			continue;
		*vector_add(&f->linkage) = text_format("%.4000s@plt", name);
		v->visit(v->context,
			 &(struct symbol){
			     .address = l.entries.sh_addr + l.first + i * LINKAGE_ENTRY,
			     .size = LINKAGE_ENTRY,
			     .name = f->linkage.at[f->linkage.n - 1],
			 },
			 false);
	}
}

void image_file_symbols(struct image_file *f, symbol_visit *visit, void *context)
{
	struct visitor v = {visit, context};
	int n = dwfl_module_getsymtab(f->module);

	for (int i = 1; i < n && i < SYMBOLS_MOST; i++)
		symbol_read(f, i, &v);
	linkage_read(f, &v);
}

/* ---- lines ---- */

static int order_by_from(const void *a, const void *b)
{
	const struct unit_range *r = a, *s = b;

	return r->from < s->from ? -1 : r->from > s->from;
}

/* Adds the addresses of a unit. */
static void ranges_add(struct image_file *f, Dwarf_Die *unit)
{
	Dwarf_Addr base, from, to;
	ptrdiff_t at = 0;

	while (f->ranges.n < RANGES_MOST &&
	       (at = dwarf_ranges(unit, at, &base, &from, &to)) > 0)
		if (from < to)
			*vector_add(&f->ranges) =
			    (struct unit_range){from, to, dwarf_dieoffset(unit)};
}

/* Not from .debug_aranges, which clang does not write. */
static void ranges_read(struct image_file *f)
{
	Dwarf_Off offset = 0, next;
	size_t header;
	Dwarf_Die unit;

	f->ranged = true;
	while (dwarf_nextcu(f->dwarf, offset, &next, &header, NULL, NULL, NULL) == 0) {
		if (dwarf_offdie(f->dwarf, offset + header, &unit))
			ranges_add(f, &unit);
		offset = next;
	}
	if (f->ranges.n)
		qsort(f->ranges.at, f->ranges.n, sizeof *f->ranges.at, order_by_from);
}

const char *image_file_line(struct image_file *f, uint64_t address, unsigned *line)
{
	Dwarf_Addr there = address - f->bias;
	const char *path, *slash;
	Dwarf_Line *found;
	Dwarf_Die unit;
	size_t next;
	int number;

	if (!f->dwarf)
		return NULL;
	if (!f->ranged)
		ranges_read(f);
	next = lower_bound(i, 0, f->ranges.n, f->ranges.at[i].from <= there);
	if (next == 0 || there >= f->ranges.at[next - 1].to ||
	    !dwarf_offdie(f->dwarf, f->ranges.at[next - 1].unit, &unit))
		return NULL;
	found = dwarf_getsrc_die(&unit, there);
	path = found ? dwarf_linesrc(found, NULL, NULL) : NULL;
	if (!path || dwarf_lineno(found, &number) != 0 || number <= 0)
		return NULL;
	*line = (unsigned)number;
	slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}
#else
struct image_file *image_file_open(const char *path, int fd, const struct build_id *id)
{
	(void)path, (void)id;
	close(fd);
	return NULL;
}

void image_file_symbols(struct image_file *f, symbol_visit *visit, void *context)
{
	(void)f, (void)visit, (void)context;
}

const char *image_file_line(struct image_file *f, uint64_t address, unsigned *line)
{
	(void)f, (void)address, (void)line;
	return NULL;
}
#endif
