#include "probes/unwind/loaded.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A module in memory. */
struct unwound_module {
	const ElfW(Phdr) * headers;
	size_t n;
	uintptr_t bias; /* from the file's addresses to those in memory */
	const char *name;
};

#if GL_MODULES_LOCKLESS

static bool module_find(struct unwound_module *m, uintptr_t pc)
{
	struct dl_find_object found;

	if (_dl_find_object((void *)pc, &found) < 0)
		return false;
	m->name = found.dlfo_link_map->l_name;
	m->bias = found.dlfo_link_map->l_addr;
	return gl_module_headers(&found, &m->headers, &m->n);
}

#else

struct unwound_search {
	uintptr_t pc;
	struct unwound_module *module;
};

static int module_look(struct dl_phdr_info *info, size_t size, void *data)
{
	struct unwound_search *search = data;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_LOAD ||
		    search->pc - (info->dlpi_addr + p->p_vaddr) >= p->p_memsz)
			continue;
		*search->module = (struct unwound_module){info->dlpi_phdr, info->dlpi_phnum,
							  info->dlpi_addr, info->dlpi_name};
		return 1;
	}
	return 0;
}

static bool module_find(struct unwound_module *m, uintptr_t pc)
{
	struct unwound_search search = {pc, m};

	return dl_iterate_phdr(module_look, &search);
}

#endif

/* Finds the part of a module that has an address and can be read: what the file has of it. */
static bool segment_find(const struct unwound_module *m, uintptr_t at, uintptr_t *from,
			 uintptr_t *to)
{
	for (size_t i = 0; i < m->n; i++) {
		const ElfW(Phdr) *p = &m->headers[i];

		*from = m->bias + p->p_vaddr;
		*to = *from + p->p_filesz;
		if (p->p_type == PT_LOAD && p->p_flags & PF_R && at - *from < p->p_filesz)
			return true;
	}
	return false;
}

/* Returns whether the module has tables. They may be damaged: nothing outside of it is read. */
static bool table_find(struct cfi_table *t, const struct unwound_module *m)
{
	uintptr_t header = 0, from;

	for (size_t i = 0; i < m->n; i++)
		if (m->headers[i].p_type == PT_GNU_EH_FRAME)
			header = m->bias + m->headers[i].p_vaddr;
	if (!header)
		return false;
	t->header = (const void *)header;
	if (segment_find(m, header, &from, &t->header_end) &&
	    segment_find(m, cfi_frames(t), &t->from, &t->to))
		return true;
	*t = (struct cfi_table){.header = t->header};
	return true;
}

static enum cfi_ours name_ours(const char *module)
{
	const char *slash = strrchr(module, '/');

	if (!slash)
		return CFI_OURS_NOT;
	if (!strncmp(slash, "/libglimpse-", 12))
		return CFI_OURS_PROBE;
	return strncmp(slash, "/libglimpse.so", 14) ? CFI_OURS_NOT : CFI_OURS_RUNTIME;
}

struct cfi_rule cfi_find(uintptr_t pc)
{
	struct unwound_module module = {.name = ""};
	struct cfi_table table = {0};
	struct cfi_rule rule;

	pc--; /* the call itself: what follows it may be another function */
	if (module_find(&module, pc) && table_find(&table, &module))
		rule = cfi_rule_at(&table, pc);
	else
		rule = (struct cfi_rule){.kind = CFI_BARE};
	rule.ours = name_ours(module.name);
	return rule;
}
