/*
 * Waits in the kernel. faults FILE: touches every 64th KiB of a mapped file that is not in memory.
 * syncs FILE: writes and syncs it 20 times. maps: threads that map, touch and unmap memory.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STEP = 64 << 10, BLOCK = 4 << 20, THREADS = 8 };

__attribute__((noinline)) static long touch(volatile const char *at, off_t length)
{
	long sum = 0;

	for (off_t i = 0; i < length; i += STEP)
		sum += at[i];
	return sum;
}

static int faults(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	off_t length = lseek(fd, 0, SEEK_END);
	char *at;

	if (fd < 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0)
		return 1;
	at = mmap(NULL, (size_t)length, PROT_READ, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED || madvise(at, (size_t)length, MADV_RANDOM) != 0)
		return 1;
	return touch(at, length) == 1;
}

static int syncs(const char *file)
{
	int fd = open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	for (int i = 0; i < 20; i++)
		if (write(fd, file, 1) != 1 || fsync(fd) != 0)
			return 1;
	return 0;
}

static void *maps(void *unused)
{
	for (int i = 0; i < 40; i++) {
		char *at =
		    mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (at == MAP_FAILED)
			abort();
		memset(at, 1, BLOCK);
		munmap(at, BLOCK);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	if (argc > 2)
		return strcmp(argv[1], "faults") == 0 ? faults(argv[2]) : syncs(argv[2]);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, maps, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
