#include "runtime/module_walk.h"
#include "runtime/module_headers.h"
#include "runtime/process.h"

#if GL_MODULES_LOCKLESS

/* A program that is linked statically has none. */
extern struct r_debug _r_debug __attribute__((weak));

/* Another thread may have been about to load or unload a module: only what is found is loaded. */
static bool module_describe(const struct link_map *l, struct dl_phdr_info *info)
{
	struct dl_find_object found;
	size_t n;

	if (_dl_find_object(l->l_ld, &found) != 0 || found.dlfo_link_map != l ||
	    !gl_module_headers(&found, &info->dlpi_phdr, &n))
		return false;
	info->dlpi_addr = l->l_addr;
	info->dlpi_name = l->l_name;
	info->dlpi_phnum = (ElfW(Half))n;
	return true;
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
	info = (struct dl_phdr_info){ .dlpi_adds = modules_sum() };
	for (const struct link_map *l = _r_debug.r_map; l; l = l->l_next)
		if (module_describe(l, &info) && function(&info, sizeof info, data))
			break;
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
