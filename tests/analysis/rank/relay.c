/*
 * What must end before what: the first thread holds a lock for 40 ms, the second one waits for it,
 * works 30 ms and posts a semaphore, the third one waits for that, works 20 ms and ends; the main
 * thread joins all. A fourth one sleeps, and is waited for by nobody that matters.
 */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t baton = PTHREAD_MUTEX_INITIALIZER;
static sem_t posted, taken;

static void work(long ms)
{
	struct timespec from, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((now.tv_sec - from.tv_sec) * 1000 + (now.tv_nsec - from.tv_nsec) / 1000000 < ms);
}

static void *first(void *unused)
{
	pthread_setname_np(pthread_self(), "first");
	pthread_mutex_lock(&baton);
	sem_post(&taken);
	work(40);
	pthread_mutex_unlock(&baton);
	return unused;
}

static void *second(void *unused)
{
	pthread_setname_np(pthread_self(), "second");
	sem_wait(&taken);
	pthread_mutex_lock(&baton);
	work(30);
	pthread_mutex_unlock(&baton);
	sem_post(&posted);
	return unused;
}

static void *third(void *unused)
{
	pthread_setname_np(pthread_self(), "third");
	sem_wait(&posted);
	work(20);
	return unused;
}

static void *sleeper(void *unused)
{
	pthread_setname_np(pthread_self(), "sleeper");
	usleep(60000);
	return unused;
}

int main(void)
{
	static void *(*const all[])(void *) = {first, second, third, sleeper};
	pthread_t threads[4];

	sem_init(&posted, 0, 0);
	sem_init(&taken, 0, 0);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, all[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
