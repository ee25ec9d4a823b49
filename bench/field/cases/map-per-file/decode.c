/*
 * Four threads decode files in place: each maps its file, changes it, unmaps it. The maps share the
 * process's one lock of its address space, and each page faults anew. Argument "read": they read()
 * into a buffer that they keep.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 256 << 10, FILES = 1000 };

static int by_read, fd;

__attribute__((noinline)) static long decode(unsigned char *p)
{
	long sum = 0;

	for (int i = 0; i < SIZE; i += 64)
		sum += p[i] ^= 1;
	return sum;
}

static void *work(void *unused)
{
	unsigned char *kept = malloc(SIZE);
	long sum = 0;

	for (int i = 0; i < FILES; i++)
		if (by_read) {
			if (pread(fd, kept, SIZE, 0) != SIZE)
				abort();
			sum += decode(kept);
		} else {
			unsigned char *p =
			    mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);

			sum += decode(p);
			munmap(p, SIZE);
		}
	free(kept);
	return sum ? unused : NULL;
}

int main(int n, char **words)
{
	pthread_t threads[4];
	char *all = calloc(1, SIZE);

	(void)words;
	by_read = n > 1;
	fd = memfd_create("file", 0);
	if (write(fd, all, SIZE) != SIZE)
		return 1;
	for (int i = 0; i < 4; i++)
		pthread_create(threads + i, NULL, work, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
