/* A thread waits for another to let it go on, which computes in a function of its own meanwhile: again and again. */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int made, taken;
static volatile unsigned long sum;

static unsigned long per_millisecond;

/* Computes without calls: a lane shows the innermost functions of its deepest stack. */
static void __attribute__((noinline)) compute(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sum += i * i;
}

static void measure(void)
{
	struct timespec begin, end;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	compute(4000000);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
	per_millisecond = 4000000000000 / (unsigned long)((end.tv_sec - begin.tv_sec) * 1000000000 +
							  end.tv_nsec - begin.tv_nsec);
}

/* Runs for about so many milliseconds. */
static void __attribute__((noinline)) burn(unsigned long milliseconds)
{
	for (unsigned long i = 0, n = milliseconds * per_millisecond; i < n; i++)
		sum += i * i;
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

	measure();
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
