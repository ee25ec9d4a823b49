/*
 * outside HOW [free]: four threads compute a little and then wait for something outside of the
 * program, 30 times each; all under one lock, or free of it. HOW: "pipe": they write a page to
 * standard output; "disk": they sync a file; "unknown": they sleep in a way that no probe sees.
 * outside read: reads a page of standard input every 3 ms.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, TIMES = 30 };

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int locked, file;
static const char *how;

static void compute(void)
{
	for (volatile int i = 0; i < 100000; i++)
		;
}

static void pause_ms(long ms)
{
	syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

static void save(void)
{
	char page[4096] = {0};

	if (!strcmp(how, "pipe") && write(1, page, sizeof page) != sizeof page)
		abort();
	if (!strcmp(how, "disk") && fsync(file))
		abort();
	if (!strcmp(how, "unknown"))
		pause_ms(3);
}

static void *work(void *unused)
{
	for (int i = 0; i < TIMES; i++) {
		compute();
		if (locked)
			pthread_mutex_lock(&guard);
		save();
		if (locked)
			pthread_mutex_unlock(&guard);
	}
	return unused;
}

int main(int argc, char **argv)
{
	char page[4096];
	pthread_t threads[THREADS];

	how = argv[1];
	locked = argc < 3;
	if (!strcmp(how, "read")) {
		while (read(0, page, sizeof page) > 0)
			pause_ms(3);
		return 0;
	}
	file = open("saved", O_CREAT | O_WRONLY, 0600);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return file < 0;
}
