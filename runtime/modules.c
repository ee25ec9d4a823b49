#include "runtime/modules.h"
#include "runtime/clock.h"
#include "runtime/file.h"
#include "runtime/glimpse.h"
#include "runtime/guard.h"
#include "runtime/module_walk.h"
#include "runtime/process.h"
#include "runtime/side_files.h"
#include "runtime/system.h"
#include "runtime/text.h"
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define LINE_MOST 8192
#define TEXT_MOST (UINT64_C(1) << 20) /* of the lines of one update */
#define TABLE_FIRST 256u              /* modules */
#define BUILD_ID_MOST 64u             /* bytes */
#define MAPS "/proc/self/maps"

static bool wanted; /* some specification has addresses */
static bool due;    /* since the last update */
static bool again;  /* another update is to follow */
static bool busy;   /* the mark: a thread is at work on what follows */

struct loaded_module {
	uint64_t base, start, end; /* start, end: of what is executable */
	uint64_t identity;         /* of its path and build id */
	bool here;                 /* found by the present update */
};

static struct {
	struct loaded_module *at;
	size_t count, room;
	bool listed;             /* once at least */
	uint64_t loads, unloads; /* that the dynamic linker had counted then */
	uint64_t checked;        /* ticks of the last update */
} table;

/* Lines that are to be written. */
static struct {
	char *text;
	size_t size;
	bool full;
	char line[LINE_MOST];
} out;

/* ---- What a module is ------------------------------------------------------------------------ */

struct module_build_id {
	const unsigned char *bytes;
	size_t size;
};

static uint64_t align_up(uint64_t n, uint64_t align)
{
	return (n + align - 1) / align * align;
}

/* Searches notes, each a head, a name and a content, for the build id. */
static struct module_build_id notes_search(const unsigned char *at, uint64_t size, uint64_t align)
{
	while (size >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *head = (const void *)at;
		uint64_t content = align_up(sizeof *head + head->n_namesz, align);
		uint64_t next = align_up(content + head->n_descsz, align);

		if (content + head->n_descsz > size)
			break;
		if (head->n_type == NT_GNU_BUILD_ID && head->n_namesz == 4 &&
		    memcmp(at + sizeof *head, "GNU", 4) == 0 && head->n_descsz <= BUILD_ID_MOST)
			return (struct module_build_id){ at + content, head->n_descsz };
		if (next >= size)
			break;
		at += next;
		size -= next;
	}
	return (struct module_build_id){ NULL, 0 };
}

/* Returns whether the process has a segment in its memory: not all that the file has is loaded. */
static bool segment_is_loaded(const struct dl_phdr_info *info, const ElfW(Phdr) * segment)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && p->p_flags & PF_R && segment->p_vaddr >= p->p_vaddr &&
		    segment->p_vaddr + segment->p_filesz <= p->p_vaddr + p->p_filesz)
			return true;
	}
	return false;
}

static struct module_build_id module_build_id(const struct dl_phdr_info *info)
{
	struct module_build_id id = { NULL, 0 };

	for (int i = 0; i < info->dlpi_phnum && !id.size; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const unsigned char *at = (const void *)(uintptr_t)(info->dlpi_addr + p->p_vaddr);

		if (p->p_type == PT_NOTE && segment_is_loaded(info, p))
			id = notes_search(at, p->p_filesz, p->p_align == 8 ? 8 : 4);
	}
	return id;
}

/* FNV-1a. */
static uint64_t identity_add(uint64_t hash, const void *bytes, size_t size)
{
	for (const unsigned char *b = bytes; size--; b++)
		hash = (hash ^ *b) * UINT64_C(0x100000001b3);
	return hash;
}

static struct loaded_module module_of(const struct dl_phdr_info *info, struct module_build_id id)
{
	struct loaded_module m = { .base = info->dlpi_addr, .here = true };

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t start = info->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
			continue;
		if (!m.end || start < m.start)
			m.start = start;
		if (start + p->p_memsz > m.end)
			m.end = start + p->p_memsz;
	}
	m.identity = identity_add(UINT64_C(0xcbf29ce484222325), id.bytes, id.size);
	if (info->dlpi_name)
		m.identity = identity_add(m.identity, info->dlpi_name, strlen(info->dlpi_name));
	return m;
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* Returns the path in a line of MAPS if that has an address, or NULL. */
static char *maps_line_path(char *line, uint64_t address)
{
	static const char deleted[] = " (deleted)";
	char *at, *path = strchr(line, '/');
	size_t length = path ? strlen(path) : 0, cut = strlen(deleted);
	uint64_t start = strtoull(line, &at, 16), end = *at == '-' ? strtoull(at + 1, NULL, 16) : 0;

	if (!path || address < start || address >= end)
		return NULL;
	if (length > cut && strcmp(path + length - cut, deleted) == 0)
		path[length - cut] = '\0';
	return path;
}

