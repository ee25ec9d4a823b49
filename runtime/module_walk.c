#include "runtime/module_walk.h"
#include "runtime/process.h"
#include <dlfcn.h>
#include <elf.h>
#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>

/* glibc 2.35: finds modules without a lock. */
#ifdef DLFO_STRUCT_HAS_EH_DBASE

#define PAGE 4096u

/* A program that is linked statically has none. */
extern struct r_debug _r_debug __attribute__((weak));

/*
 * The linker does not say where it has a module's program headers. Those of the program are where
 * the kernel says; those of a library are behind the first bytes of its file.
 */
static bool headers_find(struct dl_phdr_info *info, const struct dl_find_object *found)
{
	uintptr_t from = (uintptr_t)found->dlfo_map_start, own = getauxval(AT_PHDR);
	uintptr_t size = (uintptr_t)found->dlfo_map_end - from;
	const ElfW(Ehdr) *file = found->dlfo_map_start;

	if (own - from < size) {
		info->dlpi_phdr = (const ElfW(Phdr) *)own;
		info->dlpi_phnum = (ElfW(Half))getauxval(AT_PHNUM);
		return true;
	}
	if (memcmp(file->e_ident, ELFMAG, SELFMAG) != 0 ||
	    file->e_phentsize != sizeof(ElfW(Phdr)) || file->e_phoff % sizeof(uintptr_t) ||
	    file->e_phoff > PAGE || file->e_phnum > (PAGE - file->e_phoff) / file->e_phentsize)
		return false;
	info->dlpi_phdr = (const ElfW(Phdr) *)(from + file->e_phoff);
	info->dlpi_phnum = file->e_phnum;
	return true;
}

/* Another thread may have been about to load or unload a module: only what is found is loaded. */
static bool module_describe(const struct link_map *l, struct dl_phdr_info *info)
{
	struct dl_find_object found;

	*info = (struct dl_phdr_info){ .dlpi_addr = l->l_addr, .dlpi_name = l->l_name };
	return _dl_find_object(l->l_ld, &found) == 0 && found.dlfo_link_map == l &&
	       headers_find(info, &found);
}

static unsigned long long modules_sum(void)
{
	unsigned long long sum = 0;

	for (const struct link_map *l = _r_debug.r_map; l; l = l->l_next)
		sum = sum * 31 + (uintptr_t)l->l_ld;
	return sum;
}

static bool child_walk(gl_module_function *function, void *data)
{
	struct dl_phdr_info info;

	if (!&_r_debug || !_r_debug.r_map)
		return false;
	for (const struct link_map *l = _r_debug.r_map; l; l = l->l_next) {
		if (!module_describe(l, &info))
			continue;
		info.dlpi_adds = modules_sum();
		if (function(&info, sizeof info, data))
			break;
	}
	return true;
}

#else

static bool child_walk(gl_module_function *function, void *data)
{
	(void)function, (void)data;
	return false;
}

#endif

void gl_modules_walk(gl_module_function *function, void *data)
{
	if (!gl_process.forked || !child_walk(function, data))
		dl_iterate_phdr(function, data);
}
