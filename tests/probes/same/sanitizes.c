/* Threads, locks, memory and files, for the sanitizers to watch. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *argument)
{
	for (int i = 0; i < 1000; i++) {
		void *block = malloc((size_t)i);

		pthread_mutex_lock(&mutex);
		count += block != NULL;
		pthread_mutex_unlock(&mutex);
		free(block);
	}
	return argument;
}

int main(void)
{
	int fd = open("/dev/zero", O_RDONLY);
	pthread_t threads[3];
	char bytes[3];

	for (int i = 0; i < 3; i++)
		if (pthread_create(&threads[i], NULL, work, NULL))
			return 1;
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("%d %d\n", (int)read(fd, bytes, sizeof bytes), count);
	close(fd);
	return 3;
}
