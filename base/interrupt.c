#include "base/interrupt.h"
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t caught;

static void catch (int number)
{
	caught = number;
}

void interrupt_catch(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = catch}, before;

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
}

bool interrupt_pending(void)
{
	return caught;
}

void interrupt_end(void)
{
	if (!caught)
		return;
	signal(caught, SIG_DFL);
	raise(caught);
}
