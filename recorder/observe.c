#include "recorder/observe.h"
#include "base/array.h"
#include <stdlib.h>

static int opened;

static void environment_set(const char *directory)
{
	char *logs = text_format("%s/recorder", directory);

	setenv("GLIMPSE_DIR", logs, 1);
	setenv("GLIMPSE_CLOCK", "monotonic", 1);
	unsetenv("GLIMPSE_KEEP");
	unsetenv("GLIMPSE_OFF");
	unsetenv("GLIMPSE_TAILS");
	free(logs);
}

bool observe_begin(const struct recording *r, const struct probes *probes)
{
	environment_set(r->directory);
	opened = recorder_open(r, probes->names, (int)probes->count);
	return opened > 0;
}

void observe_wait(int fd, int most)
{
	static struct pollfd fds[RECORDER_FDS + 1];
	int n = opened ? recorder_fds(fds + 1, RECORDER_FDS) : 0,
	    wait = opened ? recorder_wait() : -1;

	fds[0] = (struct pollfd){.fd = fd, .events = POLLIN};
	poll(fds, (nfds_t)n + 1, wait < 0 || (most >= 0 && most < wait) ? most : wait);
	if (opened)
		recorder_step(fds + 1);
}

void observe_last(void)
{
	if (opened)
		recorder_step(NULL);
}

void observe_end(void)
{
	if (!opened)
		return;
	recorder_close();
}

void observe_adopt(const char *directory)
{
	if (opened)
		recorder_adopt(directory);
	opened = 0;
}
