/* The first thread reads from a pipe what the other one writes, each time after it has computed for a while. */
#include <pthread.h>
#include <unistd.h>

enum { TIMES = 5, ROUNDS = 20000000 };

static int ends[2];
static volatile unsigned long result;

static void *writer(void *unused)
{
	(void)unused;
	for (int i = 0; i < TIMES; i++) {
		for (unsigned long k = 0; k < ROUNDS; k++)
			result += k;
		if (write(ends[1], "x", 1) != 1)
			break;
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;
	char c;

	if (pipe(ends) != 0 || pthread_create(&thread, NULL, writer, NULL) != 0)
		return 1;
	for (int i = 0; i < TIMES; i++)
		if (read(ends[0], &c, 1) != 1)
			return 1;
	return pthread_join(thread, NULL);
}
