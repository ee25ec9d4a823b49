/* Reads `glimpse stats --by`: groups the instances of each interval. */
#ifndef GLIMPSE_CLI_STATS_BY_H
#define GLIMPSE_CLI_STATS_BY_H

#include "cli/common/command.h"

#define BY_OPTION \
	{ \
		'b', "by", "EXPRESSION", \
		    "a row for each value of it: thread, process, owner, a.size, 'a.size / 64 KiB'\n" \
		    "(repeatable: of two, a table of one by the other, with the imbalance)", \
		    stats_by_take \
	}

void stats_by_take(const char *expression);
bool stats_by_wanted(void);
/*
 * Prints the groups of the intervals that have what the expressions ask for; gives an exit status.
 */
int stats_by_print(struct command_request *r, struct trace *t, const struct interval **intervals);

#endif
