/* Three threads pass 60 items on, through queues of four. Argument: what transform() needs, us. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

enum { ITEMS = 60 };

struct queue {
	sem_t filled, room;
};

static struct queue parsed, transformed;
static useconds_t length = 6000;

__attribute__((noinline)) static int parse(void)
{
	return usleep(2000);
}

__attribute__((noinline)) static int transform(void)
{
	return usleep(length);
}

__attribute__((noinline)) static int emit(void)
{
	return usleep(2000);
}

static void queue_init(struct queue *q)
{
	sem_init(&q->filled, 0, 0);
	sem_init(&q->room, 0, 4);
}

static void put(struct queue *q)
{
	sem_wait(&q->room);
	sem_post(&q->filled);
}

static void get(struct queue *q)
{
	sem_wait(&q->filled);
	sem_post(&q->room);
}

static void *stage_parse(void *failed)
{
	for (int i = 0; i < ITEMS; i++) {
		if (parse())
			return failed;
		put(&parsed);
	}
	return NULL;
}

static void *stage_transform(void *failed)
{
	for (int i = 0; i < ITEMS; i++) {
		get(&parsed);
		if (transform())
			return failed;
		put(&transformed);
	}
	return NULL;
}

static void *stage_emit(void *failed)
{
	for (int i = 0; i < ITEMS; i++) {
		get(&transformed);
		if (emit())
			return failed;
	}
	return NULL;
}

int main(int n, char **words)
{
	void *(*stages[])(void *) = {stage_parse, stage_transform, stage_emit};
	pthread_t threads[3];

	if (n > 1)
		length = (useconds_t)atoi(words[1]);
	queue_init(&parsed);
	queue_init(&transformed);
	for (int i = 0; i < 3; i++)
		pthread_create(threads + i, NULL, stages[i], &parsed);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
