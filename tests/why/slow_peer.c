/* Another process takes its time to answer. */
#include "plant.h"

enum { REQUESTS = 40 };

static void peer(int in, int out)
{
	char c;

	while (read(in, &c, 1) == 1) {
		if (!mended)
			usleep(4000);
		if (write(out, &c, 1) != 1)
			break;
	}
	_exit(0);
}

__attribute__((noinline)) static void ask(int out, int in)
{
	char c = 'x';

	if (write(out, &c, 1) != 1 || read(in, &c, 1) != 1)
		exit(1);
}

static void plant(void)
{
	int there[2], back[2];

	if (pipe(there) || pipe(back))
		exit(1);
	if (!fork()) {
		close(there[1]);
		peer(there[0], back[1]);
	}
	for (int i = 0; i < REQUESTS * size; i++) {
		ask(there[1], back[0]);
		work(1500);
	}
	close(there[1]);
	wait(NULL);
}
