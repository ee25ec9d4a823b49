/* Ends in the way of its argument while a helper thread waits for a condition that nobody signals. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static volatile double sum;

/* Computes 300 ms of processor time. */
__attribute__((noinline)) static void compute(void)
{
	struct timespec now = {0};

	while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < 300) {
		for (int i = 0; i < 100000; i++)
			sum += i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	}
}

static void *helper(void *argument)
{
	pthread_mutex_lock(&lock);
	for (;;)
		pthread_cond_wait(&condition, &lock);
	return argument;
}

static void *endless(void *argument)
{
	static volatile unsigned turns;

	for (;;)
		turns++;
	return argument;
}

static void *exits(void *argument)
{
	compute();
	exit(0);
	return argument;
}

int main(int n, char **arguments)
{
	const char *how = n > 1 ? arguments[1] : "return";
	pthread_t thread;

	pthread_create(&thread, NULL, helper, NULL);
	if (!strcmp(how, "exit")) {
		pthread_create(&thread, NULL, exits, NULL);
		pthread_join(thread, NULL);
	}
	if (!strcmp(how, "endless"))
		pthread_create(&thread, NULL, endless, NULL);
	compute();
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "_exit"))
		_exit(0);
	if (!strcmp(how, "killed"))
		pause();
	return 0;
}
