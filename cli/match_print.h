/* Prints the instances of intervals in one of the formats of `glimpse match`. */
#ifndef GLIMPSE_CLI_MATCH_PRINT_H
#define GLIMPSE_CLI_MATCH_PRINT_H

#include "base/json.h"
#include "cli/command.h"
#include "match/join/match.h"
#include "match/stats/account.h"

struct match_printer {
	FILE *out;
	enum format format;
	const struct trace *trace;
	bool matched, unmatched;        /* which instances to print */
	bool metrics;
	struct json json;
};

void match_print_begin(struct match_printer *p);
void match_print(struct match_printer *p, const struct matches *m, const struct account *account);
void match_print_end(struct match_printer *p);

#endif
