/*
 * A reader hands sequences to eight workers by a list under a lock and waits for them at the end of each
 * round, as hmmscan does. Each worker scans for a while; one in four sequences is long.
 */
#include <pthread.h>
#include <stdlib.h>

enum { WORKERS = 8, ROUNDS = 12, SEQUENCES = 24 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t available = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static int waiting, working, ended;
static volatile unsigned long score;

static void scan(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		score = score * 31 + i;
}

static void *scan_thread(void *argument)
{
	(void)argument;
	pthread_mutex_lock(&lock);
	for (;;) {
		while (!waiting && !ended)
			pthread_cond_wait(&available, &lock);
		if (!waiting)
			break;
		int sequence = waiting--;
		working++;
		pthread_mutex_unlock(&lock);
		scan(sequence % 4 ? 100000 : 800000);
		pthread_mutex_lock(&lock);
		working--;
		pthread_cond_signal(&done);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void read_round(void)
{
	scan(400000);
	pthread_mutex_lock(&lock);
	waiting = SEQUENCES;
	pthread_cond_broadcast(&available);
	while (waiting || working)
		pthread_cond_wait(&done, &lock);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	pthread_t threads[WORKERS];

	for (int i = 0; i < WORKERS; i++)
		pthread_create(&threads[i], NULL, scan_thread, NULL);
	for (int i = 0; i < ROUNDS; i++)
		read_round();
	pthread_mutex_lock(&lock);
	ended = 1;
	pthread_cond_broadcast(&available);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
