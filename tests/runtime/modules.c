/* modules.test: a program with a plugin, which says where things are. */
#ifdef PLAIN
#include "plain_glimpse.h"
#define Was_Stamp(site, lock) Was_Stamp((site) != NULL)
#else
#include "places_glimpse.h"
#endif
#include <dlfcn.h>
#include <inttypes.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv);

static int queue;

static void tell(const char *what, uint64_t number)
{
	printf("%s %016" PRIx64 "\n", what, number);
}

static void *plugin_load(void)
{
	void *plugin = dlopen("./plugin.so", RTLD_NOW);

	if (!plugin || chdir("../elsewhere"))
		exit(99);
	tell("plugin", (uint64_t)(uintptr_t)dlsym(plugin, "plugged"));
	return plugin;
}

/* What modules_changed() finds out was there since the last time, perhaps. */
static void plugin_use(void)
{
	void *plugin;

	glimpse_modules_changed();
	printf("before %" PRIu64 "\n", glimpse_now());
	plugin = plugin_load();
	printf("loaded %" PRIu64 "\n", glimpse_now());
	glimpse_modules_changed();
	dlclose(plugin);
	printf("unloaded %" PRIu64 "\n", glimpse_now());
	glimpse_modules_changed();
	printf("after %" PRIu64 "\n", glimpse_now());
}

static void child(void)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		alarm(20);
		Was_Stamp(NULL, NULL);
		exit(0);
	}
	waitpid(pid, NULL, 0);
}

static int holding; /* a thread has the dynamic linker's lock */

static int lock_hold(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)info, (void)size, (void)data;
	__atomic_store_n(&holding, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&holding, __ATOMIC_SEQ_CST))
		usleep(1000);
	return 1;
}

static void *modules_look(void *unused)
{
	dl_iterate_phdr(lock_hold, NULL);
	return unused;
}

/* As a thread may that loads a library, throws an exception, or looks for its modules. */
static void child_beside_lock(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, modules_look, NULL);
	while (!__atomic_load_n(&holding, __ATOMIC_SEQ_CST))
		usleep(1000);
	child();
	__atomic_store_n(&holding, 0, __ATOMIC_SEQ_CST);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	tell("main", (uint64_t)(uintptr_t)main);
	tell("glimpse", (uint64_t)(uintptr_t)dlsym(RTLD_DEFAULT, "glimpse_close"));
	tell("queue", (uint64_t)(uintptr_t)&queue);
	glimpse_name(&queue, "the \\ \n queue");
	Was_Stamp((const void *)(uintptr_t)main, &queue);
	if (!strcmp(mode, "uses"))
		plugin_use();
	if (!strcmp(mode, "unnoticed"))
		plugin_load();
	if (!strcmp(mode, "forks"))
		child();
	if (!strcmp(mode, "held"))
		child_beside_lock();
	glimpse_name(&queue, "");
	glimpse_snapshot("../snapshot");
	fflush(stdout);
	if (!strcmp(mode, "killed"))
		raise(SIGKILL);
	return 0;
}
