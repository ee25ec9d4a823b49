#include "trace/symbols/image_tables.h"
#include <unistd.h>

#ifdef HAVE_LIBDW
#include "base/array.h"
#include "base/search.h"
#include "trace/symbols/debug_data.h"
#include "trace/symbols/debug_files.h"
#include "trace/symbols/inlined.h"
#include "trace/symbols/members.h"
#include "trace/symbols/symbol_tables.h"
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>

/* More parts of units than this are not read. */
enum { RANGES_MOST = 1 << 23 };

/* Addresses of a unit of the debug information: [from, to). */
struct unit_addresses {
	Dwarf_Addr from, to;
	Dwarf_Off unit;
};

struct image_file {
	char *path;
	struct build_id id;
	struct debug_link link;
	Dwfl *session;
	Dwfl_Module *module;
	bool opened;        /* the debug information was looked for */
	Dwarf *dwarf;       /* NULL: no debug information */
	Dwarf_Addr bias;    /* what an address has more than in the debug information */
	Dwarf *alternative; /* what the debug information has in a file of several (dwz) */
	int alternative_fd;
	struct image_names names;
	VECTOR(struct unit_addresses) ranges;
	bool ranged;             /* they were read */
	struct inlined *inlined; /* NULL: not asked for yet */
	struct members *members; /* likewise */
	/* What keeps the names of symbols, besides the module. */
	struct linkage_names linkage;
	Elf *separate, *mini;    /* NULL: not there, or not needed */
	unsigned char *unpacked; /* the bytes of mini */
};

/* ---- separate files of debug information ---- */

/*
 * Called by libdw for a separate file of the debug information. It calls once more for the file
 * that dwz has put common parts into; that one has no checksum, and alternative_set() finds it.
 */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word crc, char **found)
{
	const struct image_file *f = *data;

	(void)module, (void)name, (void)base, (void)file, (void)found;
	return f && !(link && crc == 0) ? debug_file_find(f->path, &f->id, &f->link) : -1;
}

/* libdw would look for it by the path that the file names, whatever that is. */
static void alternative_set(struct image_file *f)
{
	struct build_id id = {0};
	const char *name;
	const void *bytes;
	ssize_t n = dwelf_dwarf_gnu_debugaltlink(f->dwarf, &name, &bytes);

	if (n <= 0)
		return;
	if ((size_t)n <= sizeof id.bytes)
		memcpy(id.bytes, bytes, id.n = (unsigned)n);
	f->alternative_fd = debug_file_shared(&id, name);
	if (f->alternative_fd < 0)
		f->names.missing = id;
	else
		f->alternative = dwarf_begin(f->alternative_fd, DWARF_C_READ);
	dwarf_setalt(f->dwarf, f->alternative ? f->alternative : f->dwarf);
}

static const Dwfl_Callbacks callbacks = {.find_debuginfo = find_debuginfo,
					 .section_address = dwfl_offline_section_address};

struct image_file *image_file_open(const char *path, int fd, const struct build_id *id)
{
	struct image_file *f = array_zero(1, sizeof *f);
	void **data;

	f->path = text_format("%s", path);
	f->id = *id;
	f->alternative_fd = -1;
	debug_link_read(fd, &f->link);
	f->session = dwfl_begin(&callbacks);
	if (f->session) {
		dwfl_report_begin(f->session);
		f->module = dwfl_report_elf(f->session, "", path, fd, 0, true);
		dwfl_report_end(f->session, NULL, NULL);
	}
	if (!f->module) {
		close(fd);
		dwfl_end(f->session);
		free(f->path);
		free(f);
		return NULL;
	}
	dwfl_module_info(f->module, &data, NULL, NULL, NULL, NULL, NULL, NULL);
	*data = f;
	return f;
}

/* Opens the debug information; NULL: there is none. */
static Dwarf *dwarf_of(struct image_file *f)
{
	if (f->opened)
		return f->dwarf;
	f->opened = true;
	f->dwarf = dwfl_module_getdwarf(f->module, &f->bias);
	if (f->dwarf)
		alternative_set(f);
	return f->dwarf;
}

/* ---- symbols ---- */

/* Opens an ELF file for its symbols and closes the descriptor; NULL: there is none. */
static Elf *separate_open(int fd)
{
	Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;

	if (elf)
		elf_cntl(elf, ELF_C_FDREAD);
	if (fd >= 0)
		close(fd);
	return elf;
}

/* Opens the symbols that stripping left, compressed; NULL: there are none. */
static Elf *debug_data_open(struct image_file *f, Elf *elf)
{
	GElf_Shdr header;
	Elf_Scn *section = section_named(elf, ".gnu_debugdata", &header);
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
	size_t size = 0;

	if (data && data->d_buf)
		f->unpacked = debug_data_unpack(data->d_buf, data->d_size, &size);
	return f->unpacked ? elf_memory((char *)f->unpacked, size) : NULL;
}

/* Whoever gets the symbols, and whether there was a function among them. */
struct functions_seen {
	struct visitor to;
	bool any;
};

static void function_see(void *context, const struct image_symbol *s, bool variable)
{
	struct functions_seen *seen = context;

	seen->any |= !variable;
	seen->to.visit(seen->to.context, s, variable);
}

