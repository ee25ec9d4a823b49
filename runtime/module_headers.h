/*
 * Finds the program headers of a loaded module without a lock. For the runtime and for the probes,
 * which cannot call functions of the runtime that it does not export.
 */
#ifndef GLIMPSE_RUNTIME_MODULE_HEADERS_H
#define GLIMPSE_RUNTIME_MODULE_HEADERS_H

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

/* Whether modules can be found without a lock, as a signal handler must: glibc 2.35 or later. */
#if defined(__GLIBC__) && defined(DLFO_STRUCT_HAS_EH_DBASE)
#define GL_MODULES_LOCKLESS 1
#else
#define GL_MODULES_LOCKLESS 0
#endif

#if GL_MODULES_LOCKLESS

/*
 * Stores where a module has its program headers, and how many. The loader does not say it. Those of
 * the program are where the kernel says. In a library they are behind the file's first bytes, with
 * which its memory begins, in the same page. Returns false for a library for which that is not so.
 */
static inline bool gl_module_headers(const struct dl_find_object *found,
				     const ElfW(Phdr) * *headers, size_t *n)
{
	const size_t page = 4096; /* or a part of a larger one */
	uintptr_t from = (uintptr_t)found->dlfo_map_start, own = getauxval(AT_PHDR);
	uintptr_t size = (uintptr_t)found->dlfo_map_end - from;
	const ElfW(Ehdr) *file = found->dlfo_map_start;

	if (own - from < size) {
		*headers = (const ElfW(Phdr) *)own;
		*n = getauxval(AT_PHNUM);
		return true;
	}
	if (memcmp(file->e_ident, ELFMAG, SELFMAG) != 0 || file->e_phentsize != sizeof **headers ||
	    file->e_phoff % sizeof(uintptr_t) || file->e_phoff > page ||
	    file->e_phnum > (page - file->e_phoff) / file->e_phentsize)
		return false;
	*headers = (const ElfW(Phdr) *)(from + file->e_phoff);
	*n = file->e_phnum;
	return true;
}

#endif

#endif
