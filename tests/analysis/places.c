/* A lock that is held while sleeping, taken at sixteen places of one function: none of them alone has much. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t hot_lock = PTHREAD_MUTEX_INITIALIZER;

#define PLACE pthread_mutex_lock(&hot_lock); usleep(1000); pthread_mutex_unlock(&hot_lock); usleep(50);
#define FOUR PLACE PLACE PLACE PLACE

static void *everywhere(void *unused)
{
	for (int i = 0; i < 8; i++) {
		FOUR
		FOUR
		FOUR
		FOUR
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
