/*
 * Programs whose work is a parameter, for predictions that can be tried:
 *	whatif amdahl SERIAL PARALLEL
 *	whatif lock THINK HOLD [free|split]
 *	whatif locks THINK HOLD [free]: two locks, one after the other; free: without the first
 *	whatif pipeline FIRST SECOND
 *	whatif files THINK HOLD [split]: one lock for records of four files, or one for each
 *	whatif disk THINK READS: reads of a page, which bench/slow_disk.c makes take long
 *	whatif load TIMES
 * The numbers are thousands of multiplications, of load five thousands. Each prints how long it took, ns.
 */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 400, ITEMS = 400, LOADS = 200, FILES = 4 };

static pthread_mutex_t file_locks[FILES] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
					    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int files[FILES];
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static unsigned long a, b;
static int is_free, is_split;
static sem_t items;

/* Each multiplication waits for the one before: what another thread does on the same core takes no time from it. */
static void __attribute__((no_instrument_function, noinline)) turn(unsigned long thousands)
{
	unsigned long x = 3;

	for (unsigned long i = 0; i < 1000 * thousands; i++) {
		x *= x;
		__asm__ volatile("" : "+r"(x));
	}
}

static void __attribute__((noinline)) serial(void) { turn(a); }
static void __attribute__((noinline)) parallel(void) { turn(b); }
static void __attribute__((noinline)) think(void) { turn(a); }
static void __attribute__((noinline)) inside(void) { turn(b); }
static void __attribute__((noinline)) produce(void) { turn(a); }
static void __attribute__((noinline)) consume(void) { turn(b); }
static void __attribute__((noinline)) load(void) { turn(5 * a); }

static void *amdahl(void *unused)
{
	parallel();
	return unused;
}

static void with(pthread_mutex_t *lock, int free)
{
	if (!free)
		pthread_mutex_lock(lock);
	inside();
	if (!free)
		pthread_mutex_unlock(lock);
}

static void *lock(void *number)
{
	for (int i = 0; i < ROUNDS; i++) {
		think();
		with(is_split && number ? &second : &first, is_free);
	}
	return NULL;
}

static void *locks(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		think();
		with(&first, is_free);
		with(&second, 0);
	}
	return unused;
}

static void record_write(int file)
{
	pthread_mutex_lock(&file_locks[is_split ? file : 0]);
	if (write(files[file], "", 1) != 1)
		exit(2);
	inside();
	pthread_mutex_unlock(&file_locks[is_split ? file : 0]);
}

/* Each thread has an order of its own. */
static void *writer(void *number)
{
	unsigned x = number ? 12345 : 99;

	for (int i = 0; i < ROUNDS; i++) {
		think();
		x = x * 1103515245 + 12345;
		record_write((int)(x >> 16) % FILES);
	}
	return NULL;
}

static void *reader(void *unused)
{
	char page[4096];

	for (unsigned long i = 0; i < b; i++) {
		if (pread(files[0], page, sizeof page, 0) < 0)
			exit(2);
		think();
	}
	return unused;
}

static void files_open(const char *name, int flags)
{
	for (int i = 0; i < FILES; i++)
		if ((files[i] = open(name, flags)) < 0)
			exit(2);
}

static void *consumer(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		sem_wait(&items);
		consume();
	}
	return unused;
}

static void *producer(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		produce();
		sem_post(&items);
	}
	return unused;
}

static void *running(void *unused)
{
	for (int i = 0; i < LOADS; i++)
		load();
	return unused;
}

static void two(void *(*one)(void *), void *(*other)(void *))
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, one, NULL);
	pthread_create(&threads[1], NULL, other, &a);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int n, char **arguments)
{
	long long began = now();
	const char *mode = n > 1 ? arguments[1] : "", *how = n > 4 ? arguments[4] : "";

	a = n > 2 ? strtoul(arguments[2], NULL, 10) : 0;
	b = n > 3 ? strtoul(arguments[3], NULL, 10) : 0;
	is_free = strcmp(how, "free") == 0;
	is_split = strcmp(how, "split") == 0;
	sem_init(&items, 0, 0);
	if (strcmp(mode, "amdahl") == 0)
		serial(), two(amdahl, amdahl);
	else if (strcmp(mode, "lock") == 0)
		two(lock, lock);
	else if (strcmp(mode, "locks") == 0)
		two(locks, locks);
	else if (strcmp(mode, "pipeline") == 0)
		two(producer, consumer);
	else if (strcmp(mode, "files") == 0)
		files_open("/dev/null", O_WRONLY), two(writer, writer);
	else if (strcmp(mode, "disk") == 0)
		files_open("/dev/zero", O_RDONLY), two(reader, reader);
	else if (strcmp(mode, "load") == 0)
		two(running, running);
	else
		return 2;
	printf("%lld\n", now() - began);
	return 0;
}
