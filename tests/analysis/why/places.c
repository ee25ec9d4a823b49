/* A lock that is held while sleeping, taken at sixteen places of one function, on a line each: none of them alone has much. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t hot_lock = PTHREAD_MUTEX_INITIALIZER;

#define PLACE pthread_mutex_lock(&hot_lock); mine = ++taken; usleep(1000); pthread_mutex_unlock(&hot_lock); other_one(mine);

static atomic_int taken;

/* waits until the other thread has the lock, however late it wakes up */
static void other_one(int mine)
{
	while (taken == mine && mine < 2 * 8 * 16)
		usleep(50);
}

static void *everywhere(void *unused)
{
	int mine;

	for (int i = 0; i < 8; i++) {
		PLACE
		PLACE
		PLACE
		PLACE
		PLACE
		PLACE
		PLACE
		PLACE
		PLACE
		PLACE
		PLACE
		PLACE
		PLACE
		PLACE
		PLACE
		PLACE
	}
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, everywhere, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
