/* Reports a live search: when each finding was made, which events were on, and the cost. */
#ifndef GLIMPSE_CLI_LIVE_REPORT_H
#define GLIMPSE_CLI_LIVE_REPORT_H

#include "cli/live/live.h"
#include <stdio.h>

/* Of the whole search. */
struct live_ending {
	const char *program, *directory;
	int status;          /* of the program, as a shell has it */
	int64_t duration;    /* of the program, ns */
	double limit;        /* of the cost: a part */
	double running;      /* threads, on average */
	int64_t search_time; /* processor time of the search, ns */
};

/* Prints a line for each finding that is new since `before` findings were there. */
void live_news_print(FILE *out, const struct live *l, size_t before, double seconds);
void live_report_print(FILE *out, const struct live *l, const struct live_ending *e);
void live_report_json(FILE *out, const struct live *l, const struct live_ending *e);

#endif
