/*
 * Threads for start-names.test: `parse` twice and `transform` once, which have no names of their own,
 * and `write_out`, which calls itself "writer". A lock makes them meet.
 */
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;

/* Each thread holds the lock long enough for the others to wait for it. */
static void turns(void)
{
	for (int i = 0; i < 20; i++) {
		pthread_mutex_lock(&table_lock);
		usleep(2000);
		pthread_mutex_unlock(&table_lock);
	}
}

static void *parse(void *argument)
{
	turns();
	return argument;
}

static void *transform(void *argument)
{
	turns();
	turns();
	return argument;
}

static void *write_out(void *argument)
{
	pthread_setname_np(pthread_self(), "writer");
	turns();
	return argument;
}

int main(void)
{
	void *(*const starts[])(void *) = {parse, parse, transform, write_out};
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, starts[i], NULL))
			return 1;
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
