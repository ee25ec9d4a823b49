/*
 * What comes before the probe: a dlsym() that asks for memory, as that of some systems does, and a
 * constructor that runs before the probe's.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

void *dlsym(void *handle, const char *name)
{
	void *(*real)(void *, const char *) = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
	char *text = calloc(1, 300), *copy = malloc(10);

	if (!real)
		real = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
	/* RTLD_NEXT is what comes after the caller: this library, which is the last one. */
	strcpy(text, name);
	copy = realloc(copy, 400);
	strcpy(copy, text);
	free(text);
	handle = real(handle, copy);
	free(copy);
	return handle;
}

__attribute__((constructor(101))) static void early(void)
{
	free(malloc(7777));
}
