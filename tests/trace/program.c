/*
 * program THREADS EVENTS: logs from several threads and prints, for each event, the line of
 * `glimpse events --format=csv` without time and thread. Tickets are logged under a lock, so their
 * numbers say the true order. EVENTS 0: logs until it is killed.
 */
#include "program_glimpse.h"
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FOREVER 2000000 /* half a minute: a test that fails must not fill a disk */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long tickets;
static long events;

static void ticket_take(int who, long seq)
{
	pthread_mutex_lock(&lock);
	Ticket_Stamp(who, tickets);
	printf("%ld,Ticket,who=%d;number=%lu\n", seq, who, tickets);
	tickets++;
	pthread_mutex_unlock(&lock);
}

static void work_log(int who, long n)
{
	static const char *const texts[] = {"plain",	  "a, b", "say \"x\"",
					    "semi;colon", "",	  "two\nlines"};
	static const char *const shown[] = {"plain",	    "a, b", "say \"\"x\"\"",
					    "semi\\;colon", "",	    "two\\nlines"};
	const char *quote = n % 6 == 1 || n % 6 == 2 ? "\"" : "";
	double quarter = (double)n / 4;
	void *at = (void *)(uintptr_t)(n * 16);

	Work_Stamp(who, (uint32_t)n, -n * n, quarter, at, texts[n % 6]);
	printf("%ld,Work,%swho=%d;n=%ld;square=%ld;quarter=%.17g;at=0x%" PRIxPTR ";text=%s%s\n",
	       2 * n, quote, who, n, -n * n, quarter, (uintptr_t)at, shown[n % 6], quote);
}

static void *thread_run(void *argument)
{
	int who = (int)(intptr_t)argument;
	char name[32];

	snprintf(name, sizeof name, "worker %d", who);
	glimpse_thread_name(name);
	for (long n = 0; n < events; n++) {
		work_log(who, n);
		ticket_take(who, 2 * n + 1);
	}
	for (unsigned long n = 0; events == 0 && n < FOREVER; n++) {
		Ticket_Stamp(who, n);
		if (n % 64 == 0)
			usleep(10000);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 4;
	pthread_t list[64];

	events = argc > 2 ? atol(argv[2]) : 100;
	if (threads < 1 || threads > 64)
		return 2;
	for (intptr_t i = 0; i < threads; i++)
		pthread_create(&list[i], NULL, thread_run, (void *)i);
	for (int i = 0; i < threads; i++)
		pthread_join(list[i], NULL);
	return 0;
}
