/*
 * loader PLUGIN: loads it, calls it, unloads it, three times. With PROBE it has a specification
 * of its own.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#ifdef PROBE
#include "probe.h"

__attribute__((constructor(200))) static void before_main(void)
{
	Tick_Stamp(1, 0);
}

__attribute__((destructor(200))) static void after_main(void)
{
	Tick_Stamp(3, 0);
}
#else
static void Tick_Stamp(int32_t a, int32_t b)
{
	(void)a;
	(void)b;
}
#endif

int main(int argc, char **argv)
{
	for (int i = 0; i < 3; i++) {
		void *plugin = dlopen(argv[argc - 1], RTLD_NOW);
		void (*plug)(int32_t);

		if (!plugin) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		*(void **)&plug = dlsym(plugin, "plug");
		Tick_Stamp(2, i);
		plug(i);
		dlclose(plugin);
	}
	return 0;
}
