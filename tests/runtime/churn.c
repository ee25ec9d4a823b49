/*
 * modules.test: libraries come and go while other threads log, also under the dynamic linker's own
 * lock, where others must not wait for it with a lock of libglimpse.
 */
#include "places_glimpse.h"
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#define ROUNDS 300

static const char *path;
static bool stop;

static bool stopped(void)
{
	return __atomic_load_n(&stop, __ATOMIC_ACQUIRE);
}

static void *loads(void *argument)
{
	for (int i = 0; i < ROUNDS; i++) {
		void *library;

		glimpse_modules_changed();
		library = dlopen(path, RTLD_NOW);
		if (!library)
			exit(1);
		glimpse_modules_changed();
		dlclose(library);
	}
	glimpse_modules_changed();
	return argument;
}

/* Begins a log, for which it takes libglimpse's lock. */
static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	glimpse_thread_close();
	Was_Stamp(info->dlpi_name, data);
	return 0;
}

static void *visits(void *argument)
{
	while (!stopped())
		dl_iterate_phdr(visit, argument);
	return argument;
}

static void *names(void *argument)
{
	int object;

	for (int i = 0; i < ROUNDS; i++)
		glimpse_name(&object, "one");
	return argument;
}

int main(int argc, char **argv)
{
	void *(*const work[])(void *) = { visits, loads, loads, names, names };
	pthread_t threads[5];

	path = argc > 1 ? argv[1] : "";
	alarm(60);
	for (int i = 0; i < 5; i++)
		pthread_create(&threads[i], NULL, work[i], NULL);
	for (int i = 1; i < 5; i++)
		pthread_join(threads[i], NULL);
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	pthread_join(threads[0], NULL);
	return 0;
}
