/* The runs of the command line: their traces, and the series that the expressions give on them. */
#ifndef GLIMPSE_NIBBLE_RUN_H
#define GLIMPSE_NIBBLE_RUN_H

#include "trace/trace.h"
#include "viewers/nibble/expr/expressions.h"
#include "viewers/nibble/options.h"
#include "viewers/nibble/sample/windows.h"
#include "viewers/nibble/series/curve.h"

/* Runs: one, or several that are compared. */
struct nibble_run {
	struct trace *trace;
	const char *name;   /* the last part of its directory's name */
	double origin;	    /* what stands at 0 of the picture: --align */
	struct limits range; /* of its own time: what is looked at */
};

struct runs {
	struct nibble_run *at;
	unsigned n;
	struct limits range; /* of the picture: all of theirs */
};

/* Opens the directories of the command line. False, and diag is told, when one cannot be read. */
bool runs_open(struct runs *r, const struct nibble_options *o, struct diag *diag);
void runs_close(struct runs *r);
/* What a picture of them is about: "messages, run1". The caller's. */
char *runs_subject(const struct runs *r);

/*
 * Evaluates the expressions on each run and adds what they give to families, one for each
 * expression; where there are several runs each series is called after its own. Windows are of one
 * width in all runs. False, and diag is told of every error, when one has no meaning.
 */
bool runs_evaluate(const struct runs *r, const struct nibble_options *o, const struct expressions *x,
		   struct family *families, struct diag *diag);

#endif
