/*
 * Four threads append records to a journal, and write it through to the disk under its lock.
 * Argument: how many records each appends.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
static int fd, records = 60;

/* Computes for about 2 us for each thousand. */
__attribute__((noinline)) static void compute(long thousands)
{
	unsigned long x = 1;
	volatile unsigned long result;

	for (long i = 0; i < thousands * 1000; i++) {
		x = x * 6364136223846793005u + 1;
		x ^= x >> 29;
	}
	result = x;
	(void)result;
}

__attribute__((noinline)) static int append(void)
{
	char record[512] = "record";
	int failed;

	pthread_mutex_lock(&journal);
	failed = write(fd, record, sizeof record) != sizeof record || fsync(fd) != 0;
	pthread_mutex_unlock(&journal);
	return failed;
}

static void *serve(void *failed)
{
	for (int i = 0; i < records; i++) {
		compute(20);
		if (append())
			return failed;
	}
	return NULL;
}

int main(int n, char **words)
{
	pthread_t threads[4];

	if (n > 1)
		records = atoi(words[1]);
	fd = open("journal.out", O_CREAT | O_TRUNC | O_WRONLY | O_APPEND, 0600);
	if (fd < 0)
		return 1;
	for (int i = 0; i < 4; i++)
		pthread_create(threads + i, NULL, serve, &journal);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return unlink("journal.out");
}
