/* Opens the runs of the command line: their traces, and the series of the expressions on them. */
#ifndef GLIMPSE_NIBBLE_RUN_H
#define GLIMPSE_NIBBLE_RUN_H

#include "trace/trace.h"
#include "viewers/nibble/expr/expressions.h"
#include "viewers/nibble/options.h"
#include "viewers/nibble/sample/windows.h"
#include "viewers/nibble/series/curve.h"

/* A run of a program; several are compared. */
struct nibble_run {
	struct trace *trace;
	char *name;          /* the last part of its directory's name */
	double origin;       /* what stands at 0 of the picture: --align */
	struct limits range; /* what is looked at, in its own time */
};

struct runs {
	struct nibble_run *at;
	unsigned n;
	struct limits range; /* of the picture: the ranges of all runs */
};

/*
 * Opens the directories of the command line. Returns false, and diag is told, if one cannot be
 * read.
 */
bool runs_open(struct runs *r, const struct nibble_options *o, struct diag *diag);
void runs_close(struct runs *r);
/* Returns the name of the most frequent event of the first run; NULL if it has none. */
const char *runs_frequent_event(const struct runs *r);
/* Returns what a picture of the runs is about: "messages, run1". The caller frees it. */
char *runs_subject(const struct runs *r);

/*
 * Evaluates the expressions on each run and adds the curves to families, one for each expression;
 * where there are several runs each curve is named after its own. Windows are of one width in all
 * runs. Returns false, and diag is told of every error, if an expression has no meaning.
 */
bool runs_evaluate(const struct runs *r, const struct nibble_options *o,
		   const struct expressions *x, struct family *families, struct diag *diag);

#endif