/* Reads from MAPS, into out.line, which file an address is mapped from. Returns NULL if none is. */
static char *maps_search(int fd, uint64_t address)
{
	char part[1024], *path = NULL;
	size_t length = 0;
	ssize_t n;

	while ((n = system_read(fd, part, sizeof part)) > 0)
		for (ssize_t i = 0; i < n; i++) {
			if (length < LINE_MOST - 1 && part[i] != '\n')
				out.line[length++] = part[i];
			if (part[i] != '\n')
				continue;
			out.line[length] = '\0';
			length = 0;
			path = maps_line_path(out.line, address);
			if (path)
				return path;
		}
	return NULL;
}

/*
 * The dynamic linker has no name for the program, and names that are relative to where the process
 * was then.
 */
static void path_find(char *path, size_t size, const struct dl_phdr_info *info,
		      const struct loaded_module *m)
{
	const char *name = info->dlpi_name ? info->dlpi_name : "", *found = NULL;
	unsigned long program = getauxval(AT_EXECFN), vdso = getauxval(AT_SYSINFO_EHDR);
	int fd = -1;

	*path = '\0';
	if (vdso && m->start <= vdso && vdso < m->end) {
		found = "[vdso]";
	} else if (*name != '/' || strstr(name, "/../")) { /* as the recorder preloads ours */
		fd = gl_file_open_outside(MAPS, O_RDONLY);
		found = fd < 0 ? NULL : maps_search(fd, m->start);
		if (!found && !*name && program)
			found = (const char *)(uintptr_t)program;
	}
	gl_text_add_visible(path, size, found ? found : *name ? name : "?");
	if (fd >= 0)
		gl_file_close(fd);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static bool out_begin(void)
{
	if (!out.text) {
		out.text = system_mmap(NULL, TEXT_MOST, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (out.text == MAP_FAILED)
			out.text = NULL;
	}
	out.size = 0;
	out.full = false;
	return out.text;
}

static void out_end(void)
{
	gl_side_file_append(SIDE_FILE_MODULES, out.text, out.size);
	system_munmap(out.text, TEXT_MOST);
	out.text = NULL;
}

static void line_begin(uint64_t ticks, uint64_t base)
{
	*out.line = '\0';
	gl_text_add_number(out.line, LINE_MOST, ticks);
	gl_text_add(out.line, LINE_MOST, " ");
	gl_text_add_hex(out.line, LINE_MOST, base);
	gl_text_add(out.line, LINE_MOST, " ");
}

static void line_end(void)
{
	size_t length = strlen(out.line);

	if (length == LINE_MOST - 1)
		length--;
	out.line[length++] = '\n';
	out.full |= length > TEXT_MOST - out.size;
	if (out.full)
		return;
	memcpy(out.text + out.size, out.line, length);
	out.size += length;
}

static void line_add_build_id(struct module_build_id id)
{
	char hex[2 * BUILD_ID_MOST + 1] = "-";

	for (size_t i = 0; i < id.size; i++) {
		hex[2 * i] = "0123456789abcdef"[id.bytes[i] >> 4];
		hex[2 * i + 1] = "0123456789abcdef"[id.bytes[i] & 15];
		hex[2 * i + 2] = '\0';
	}
	gl_text_add(out.line, LINE_MOST, hex);
	gl_text_add(out.line, LINE_MOST, " ");
}

/* A module was loaded after the last update; it may have run, and logged, before this one. */
static void line_loaded(const struct loaded_module *m, struct module_build_id id, const char *path)
{
	line_begin(table.checked, m->base);
	gl_text_add_hex(out.line, LINE_MOST, m->start);
	gl_text_add(out.line, LINE_MOST, " ");
	gl_text_add_hex(out.line, LINE_MOST, m->end);
	gl_text_add(out.line, LINE_MOST, " ");
	line_add_build_id(id);
	gl_text_add(out.line, LINE_MOST, path);
	line_end();
}

static void line_unloaded(const struct loaded_module *m, uint64_t now)
{
	line_begin(now, m->base);
	gl_text_add(out.line, LINE_MOST, "- - - -");
	line_end();
}

/* ---- The table ------------------------------------------------------------------------------- */

static bool table_grow(void)
{
	size_t room = table.room ? 2 * table.room : TABLE_FIRST;
	struct loaded_module *at = system_mmap(NULL, room * sizeof *at, PROT_READ | PROT_WRITE,
					       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		return false;
	if (table.room) {
		memcpy(at, table.at, table.count * sizeof *at);
		system_munmap(table.at, table.room * sizeof *at);
	}
	table.at = at;
	table.room = room;
	return true;
}

static struct loaded_module *table_find(const struct loaded_module *m)
{
	for (size_t i = 0; i < table.count; i++) {
		struct loaded_module *t = &table.at[i];

		if (t->base == m->base && t->start == m->start && t->end == m->end &&
		    t->identity == m->identity)
			return t;
	}
	return NULL;
}

/* Writes which modules are no more, and forgets them. */
static void table_sweep(uint64_t now)
{
	size_t left = 0;

	for (size_t i = 0; i < table.count; i++)
		if (table.at[i].here)
			table.at[left++] = table.at[i];
		else
			line_unloaded(&table.at[i], now);
	table.count = left;
}

/* ---- Updates --------------------------------------------------------------------------------- */

/* Called for each module under the dynamic linker's lock. Returns not 0 to end the search. */
static int module_mark(struct dl_phdr_info *info, size_t size, void *data)
{
	struct loaded_module m = module_of(info, module_build_id(info)), *known = table_find(&m);

	(void)size;
	(void)data;
	if (known)
		known->here = true;
	return 0;
}

static int module_add(struct dl_phdr_info *info, size_t size, void *data)
{
	struct module_build_id id = module_build_id(info);
	struct loaded_module m = module_of(info, id);
	static char path[LINE_MOST / 2];

	(void)size;
	(void)data;
	if (table_find(&m))
		return 0;
	if (table.count == table.room && !table_grow())
		return 1;
	path_find(path, sizeof path, info, &m);
	line_loaded(&m, id, path);
	if (out.full)
		return 1;
	table.at[table.count++] = m;
	return 0;
}

/* Returns whether the dynamic linker has loaded or unloaded something, by the first module. */
static int modules_count(struct dl_phdr_info *info, size_t size, void *data)
{
	bool *changed = data;

	if (size < offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs)
		return 1;
	*changed =
	    !table.listed || info->dlpi_adds != table.loads || info->dlpi_subs != table.unloads;
	table.loads = info->dlpi_adds;
	table.unloads = info->dlpi_subs;
	return 1;
}

/* Lines of what is no more come first: something else may have its place. */
static void modules_list(void)
{
	uint64_t now = gl_clock_ticks();
	bool changed = true;

	gl_modules_walk(modules_count, &changed);
	if (changed && out_begin()) {
		for (size_t i = 0; i < table.count; i++)
			table.at[i].here = false;
		gl_modules_walk(module_mark, NULL);
		table_sweep(now);
		gl_modules_walk(module_add, NULL);
		table.listed = !out.full;
		if (out.full)
			__atomic_store_n(&again, true, __ATOMIC_SEQ_CST);
		out_end();
	}
	if (table.listed)
		table.checked = now;
}

/* A thread that finds another one at work leaves the update to it. */
void gl_modules_update(void)
{
	if (!__atomic_load_n(&wanted, __ATOMIC_RELAXED))
		return;
	__atomic_store_n(&due, false, __ATOMIC_SEQ_CST);
	__atomic_store_n(&again, true, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&again, __ATOMIC_SEQ_CST) &&
	       !__atomic_exchange_n(&busy, true, __ATOMIC_SEQ_CST)) {
		__atomic_store_n(&again, false, __ATOMIC_SEQ_CST);
		modules_list();
		__atomic_store_n(&busy, false, __ATOMIC_SEQ_CST);
	}
}

void gl_modules_update_soon(void)
{
	if (__atomic_load_n(&due, __ATOMIC_RELAXED))
		gl_modules_update();
}

void gl_modules_want(void)
{
	__atomic_store_n(&wanted, true, __ATOMIC_SEQ_CST);
	__atomic_store_n(&due, true, __ATOMIC_SEQ_CST);
}

/* The table stays mapped: another thread of the parent may have been changing it. */
void gl_modules_forget(void)
{
	memset(&table, 0, sizeof table);
	out.text = NULL;
	wanted = due = again = busy = false;
}

void glimpse_modules_changed(void)
{
	struct guard g;

	if (!__atomic_load_n(&wanted, __ATOMIC_RELAXED) || !gl_guard_enter(&g))
		return;
	gl_modules_update();
	gl_guard_leave(&g);
}
