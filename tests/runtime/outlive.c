/*
 * outlive PLUGIN: unloads a plugin while a thread that has logged in it lives on, and lets the
 * thread end; three times.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void (*plug)(int32_t);
static pthread_barrier_t barrier;

static void *logs(void *argument)
{
	plug((int32_t)(intptr_t)argument);
	pthread_barrier_wait(&barrier);         /* logged */
	pthread_barrier_wait(&barrier);         /* unloaded */
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_barrier_init(&barrier, NULL, 2);
	for (intptr_t i = 0; i < 3; i++) {
		void *plugin = dlopen(argv[argc - 1], RTLD_NOW);
		pthread_t thread;

		if (!plugin) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		*(void **)&plug = dlsym(plugin, "plug");
		pthread_create(&thread, NULL, logs, (void *)i);
		pthread_barrier_wait(&barrier);
		dlclose(plugin);
		if (dlopen(argv[argc - 1], RTLD_NOW | RTLD_NOLOAD))
			return 2;
		pthread_barrier_wait(&barrier);
		pthread_join(thread, NULL);
		if (fork() == 0)
			_exit(0);
		wait(NULL);
	}
	return 0;
}
