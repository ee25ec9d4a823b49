/* After tests/why/stage.c: the second of three stages takes several times as long as the others. */
#include "part.h"
#include <semaphore.h>

static sem_t first, second;

PART(source_stage, 200)
PART(slow_stage, 1000)
PART(sink_stage, 50)

static void *middle(void *unused)
{
	for (int i = 0; i < rounds; i++) {
		sem_wait(&first);
		slow_stage();
		sem_post(&second);
	}
	return unused;
}

static void *sink(void *unused)
{
	for (int i = 0; i < rounds; i++) {
		sem_wait(&second);
		sink_stage();
		COZ_PROGRESS;
	}
	return unused;
}

static void program(void)
{
	pthread_t stages[2];

	sem_init(&first, 0, 0);
	sem_init(&second, 0, 0);
	pthread_create(&stages[0], NULL, middle, NULL);
	pthread_create(&stages[1], NULL, sink, NULL);
	for (int i = 0; i < rounds; i++) {
		source_stage();
		sem_post(&first);
	}
	pthread_join(stages[0], NULL);
	pthread_join(stages[1], NULL);
}
