/* locks-table EVENTS: so many events, of four threads that take and release 64 locks, and wait now and then. */
#include "held_glimpse.h"
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { THREADS = 4, LOCKS = 64 };

static char locks[LOCKS];
static long events_each;

static void *work(void *number)
{
	uint64_t random = (uint64_t)(uintptr_t)number + 1;

	for (long i = 0; i < events_each; i += 2) {
		char *lock, *site;

		random = random * 6364136223846793005u + 1442695040888963407u;
		lock = &locks[random >> 58];
		site = (char *)work + (random >> 50) % 8;
		if ((random >> 40) % 32 == 0) {
			LockBusy_Stamp(lock, site);
			LockEnd_Stamp(lock, 2, 0);
			i += 2;
		}
		Lock_Stamp(lock, site);
		Unlock_Stamp(lock, site, 2);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	events_each = (argc > 1 ? atol(argv[1]) : 1000000) / THREADS;
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
