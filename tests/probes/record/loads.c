/*
 * Loads the library of its argument and calls it, twice. A name without a slash is found only in the
 * folder that this program names (-rpath), which dlopen() looks up for its caller.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	/* Nobody who was loaded before left one for the program. */
	if (dlerror())
		return 4;
	for (int i = 0; i < 2; i++) {
		void *library = dlopen(argv[argc - 1], RTLD_NOW);
		int (*call)(void);

		if (!library) {
			puts(dlerror());
			return 1;
		}
		call = (int (*)(void))dlsym(library, "plugin");
		if (!call || call() < 0 || dlclose(library) != 0)
			return 2;
	}
	if (dlopen("libnosuchlibrary.so", RTLD_NOW) || !dlerror())
		return 3;
	return 0;
}
