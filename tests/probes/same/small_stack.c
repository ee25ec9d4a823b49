/* Threads with the smallest stack use so many bytes of it in one frame, and take a lock. */
#include <alloca.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 16384, THREADS = 4 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *bytes)
{
	char *volatile frame = alloca((size_t)bytes);

	memset(frame, 1, (size_t)bytes);
	for (int i = 0; i < 2000; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	void *bytes = (void *)(argc > 1 ? strtoul(argv[1], NULL, 10) : 0);
	pthread_attr_t attributes;
	pthread_t thread[THREADS];

	pthread_attr_init(&attributes);
	if (pthread_attr_setstacksize(&attributes, SMALLEST))
		return 77;
	for (int turn = 0; turn < 20; turn++) {
		for (int i = 0; i < THREADS; i++)
			if (pthread_create(&thread[i], &attributes, use, bytes))
				return 1;
		for (int i = 0; i < THREADS; i++)
			pthread_join(thread[i], NULL);
	}
	return 0;
}
