/* A thread waits for another to let it go on, which computes in a function of its own meanwhile: again and again. */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int made, taken;
static volatile unsigned long sum;

/* Runs for so many milliseconds of the thread's processor time. */
static void __attribute__((noinline)) burn(long milliseconds)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		for (int i = 0; i < 20000; i++)
			sum += (unsigned long)i * i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 <
		 milliseconds);
}

static void __attribute__((noinline)) bake(void)
{
	burn(30);
	__asm__ volatile("");
}

static void __attribute__((noinline)) taste(void)
{
	burn(4);
	__asm__ volatile("");
}

static void *baker(void *arg)
{
	for (int i = 0; i < 8; i++) {
		bake();
		pthread_mutex_lock(&lock);
		made++;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, baker, NULL);
	for (; taken < 8; taken++) {
		pthread_mutex_lock(&lock);
		while (made == taken)
			pthread_cond_wait(&changed, &lock);
		pthread_mutex_unlock(&lock);
		taste();
	}
	pthread_join(thread, NULL);
	return 0;
}
