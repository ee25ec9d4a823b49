/* Reads from a file that the kernel makes up, in blocks of 1 MiB, and sums them, for as much processor time as is asked for, ms. */
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 1 << 20 };

static char block[BLOCK];

static volatile unsigned sum;

static __attribute__((noinline)) void sum_block(void)
{
	unsigned of = 0;

	for (int i = 0; i < BLOCK; i++)
		of = of * 31 + (unsigned char)block[i];
	sum = of;
}

static __attribute__((noinline)) void read_blocks(int fd, long ns)
{
	struct timespec t = {0};

	while (t.tv_sec * 1000000000 + t.tv_nsec < ns) {
		if (read(fd, block, BLOCK) != BLOCK)
			exit(1);
		sum_block();
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	}
}

int main(int argc, char **argv)
{
	int fd = argc == 3 ? open(argv[1], O_RDONLY) : -1;

	if (fd < 0)
		return 1;
	read_blocks(fd, atol(argv[2]) * 1000000);
	return 0;
}
