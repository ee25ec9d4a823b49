/* Prints `glimpse profile`: tables and trees of calls. */
#ifndef GLIMPSE_CLI_PROFILE_H
#define GLIMPSE_CLI_PROFILE_H

#include "analysis/calls/call_table.h"
#include "analysis/samples/sample_share.h"
#include "base/units.h"
#include "cli/common/command.h"
#include "trace/stream/losses.h"

/* A text has no rows of less than this share (%), unless --top is given. */
enum { SHARE_LEAST = 1 };

struct profile {
	const struct trace *trace;
	const struct calls *calls;
	unsigned by; /* CALLS_BY_ */
	enum { BELOW_NOTHING, BELOW_CALLERS, BELOW_CALLEES } below;
	size_t top; /* rows of a text; SIZE_MAX: all */
	bool brief; /* --top was not given: a text stops at SHARE_LEAST */
	bool lines; /* functions with file and line */
	/* the event whose occurrences stand where times are; NULL: there are times */
	const char *counted;
	bool exact;    /* each event counted is one occurrence */
	bool states;   /* it is known when the threads ran */
	bool inverted; /* a tree begins with the functions that ran */
	/* some threads' calls are those of samples; of some they are logged */
	bool sampled, logged;
	bool sources;                 /* a text says which of them a row is from */
	uint64_t samples;             /* that are in a function */
	struct losses losses;         /* of the whole trace; in json */
	int64_t total, sampled_total; /* CPU time in functions, ns: of all; of those samples */
	unsigned *cycles, ncycles;    /* of functions: see call_cycles() */
	bool *cycle_shown;            /* by cycle: a text has a function of it */
};

void profile_table_print(FILE *out, enum format format, const struct profile *p);
void profile_tree_print(FILE *out, enum format format, const struct profile *p);

/* Returns a function's name, with its line where that is wanted, and its cycle; to be freed. */
char *profile_name(const struct profile *p, uint32_t function);
/* Writes a time, or a number of occurrences. */
void profile_amount(char text[UNITS_TEXT], const struct profile *p, int64_t amount);
/* Returns the head of what functions have themselves: "cpu", "own" or the name of the event. */
const char *profile_head(const struct profile *p);
/*
 * Return whether a row's share is an estimate, and its 95 % interval: of functions, lines and
 * callers. How long threads and processes ran is known.
 */
bool profile_is_estimate(const struct profile *p, const struct call_row *row);
struct share_range profile_share(const struct profile *p, const struct call_row *row);
/* Returns what a row is from: "exact", "samples" or "both". */
const char *profile_source(const struct call_row *row);
/* Returns the mean of a time. */
int64_t profile_mean(const struct call_times *t, uint64_t calls);

#endif
