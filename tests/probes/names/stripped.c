/* Acquires a lock at two call sites of one function, and at one of another: stripped.test. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int counter;

__attribute__((noinline)) static void twice(void)
{
	pthread_mutex_lock(&lock);
	counter++;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	counter++;
	pthread_mutex_unlock(&lock);
}

__attribute__((noinline)) static void once(void)
{
	pthread_mutex_lock(&lock);
	counter += 2;
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	for (int i = 0; i < 100; i++) {
		twice();
		once();
	}
	return counter != 400;
}
