#include "probes/functions/names.h"
#include "probes/wrap.h"
#include "runtime/glimpse.h"
#include "runtime/system.h"
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MODULES 512u

struct function_symbol {
	uint32_t at;   /* from the module's base */
	uint32_t name; /* in its strings */
};

struct module_symbols {
	uintptr_t base, start, end; /* of its executable memory */
	const char *strings;
	struct function_symbol *symbols; /* by address */
	size_t nsymbols;
};

static struct module_symbols modules[MODULES];
static size_t nmodules;

/* ---- Modules --------------------------------------------------------------------------------- */

/* Sets the executable range of a module. Returns false if it has none. */
static bool module_range(const struct dl_phdr_info *info, struct module_symbols *m)
{
	m->base = info->dlpi_addr;
	m->start = UINTPTR_MAX;
	m->end = 0;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
			continue;
		m->start = start < m->start ? start : m->start;
		m->end = start + p->p_memsz > m->end ? start + p->p_memsz : m->end;
	}
	return m->start < m->end;
}

struct function_search {
	uintptr_t function;
	struct module_symbols found;
	char path[4096];
};

static int module_search(struct dl_phdr_info *info, size_t size, void *argument)
{
	struct function_search *s = argument;

	(void)size;
	if (!module_range(info, &s->found) || s->function < s->found.start ||
	    s->function >= s->found.end)
		return 0;
	strncpy(s->path, *info->dlpi_name ? info->dlpi_name : "/proc/self/exe", sizeof s->path - 1);
	return 1;
}

/* ---- Symbols --------------------------------------------------------------------------------- */

/* A file, mapped. */
struct symbol_file {
	const unsigned char *bytes;
	size_t size;
};

static struct symbol_file image_open(const char *path)
{
	int fd = system_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	struct symbol_file image = {NULL, 0};
	struct stat status;
	void *map;

	if (fd < 0)
		return image;
	if (system_fstat(fd, &status) == 0 && status.st_size > (off_t)sizeof(ElfW(Ehdr))) {
		map = system_mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (map != MAP_FAILED)
			image = (struct symbol_file){map, (size_t)status.st_size};
	}
	system_close(fd);
	return image;
}

static struct symbol_file image_map(const char *path)
{
	struct symbol_file image = {NULL, 0};

	if (glimpse_calls_begin()) {
		image = image_open(path);
		glimpse_calls_end();
	}
	return image;
}

static bool image_has(const struct symbol_file *image, uint64_t offset, uint64_t size)
{
	return offset <= image->size && size <= image->size - offset;
}

/* Returns the section of symbols, and sets that of their names; NULL if there are none. */
static const ElfW(Shdr) *
    image_symbols(const struct symbol_file *image, const ElfW(Shdr) * *strings)
{
	const ElfW(Ehdr) *header = (const void *)image->bytes;
	const ElfW(Shdr) *sections = (const void *)(image->bytes + header->e_shoff), *best = NULL;

	if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
	    header->e_shentsize != sizeof *sections ||
	    !image_has(image, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections))
		return NULL;
	for (unsigned i = 0; i < header->e_shnum; i++)
		if (sections[i].sh_type == SHT_SYMTAB ||
		    (sections[i].sh_type == SHT_DYNSYM && !best))
			best = &sections[i];
	if (!best || best->sh_link >= header->e_shnum)
		return NULL;
	*strings = &sections[best->sh_link];
	if (!image_has(image, best->sh_offset, best->sh_size) || !(*strings)->sh_size ||
	    !image_has(image, (*strings)->sh_offset, (*strings)->sh_size) ||
	    image->bytes[(*strings)->sh_offset + (*strings)->sh_size - 1])
		return NULL;
	return best;
}

/* Shell's sort: no memory, no recursion. */
static void symbols_sort(struct function_symbol *s, size_t n)
{
	size_t gap = 1;

	while (gap < n / 3)
		gap = gap * 3 + 1;
	for (; gap; gap /= 3)
		for (size_t i = gap; i < n; i++) {
			struct function_symbol moved = s[i];
			size_t k = i;

			for (; k >= gap && s[k - gap].at > moved.at; k -= gap)
				s[k] = s[k - gap];
			s[k] = moved;
		}
}