/*
 * Reads the symbols; returns which functions have names. Not by libdw, which would decompress
 * without a limit.
 */
static enum function_names symbols_read(struct image_file *f, Elf *elf, GElf_Addr bias,
					const struct visitor *v)
{
	struct functions_seen seen = {*v, false};
	struct visitor seeing = {function_see, &seen};

	if (symbol_tables_read(elf, bias, SHT_SYMTAB, v))
		return NAMES_SYMBOLS;
	f->separate = separate_open(debug_file_find(f->path, &f->id, &f->link));
	if (f->separate && symbol_tables_read(f->separate, bias, SHT_SYMTAB, v))
		return NAMES_SYMBOLS;
	symbol_tables_read(elf, bias, SHT_DYNSYM, &seeing);
	f->mini = debug_data_open(f, elf);
	if (f->mini && symbol_tables_read(f->mini, bias, SHT_SYMTAB, v))
		return NAMES_SYMBOLS;
	return seen.any ? NAMES_EXPORTED : NAMES_NONE;
}

void image_file_symbols(struct image_file *f, symbol_visit *visit, void *context)
{
	struct visitor v = {visit, context};
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(f->module, &bias);

	if (!elf)
		return;
	linkage_read(elf, &f->linkage, &v);
	f->names.functions = symbols_read(f, elf, bias, &v);
}

/* A section .debug_frame alone makes libdw open the debug information, too. */
struct image_names image_file_names(struct image_file *f)
{
	Dwarf *dwarf = dwarf_of(f);
	Dwarf_Off next;
	size_t header;

	f->names.debug = dwarf && dwarf_nextcu(dwarf, 0, &next, &header, NULL, NULL, NULL) == 0;
	return f->names;
}

/* ---- lines ---- */

static int order_by_from(const void *a, const void *b)
{
	const struct unit_addresses *r = a, *s = b;

	return r->from < s->from ? -1 : r->from > s->from;
}

/* Adds the addresses of a unit. */
static void ranges_add(struct image_file *f, Dwarf_Die *unit)
{
	Dwarf_Addr base, from, to;
	ptrdiff_t at = 0;

	while (f->ranges.n < RANGES_MOST && (at = dwarf_ranges(unit, at, &base, &from, &to)) > 0)
		if (from < to)
			*vector_add(&f->ranges) =
			    (struct unit_addresses){from, to, dwarf_dieoffset(unit)};
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

/*
 * Finds the unit of the debug information that has an address of the file; *there: the address in
 * it.
 */
static bool unit_at(struct image_file *f, uint64_t address, Dwarf_Die *unit, Dwarf_Addr *there)
{
	Dwarf *dwarf = dwarf_of(f);
	size_t next;

	if (!dwarf)
		return false;
	if (!f->ranged)
		ranges_read(f);
	*there = address - f->bias;
	next = lower_bound(i, 0, f->ranges.n, f->ranges.at[i].from <= *there);
	return next > 0 && *there < f->ranges.at[next - 1].to &&
	       dwarf_offdie(dwarf, f->ranges.at[next - 1].unit, unit);
}

const char *image_file_line(struct image_file *f, uint64_t address, unsigned *line)
{
	const char *path;
	Dwarf_Line *found;
	Dwarf_Addr there;
	Dwarf_Die unit;
	int number;

	if (!unit_at(f, address, &unit, &there))
		return NULL;
	found = dwarf_getsrc_die(&unit, there);
	path = found ? dwarf_linesrc(found, NULL, NULL) : NULL;
	if (!path || dwarf_lineno(found, &number) != 0 || number <= 0)
		return NULL;
	*line = (unsigned)number;
	return path;
}

size_t image_file_inlined(struct image_file *f, uint64_t address, struct inlined_call *calls)
{
	Dwarf_Addr there;
	Dwarf_Die unit;
	size_t n;

	if (!unit_at(f, address, &unit, &there))
		return 0;
	if (!f->inlined)
		f->inlined = inlined_open();
	n = inlined_find(f->inlined, &unit, there, calls);
	for (size_t i = 0; i < n; i++)
		if (calls[i].instance)
			calls[i].instance += f->bias;
	return n;
}

/* ---- variables ---- */

char *image_file_member(struct image_file *f, uint64_t variable, uint64_t byte)
{
	Dwarf *dwarf = dwarf_of(f);

	if (!dwarf)
		return NULL;
	if (!f->members)
		f->members = members_open(dwarf);
	return members_text(f->members, variable - f->bias, byte);
}
#else
struct image_file *image_file_open(const char *path, int fd, const struct build_id *id)
{
	(void)path, (void)id;
	close(fd);
	return NULL;
}

struct image_names image_file_names(struct image_file *f)
{
	(void)f;
	return (struct image_names){0};
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

size_t image_file_inlined(struct image_file *f, uint64_t address, struct inlined_call *calls)
{
	(void)f, (void)address, (void)calls;
	return 0;
}

char *image_file_member(struct image_file *f, uint64_t variable, uint64_t byte)
{
	(void)f, (void)variable, (void)byte;
	return NULL;
}
#endif
