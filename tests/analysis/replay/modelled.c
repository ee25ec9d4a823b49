/*
 * Programs for models. "blocks N": 40 blocks of 1000 to 5000 units, one N-th of each is done, a unit takes
 * some 100 ns. "read FILE": writes 4 MiB, and reads them in 64 pieces. "turns": two threads hold a lock
 * for 1 ms 50 times each, and do nothing else.
 */
#include "modelled_glimpse.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BLOCKS = 40, PIECES = 64, PIECE = 65536, TURNS = 50, THREADS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned sum;

static void blocks(int parts)
{
	for (int i = 0; i < BLOCKS; i++) {
		int size = 1000 * (1 + i % 5) / parts;

		BlockBegin_Stamp(size);
		for (int unit = 0; unit < 50 * size; unit++)
			sum += (unsigned)unit;
		BlockEnd_Stamp();
	}
}

static int pieces_read(const char *path)
{
	static char piece[PIECE];
	int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600), good = file >= 0;

	for (int i = 0; i < PIECES && good; i++)
		good = write(file, piece, sizeof piece) == sizeof piece;
	good = good && lseek(file, 0, SEEK_SET) == 0;
	for (int i = 0; i < PIECES && good; i++)
		good = read(file, piece, sizeof piece) == sizeof piece;
	return !good;
}

static double cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void *turns(void *unused)
{
	for (int i = 0; i < TURNS; i++) {
		double end;

		pthread_mutex_lock(&lock);
		end = cpu_ms() + 1;
		while (cpu_ms() < end)
			;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	if (argc == 3 && strcmp(argv[1], "blocks") == 0) {
		blocks(atoi(argv[2]));
		return 0;
	}
	if (argc == 3 && strcmp(argv[1], "read") == 0)
		return pieces_read(argv[2]);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, turns, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
