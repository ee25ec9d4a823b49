/*
 * Functions of known shares, of which one runs in a handler of signals that a timer sends; prints what each took by the
 * thread's own clock, in ns. Arguments: how many rounds; "other", if the handler has a stack of its own.
 */
#include "../../computes.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

enum { OUTER, INNER, HANDLED, FUNCTIONS };

static volatile long took[FUNCTIONS];
static volatile long handler_took; /* of what runs now */

COMPUTES(outer)
COMPUTES(inner)
COMPUTES(handled)

static void handler(int signal)
{
	long begin = now();

	(void)signal;
	handled(1000000);
	handler_took = handler_took + now() - begin;
}

/* Runs a function; what handlers take in between is theirs. */
static void run(void (*function)(long), int which, long n)
{
	long handlers = handler_took, begin = now(), end;

	function(n);
	/* a signal that comes during now() is handled after it */
	handlers = handler_took - handlers;
	end = now();
	took[which] += end - begin - handlers;
}

int main(int argc, char **argv)
{
	static char room[1 << 16];
	stack_t other = {.ss_sp = room, .ss_size = sizeof room};
	struct sigaction action = {.sa_handler = handler,
				   .sa_flags = SA_RESTART | (argc > 2 ? SA_ONSTACK : 0)};
	struct itimerval every = {{0, 3000}, {0, 3000}}, never = {0};
	long rounds = argc > 1 ? atol(argv[1]) : 100;

	sigaltstack(&other, NULL);
	sigaction(SIGVTALRM, &action, NULL);
	setitimer(ITIMER_VIRTUAL, &every, NULL);
	for (long i = 0; i < rounds; i++) {
		run(outer, OUTER, 600000 + i % 7 * 50000);
		run(inner, INNER, 300000 + i % 11 * 20000);
	}
	setitimer(ITIMER_VIRTUAL, &never, NULL);
	took[HANDLED] = handler_took;
	printf("outer %ld\ninner %ld\nhandled %ld\n", took[OUTER], took[INNER], took[HANDLED]);
	return 0;
}
