/*
 * Threads that wait for locks inside the C library. inner_waits arena|stdio|dl|probed [SECONDS]
 *	arena   eight threads allocate from one arena
 *	stdio   three threads print while another one has the lock of stdout for most of the time
 *	dl      three threads look at the loaded libraries, each for some time
 *	probed  the waits are for a mutex, a condition and a semaphore
 */
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HELD = 40000 }; /* us */

static double end;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *allocate(void *unused)
{
	void *kept[64] = {0};

	while (now() < end)
		for (size_t i = 0; i < 6400; i++) {
			free(kept[i % 64]);
			kept[i % 64] = malloc(2000 + i * 37 % 5000);
		}
	for (int i = 0; i < 64; i++)
		free(kept[i]);
	return unused;
}

static void *hold_stdout(void *unused)
{
	while (now() < end) {
		flockfile(stdout);
		usleep(HELD);
		funlockfile(stdout);
		usleep(HELD / 10);
	}
	return unused;
}

static void *print(void *number)
{
	while (now() < end)
		printf("%d\n", *(int *)number);
	return NULL;
}

static int look(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)info, (void)size, (void)unused;
	usleep(HELD);
	return 1;
}

static void *libraries(void *unused)
{
	while (now() < end) {
		dl_iterate_phdr(look, NULL);
		usleep(100);
	}
	return unused;
}

static void *probed(void *unused)
{
	while (now() < end) {
		pthread_mutex_lock(&mutex);
		usleep(HELD / 4);
		pthread_cond_signal(&condition);
		pthread_mutex_unlock(&mutex);
		sem_post(&semaphore);
		usleep(100);
	}
	return unused;
}

static void *wait_for_them(void *unused)
{
	while (now() < end) {
		pthread_mutex_lock(&mutex);
		pthread_cond_wait(&condition, &mutex);
		pthread_mutex_unlock(&mutex);
		sem_wait(&semaphore);
	}
	return unused;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void *(*first)(void *), *(*others)(void *);
		int n;
	} kinds[] = {
	    {"arena", allocate, allocate, 8},
	    {"stdio", hold_stdout, print, 4},
	    {"dl", libraries, libraries, 3},
	    {"probed", probed, wait_for_them, 2},
	};
	pthread_t threads[8];
	int numbers[8];

	end = now() + (argc > 2 ? atof(argv[2]) : 0.5);
	sem_init(&semaphore, 0, 0);
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		if (argc < 2 || strcmp(argv[1], kinds[k].name) != 0)
			continue;
		for (int i = 0; i < kinds[k].n; i++) {
			numbers[i] = i;
			pthread_create(&threads[i], NULL, i ? kinds[k].others : kinds[k].first,
				       &numbers[i]);
		}
		pthread_join(threads[0], NULL);
		for (int i = 1; i < kinds[k].n; i++) {
			pthread_mutex_lock(&mutex);
			pthread_cond_broadcast(&condition);
			pthread_mutex_unlock(&mutex);
			sem_post(&semaphore);
			pthread_join(threads[i], NULL);
		}
		return 0;
	}
	return 2;
}
