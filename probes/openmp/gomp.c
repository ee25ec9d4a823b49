#include "probes/openmp/gomp.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>

static bool served_by_libomp;

/*
 * Returns the name of the object that site is in, as the loader has it; "" or NULL: none to open.
 */
static const char *object_name(const void *site)
{
	Dl_info info;
#ifdef __GLIBC__
	struct link_map *map;

	return dladdr1(site, &info, (void **)&map, RTLD_DL_LINKMAP) ? map->l_name : NULL;
#else
	return dladdr(site, &info) ? info.dli_fname : NULL;
#endif
}

/* Returns the definition of name that an object loaded with dlopen() sees, or NULL. */
static void *find_from(const char *name, const void *site)
{
	const char *from = object_name(site);
	void *object, *found, *ours;

	if (!from || !*from)
		return NULL;
	object = dlopen(from, RTLD_LAZY | RTLD_NOLOAD);
	if (!object)
		return NULL;
	found = wrap_look(object, name);
	ours = wrap_look(RTLD_DEFAULT, name);
	dlclose(object);
	return found == ours ? NULL : found;
}

/* Returns whether the object that has an entry point is libomp, which has libgomp's as well. */
static bool is_libomp(void *entry)
{
	void *other = wrap_look(RTLD_DEFAULT, "__kmpc_fork_call");
	Dl_info one, two;

	return other && dladdr(entry, &one) && dladdr(other, &two) &&
	       one.dli_fbase == two.dli_fbase;
}

void *gomp_find(void **at, const char *name, const void *site)
{
	int error = errno;
	void *found = wrap_find(at, name, NULL);

	if (!found)
		found = find_from(name, site);
	if (!found) {
		fprintf(stderr,
			"glimpse: no OpenMP runtime has %s; record without the probe openmp\n",
			name);
		abort();
	}
	if (is_libomp(found))
		__atomic_store_n(&served_by_libomp, true, __ATOMIC_RELAXED);
	__atomic_store_n(at, found, __ATOMIC_RELAXED);
	errno = error;
	return found;
}

bool gomp_quiet(void)
{
	return wrap_quiet() || __atomic_load_n(&served_by_libomp, __ATOMIC_RELAXED);
}

uint32_t gomp_thread_number(const void *site)
{
	static __typeof__(&omp_get_thread_num) number;
	__typeof__(&omp_get_thread_num) real = __atomic_load_n(&number, __ATOMIC_RELAXED);

	if (__builtin_expect(!real, 0))
		real = (__typeof__(real))gomp_find((void **)&number, "omp_get_thread_num", site);
	return (uint32_t)real();
}
