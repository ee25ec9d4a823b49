/* More threads than processors: who has the lock has no processor, and all wait for it. */
#include "plant.h"

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static volatile bool done;
enum { NOISE = 12 };

static void *noise(void *unused)
{
	while (!done && !mended)
		work(1000);
	return unused;
}

static void *turns(void *unused)
{
	for (int i = 0; i < 20 * size; i++) {
		pthread_mutex_lock(&shared);
		work(mended ? 100 : 700);
		pthread_mutex_unlock(&shared);
		work(300);
	}
	return unused;
}

static void plant(void)
{
	pthread_t others[NOISE];

	for (int i = 0; i < NOISE; i++) {
		pthread_create(&others[i], NULL, noise, NULL);
		pthread_setname_np(others[i], "noise");
	}
	start(3, "worker", turns);
	join(3);
	done = true;
	for (int i = 0; i < NOISE; i++)
		pthread_join(others[i], NULL);
}