static void symbols_take(struct module_symbols *m, const ElfW(Sym) * from, size_t n, size_t names)
{
	for (size_t i = 0; i < n; i++) {
		if (ELF64_ST_TYPE(from[i].st_info) != STT_FUNC || from[i].st_shndx == SHN_UNDEF ||
		    from[i].st_value > UINT32_MAX || from[i].st_name >= names)
			continue;
		m->symbols[m->nsymbols++] =
		    (struct function_symbol){(uint32_t)from[i].st_value, from[i].st_name};
	}
	symbols_sort(m->symbols, m->nsymbols);
}

static void module_read(struct module_symbols *m, const char *path)
{
	const ElfW(Shdr) *section = NULL, *strings;
	struct symbol_file image = image_map(path);
	size_t n;
	void *memory;

	if (image.bytes)
		section = image_symbols(&image, &strings);
	if (!section)
		return;
	n = section->sh_size / sizeof(ElfW(Sym));
	memory = system_mmap(NULL, (n + 1) * sizeof(struct function_symbol), PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return;
	m->symbols = memory;
	m->strings = (const char *)image.bytes + strings->sh_offset;
	symbols_take(m, (const void *)(image.bytes + section->sh_offset), n, strings->sh_size);
}

static struct module_symbols *module_of(uintptr_t function)
{
	struct function_search s = {.function = function};

	for (size_t i = nmodules; i-- > 0;)
		if (function >= modules[i].start && function < modules[i].end)
			return &modules[i];
	if (nmodules == MODULES || !dl_iterate_phdr(module_search, &s))
		return NULL;
	module_read(&s.found, s.path);
	modules[nmodules] = s.found;
	return &modules[nmodules++];
}

const char *names_find(uintptr_t function)
{
	const struct module_symbols *m = module_of(function);
	size_t low = 0, high = m ? m->nsymbols : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (m->symbols[middle].at < function - m->base)
			low = middle + 1;
		else
			high = middle;
	}
	if (!m || low == m->nsymbols || m->symbols[low].at != function - m->base)
		return NULL;
	return m->strings + m->symbols[low].name;
}

/* ---- The program itself ---------------------------------------------------------------------- */

static int first_base(struct dl_phdr_info *info, size_t size, void *base)
{
	(void)size;
	*(uintptr_t *)base = info->dlpi_addr;
	return 1;
}

uintptr_t names_program_symbol(const char *name)
{
	struct symbol_file image = image_map("/proc/self/exe");
	const ElfW(Shdr) *section = NULL, *strings;
	const ElfW(Sym) * symbols;
	uintptr_t base = 0, found = 0;

	if (image.bytes)
		section = image_symbols(&image, &strings);
	symbols = section ? (const void *)(image.bytes + section->sh_offset) : NULL;
	for (size_t i = 0; section && i < section->sh_size / sizeof *symbols; i++)
		if (symbols[i].st_shndx != SHN_UNDEF && symbols[i].st_name < strings->sh_size &&
		    strcmp((const char *)image.bytes + strings->sh_offset + symbols[i].st_name,
			   name) == 0)
			found = symbols[i].st_value;
	if (image.bytes)
		system_munmap((void *)image.bytes, image.size);
	dl_iterate_phdr(first_base, &base);
	return found ? base + found : 0;
}

bool names_program_section(const char *name)
{
	struct symbol_file image = image_map("/proc/self/exe");
	const ElfW(Ehdr) *header = (const void *)image.bytes;
	const ElfW(Shdr) * sections, *names;
	size_t length = strlen(name) + 1;
	bool found = false;

	if (!image.bytes)
		return false;
	sections = (const void *)(image.bytes + header->e_shoff);
	if (header->e_shentsize == sizeof *sections && header->e_shstrndx < header->e_shnum &&
	    image_has(&image, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections)) {
		names = &sections[header->e_shstrndx];
		for (unsigned i = 0; i < header->e_shnum; i++)
			if (image_has(&image, names->sh_offset,
				      (uint64_t)sections[i].sh_name + length) &&
			    memcmp(image.bytes + names->sh_offset + sections[i].sh_name, name,
				   length) == 0)
				found = true;
	}
	system_munmap((void *)image.bytes, image.size);
	return found;
}

