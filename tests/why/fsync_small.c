/* Many small writes, each of which waits for the disk. */
#include "plant.h"

__attribute__((noinline)) static void save(int file)
{
	char line[16] = "line\n";

	for (int i = 0; i < 600 * size; i++) {
		if (write(file, line, sizeof line) != sizeof line)
			exit(1);
		if ((!mended || i % 600 == 599) && fsync(file))
			exit(1);
	}
}

static void plant(void)
{
	int file = open("planted.tmp", O_CREAT | O_TRUNC | O_WRONLY, 0600);

	work(10000);
	save(file);
	work(10000);
	close(file);
	unlink("planted.tmp");
}
