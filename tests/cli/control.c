/*
 * control EACH: logs EACH rounds of three events a millisecond, until SIGTERM ends it in order. At
 * most half a minute: a test that fails must not fill a disk.
 */
#include "control_glimpse.h"
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
	int each = argc > 1 ? atoi(argv[1]) : 1, n = 0;

	signal(SIGTERM, ends);
	for (int i = 0; i < MILLISECONDS && !stop; i++) {
		for (int k = 0; k < each; k++, n++) {
			Request_Stamp(n);
			Reply_Stamp(n);
			Other_Stamp(n);
		}
		usleep(1000);
	}
	return 0;
}
