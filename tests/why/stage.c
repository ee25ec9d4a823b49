/* The second of three stages takes ten times as long as the others. */
#include "plant.h"

enum { ITEMS = 60 };
static struct queue first = QUEUE, second = QUEUE;

static void *source(void *unused)
{
	for (int i = 0; i < ITEMS * size; i++) {
		work(mended ? 1000 : 200);
		put(&first);
	}
	return unused;
}

__attribute__((noinline)) static void slow_stage(void)
{
	work(mended ? 1000 : 2500);
}

static void *middle(void *unused)
{
	for (int i = 0; i < ITEMS * size; i++) {
		get(&first);
		slow_stage();
		put(&second);
	}
	return unused;
}

static void *sink(void *unused)
{
	for (int i = 0; i < ITEMS * size; i++) {
		get(&second);
		work(50);
	}
	return unused;
}

static void plant(void)
{
	pthread_t stages[3];

	pthread_create(&stages[0], NULL, source, NULL);
	pthread_setname_np(stages[0], "source");
	pthread_create(&stages[1], NULL, middle, NULL);
	pthread_setname_np(stages[1], "middle");
	pthread_create(&stages[2], NULL, sink, NULL);
	pthread_setname_np(stages[2], "sink");
	for (int i = 0; i < 3; i++)
		pthread_join(stages[i], NULL);
}
