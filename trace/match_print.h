/* Prints the instances of intervals in one of the formats of `glimpse match`. */
#ifndef GLIMPSE_TRACE_MATCH_PRINT_H
#define GLIMPSE_TRACE_MATCH_PRINT_H

#include "spec/json.h"
#include "trace/account.h"
#include "trace/cmd.h"
#include "trace/match.h"

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
