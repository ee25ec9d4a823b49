/* Two stages with a queue between them: parse() takes 1 ms an item, compress() 3 ms; it limits the run. */
#include <pthread.h>
#include <time.h>

enum { ITEMS = 60, ROOM = 4 };

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int queue[ROOM], first, waiting;
static volatile unsigned sink;

/* Computes for so long, by the processor time of the thread. */
static void compute(long us)
{
	struct timespec begun, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begun);
	do {
		for (int i = 0; i < 1000; i++)
			sink += (unsigned)i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - begun.tv_sec) * 1000000 + (now.tv_nsec - begun.tv_nsec) / 1000 < us);
}

__attribute__((noinline)) static int parse(int item)
{
	compute(1000);
	return item;
}

__attribute__((noinline)) static void compress(int item)
{
	compute(3000);
	sink += (unsigned)item;
}

static void *parser(void *unused)
{
	pthread_setname_np(pthread_self(), "parser");
	for (int i = 0; i < ITEMS; i++) {
		int item = parse(i);

		pthread_mutex_lock(&queue_lock);
		while (waiting == ROOM)
			pthread_cond_wait(&emptied, &queue_lock);
		queue[(first + waiting++) % ROOM] = item;
		pthread_cond_signal(&filled);
		pthread_mutex_unlock(&queue_lock);
	}
	return unused;
}

static void *compressor(void *unused)
{
	pthread_setname_np(pthread_self(), "compressor");
	for (int i = 0; i < ITEMS; i++) {
		int item;

		pthread_mutex_lock(&queue_lock);
		while (waiting == 0)
			pthread_cond_wait(&filled, &queue_lock);
		item = queue[first];
		first = (first + 1) % ROOM;
		waiting--;
		pthread_cond_signal(&emptied);
		pthread_mutex_unlock(&queue_lock);
		compress(item);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, parser, NULL);
	pthread_create(&threads[1], NULL, compressor, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
