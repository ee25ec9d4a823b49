/*
 * One thread works alone, then two hold a lock in turn, then two do without it. It sleeps where it would
 * work, as nothing else on the machine changes how long that takes.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static atomic_int taken;

__attribute__((noinline)) static void reads(void)
{
	for (int i = 0; i < 40; i++)
		usleep(3000);
}

static void *turns(void *unused)
{
	for (int i = 0; i < 20; i++) {
		pthread_mutex_lock(&table);
		int mine = ++taken;

		usleep(4000);
		pthread_mutex_unlock(&table);
		while (taken == mine && mine < 40)
			usleep(200);    /* until the other one has it, however late it wakes up */
	}
	pthread_barrier_wait(&both);
	for (int i = 0; i < 50; i++)
		usleep(3000);
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	reads();
	pthread_barrier_init(&both, NULL, 2);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, turns, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
