#include "base/file_shrink.h"
#include "base/array.h"
#include "base/output.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Once made it stays, as the handler may look at it; of one that watches nothing the size is 0. */
struct file_watch {
	atomic_uintptr_t start;
	atomic_size_t size;
	char *path;
	struct file_watch *next;      /* in the order of their making, */
	struct file_watch *next_free; /* and of those that watch nothing */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct file_watch *_Atomic watches;
static struct file_watch *unused;
static atomic_bool stops_threads;
static const char *_Atomic shrunk;

static struct file_watch *watch_find(uintptr_t address)
{
	for (struct file_watch *w = watches; w; w = w->next)
		if (address - w->start < w->size)
			return w;
	return NULL;
}

/* Writes one line and ends the program; calls only what a signal handler may call. */
static _Noreturn void program_end(const char *path)
{
	const char *const parts[] = {program_invocation_short_name, ": error: ", path,
				     ": " FILE_SHRINK_WHY "\n"};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (write(STDERR_FILENO, parts[i], strlen(parts[i])) < 0)
			break;
	output_remove();
	_exit(2);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	const struct file_watch *w = watch_find((uintptr_t)info->si_addr);

	(void)context;
	if (!w || info->si_code <= 0) {
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	if (!stops_threads)
		program_end(w->path);
	shrunk = w->path;
	for (;;)
		pause();
}

static void handler_install(void)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};

	sigfillset(&action.sa_mask);
	sigaction(SIGBUS, &action, NULL);
}

/* Adds a watch, which takes the path; under the lock. */
static void watch_add(const void *map, size_t size, char *path)
{
	struct file_watch *w = unused;

	if (w) {
		unused = w->next_free;
		if (w->path != shrunk)
			free(w->path);
	} else {
		w = array_zero(1, sizeof *w);
		w->next = watches;
		watches = w;
	}
	w->path = path;
	w->start = (uintptr_t)map;
	w->size = size;
}

void file_shrink_watch(const void *map, size_t size, int fd)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	char link[32], path[4096];
	ssize_t n;

	pthread_once(&once, handler_install);
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof path);
	pthread_mutex_lock(&lock);
	watch_add(map, size, n < 0 ? text_format("a file") : text_format("%.*s", (int)n, path));
	pthread_mutex_unlock(&lock);
}

static void watch_end(struct file_watch *w)
{
	w->size = 0;
	w->next_free = unused;
	unused = w;
}

void file_shrink_move(const void *map, const void *to, size_t size)
{
	struct file_watch *w;

	pthread_mutex_lock(&lock);
	w = watch_find((uintptr_t)map);
	if (w) {
		size_t rest = w->size - size;

		w->size = 0;
		watch_add(to, size, text_format("%s", w->path));
		w->start += size;
		if (rest)
			w->size = rest;
		else
			watch_end(w);
	}
	pthread_mutex_unlock(&lock);
}

void file_shrink_forget(const void *map)
{
	struct file_watch *w;

	pthread_mutex_lock(&lock);
	w = watch_find((uintptr_t)map);
	if (w)
		watch_end(w);
	pthread_mutex_unlock(&lock);
}

void file_shrink_stop_threads(void)
{
	stops_threads = true;
}

const char *file_shrink_path(void)
{
	return shrunk;
}
