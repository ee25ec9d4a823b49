/*
 * control EACH: logs EACH rounds of three events a millisecond, until SIGTERM ends it in order, and
 * answers each line of its input thirty milliseconds later. At most half a minute: a test that
 * fails must not fill a disk.
 */
#include "control_glimpse.h"
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define MILLISECONDS 30000

static volatile sig_atomic_t stop;

static void ends(int signal)
{
	stop = signal;
}

int main(int argc, char **argv)
{
	int each = argc > 1 ? atoi(argv[1]) : 1, n = 0, answer = 0;
	struct pollfd in = {STDIN_FILENO, POLLIN, 0};
	char c;

	signal(SIGTERM, ends);
	for (int i = 0; i < MILLISECONDS && !stop; i++) {
		for (int k = 0; k < each; k++, n++) {
			Request_Stamp(n);
			Reply_Stamp(n);
			Other_Stamp(n);
		}
		if (answer && --answer == 0 && write(STDOUT_FILENO, "\n", 1) != 1)
			return 1;
		if (poll(&in, 1, 1) <= 0)
			continue;
		if (read(STDIN_FILENO, &c, 1) == 1)
			answer = 30;
		else
			in.fd = -1;
	}
	return 0;
}