/* ---- Patterns -------------------------------------------------------------------------------- */

/* Returns where the parameters of a demangled name begin: the first "(" outside of templates. */
static size_t parameters_at(const char *name)
{
	int depth = 0;

	for (size_t i = 0; name[i]; i++) {
		if (name[i] == '<')
			depth++;
		else if (name[i] == '>' && depth)
			depth--;
		else if (name[i] == '(' && !depth && strncmp(name + i, "(anonymous", 10) != 0)
			return i;
	}
	return strlen(name);
}

/* Returns where the name begins behind the type of the result. */
static size_t result_end(const char *name, size_t length)
{
	size_t begin = 0;
	int depth = 0;

	for (size_t i = 0; i < length; i++) {
		if (strncmp(name + i, "operator", 8) == 0)
			break;
		if (name[i] == '<' || name[i] == '(')
			depth++;
		else if ((name[i] == '>' || name[i] == ')') && depth)
			depth--;
		else if (name[i] == ' ' && !depth)
			begin = i + 1;
	}
	return begin;
}

/* Changes the name. */
static bool demangled_fits(const char *pattern, char *name)
{
	size_t end;

	if (fnmatch(pattern, name, 0) == 0)
		return true;
	end = parameters_at(name);
	name[end] = '\0';
	return fnmatch(pattern, name + result_end(name, end), 0) == 0;
}

typedef char *demangle_function(const char *name, char *buffer, size_t *length, int *status);

bool names_fit(const char *pattern, const char *name)
{
	demangle_function *demangle;
	char *text;
	bool fits;

	if (fnmatch(pattern, name, 0) == 0)
		return true;
	if (strncmp(name, "_Z", 2) != 0)
		return false;
	demangle = (demangle_function *)wrap_look(RTLD_DEFAULT, "__cxa_demangle");
	text = demangle ? demangle(name, NULL, NULL, NULL) : NULL;
	if (!text)
		return false;
	fits = demangled_fits(pattern, text);
	free(text);
	return fits;
}

/* ---- Modules that look alike ----------------------------------------------------------------- */

struct ranges {
	struct {
		uint32_t start, size;
	} of[MODULES];
	size_t n;
	bool collide;
};

static int range_compare(struct dl_phdr_info *info, size_t size, void *argument)
{
	struct ranges *r = argument;
	struct module_symbols m;
	uint32_t start, length;

	(void)size;
	if (!module_range(info, &m) || r->n == MODULES)
		return 0;
	start = (uint32_t)m.start;
	length = (uint32_t)(m.end - m.start);
	for (size_t i = 0; i < r->n; i++)
		if (start - r->of[i].start < r->of[i].size || r->of[i].start - start < length)
			r->collide = true;
	r->of[r->n].start = start;
	r->of[r->n++].size = length;
	return r->collide;
}

/* How many modules were loaded so far: the first one can tell. */
static int loads_count(struct dl_phdr_info *info, size_t size, void *loaded)
{
	if (size >= offsetof(struct dl_phdr_info, dlpi_adds) + sizeof info->dlpi_adds)
		*(unsigned long long *)loaded = info->dlpi_adds;
	return 1;
}

bool names_modules_collide(void)
{
	static unsigned long long known;
	unsigned long long loaded = 0;
	struct ranges r = {.n = 0};

	dl_iterate_phdr(loads_count, &loaded);
	if (__atomic_exchange_n(&known, loaded, __ATOMIC_RELAXED) == loaded)
		return false;
	dl_iterate_phdr(range_compare, &r);
	return r.collide;
}
