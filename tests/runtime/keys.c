/*
 * keys PLUGIN: takes 40 keys of thread data, loads the library that brings libglimpse, and lets
 * handlers log the first events of threads that do nothing but call malloc().
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define KEYS 40
#define THREADS 400
#define SECONDS 60

static void (*plug)(int32_t);
static volatile sig_atomic_t handled;

static void handler(int signal)
{
	(void)signal;
	plug(1);
	handled = 1;
}

/* Blocks that are too large for the thread's cache, so that malloc() takes its lock. */
static void *allocates(void *argument)
{
	void *volatile blocks[8] = { NULL };

	for (unsigned i = 0; !handled; i++) {
		free(blocks[i % 8]);
		blocks[i % 8] = calloc(1, 2000 + i % 7 * 500);
	}
	for (int i = 0; i < 8; i++)
		free(blocks[i]);
	plug(2);
	return argument;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
	void *library;

	alarm(SECONDS);
	for (int i = 0; i < KEYS; i++) {
		pthread_key_t key;

		pthread_key_create(&key, NULL);
	}
	library = dlopen(argv[argc - 1], RTLD_NOW);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	*(void **)&plug = dlsym(library, "plug");
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < THREADS; i++) {
		const struct timespec moment = { 0, 200000 + i % 50 * 1000 };
		pthread_t thread;

		handled = 0;
		pthread_create(&thread, NULL, allocates, NULL);
		nanosleep(&moment, NULL);
		pthread_kill(thread, SIGUSR1);
		pthread_join(thread, NULL);
	}
	return 0;
}
