/* Two threads use a lock, each most of the time, until the input ends. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

static pthread_mutex_t hot_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool over;
static volatile long sum;

static void __attribute__((noinline)) use_lock(void)
{
	pthread_mutex_lock(&hot_lock);
	for (long i = 0; i < 2000000; i++)
		sum += i;
	pthread_mutex_unlock(&hot_lock);
	usleep(100);
}

static void *work(void *name)
{
	pthread_setname_np(pthread_self(), name);
	while (!over)
		use_lock();
	return NULL;
}

int main(void)
{
	static char *const names[] = {"left", "right"};
	pthread_t threads[2];
	char c;

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, names[i]);
	while (read(STDIN_FILENO, &c, 1) > 0)
		;
	over = true;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
