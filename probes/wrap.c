#include "probes/wrap.h"
#include <dlfcn.h>
#include <errno.h>

/* The first call of dlerror() returns the text of an error, and the second one frees it. */
static void *known(void *found)
{
	if (!found) {
		dlerror();
		dlerror();
	}
	return found;
}

void *wrap_look(void *object, const char *name)
{
	return known(dlsym(object, name));
}

/* musl has no versions of symbols. */
static void *find_version(const char *name, const char *version)
{
#ifdef __GLIBC__
	return known(dlvsym(RTLD_NEXT, name, version));
#else
	(void)version;
	return wrap_look(RTLD_NEXT, name);
#endif
}

void *wrap_find(void **at, const char *name, const char *version)
{
	int error = errno;
	void *found = version ? find_version(name, version) : wrap_look(RTLD_NEXT, name);

	if (found)
		__atomic_store_n(at, found, __ATOMIC_RELAXED);
	errno = error;
	return found;
}

/*
 * dlvsym() passes over definitions without a version, which other preloaded libraries and the
 * sanitizers have, so dlsym() comes first.
 */
void *wrap_find_newer(void **at, const char *name, const char *older, const char *newer)
{
	int error = errno;
	void *found = wrap_look(RTLD_NEXT, name);

	if (found && found == find_version(name, older))
		found = find_version(name, newer);
	if (found)
		__atomic_store_n(at, found, __ATOMIC_RELAXED);
	errno = error;
	return found;
}
