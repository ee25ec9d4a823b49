#include "probes/unwind/loaded.h"
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#if LOADED_LOCKLESS

static const void *header_find(uintptr_t pc, const char **module)
{
	struct dl_find_object found;

	if (_dl_find_object((void *)pc, &found) < 0)
		return NULL;
	*module = found.dlfo_link_map->l_name;
	return found.dlfo_eh_frame;
}

#else

struct header_search {
	uintptr_t pc;
	const void *header;
	const char *name;
};

static int module_look(struct dl_phdr_info *module, size_t size, void *data)
{
	struct header_search *search = data;
	const void *header = NULL;
	bool has = false;

	(void)size;
	for (int i = 0; i < module->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &module->dlpi_phdr[i];

		if (p->p_type == PT_GNU_EH_FRAME)
			header = (const void *)(module->dlpi_addr + p->p_vaddr);
		if (p->p_type == PT_LOAD &&
		    search->pc - (module->dlpi_addr + p->p_vaddr) < p->p_memsz)
			has = true;
	}
	if (has)
		*search = (struct header_search){search->pc, header, module->dlpi_name};
	return has;
}

static const void *header_find(uintptr_t pc, const char **module)
{
	struct header_search search = {pc, NULL, ""};

	dl_iterate_phdr(module_look, &search);
	*module = search.name;
	return search.header;
}

#endif

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
	struct cfi_table all = {.to = UINTPTR_MAX};
	const char *module = "";
	struct cfi_rule rule;

	pc--; /* the call itself: what follows it may be another function */
	all.header = header_find(pc, &module);
	rule = cfi_rule_at(&all, pc);
	if (!all.header)
		rule.kind = CFI_BARE;
	rule.ours = name_ours(module);
	return rule;
}
