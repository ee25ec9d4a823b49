/* Two threads, in a phase that is named and has two parts: in the second they wait for a lock, by hand. */
#include "named_glimpse.h"
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static void *solves(void *unused)
{
	usleep(60000);
	pthread_barrier_wait(&both);
	for (int i = 0; i < 20; i++) {
		LockBusy_Stamp();
		pthread_mutex_lock(&lock);
		LockTaken_Stamp();
		usleep(3000);
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	usleep(20000);
	pthread_barrier_init(&both, NULL, 3);
	SolveBegins_Stamp();
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, solves, NULL);
	ReadBegins_Stamp();
	pthread_barrier_wait(&both);
	ReadEnds_Stamp();
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	SolveEnds_Stamp();
	usleep(20000);
	SolveBegins_Stamp();
	SolveEnds_Stamp();
	return 0;
}
