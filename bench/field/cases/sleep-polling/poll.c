/*
 * Main asks a worker, and looks for each answer with sleeps between. Argument: how long the sleeps
 * are, us.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { QUESTIONS = 40 };

static sem_t questions;
static atomic_int answers;
static useconds_t length = 10000;

__attribute__((noinline)) static int answer_one(void)
{
	return usleep(2000);
}

static void *work(void *failed)
{
	for (int i = 0; i < QUESTIONS; i++) {
		sem_wait(&questions);
		if (answer_one())
			return failed;
		atomic_fetch_add(&answers, 1);
	}
	return NULL;
}

__attribute__((noinline)) static int await_answer(int n)
{
	int looks = 0;

	while (atomic_load(&answers) < n) {
		usleep(length);
		looks++;
	}
	return looks;
}

int main(int n, char **words)
{
	pthread_t thread;

	if (n > 1)
		length = (useconds_t)atoi(words[1]);
	sem_init(&questions, 0, 0);
	if (pthread_create(&thread, NULL, work, &questions))
		return 1;
	for (int i = 1; i <= QUESTIONS; i++) {
		sem_post(&questions);
		if (!await_answer(i))
			return 1;
	}
	return pthread_join(thread, NULL);
}
