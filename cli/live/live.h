/*
 * The search while the program runs. It looks repeatedly at the events logged so far. Each pass
 * tests the hypotheses whose events were logged in a part of the run, and tests earlier findings
 * again. It requests events that other hypotheses need; the caller switches them on and off.
 */
#ifndef GLIMPSE_CLI_LIVE_LIVE_H
#define GLIMPSE_CLI_LIVE_LIVE_H

#include "base/array.h"
#include "trace/trace.h"

/* What was found stays true while its measures have this part of what the thresholds ask for. */
#define LIVE_HYSTERESIS 0.9
/* What did not hold is asked for again after so many passes. */
enum { LIVE_PATIENCE = 6 };

/* A type of event that is switched. */
struct live_event {
	char *name;
	bool cheap;     /* it is logged from the beginning */
	bool known;     /* in all of the part that is looked at; set by the caller */
	bool asked;     /* the search wants it */
	bool needed;    /* by what was found and holds */
	bool refused;   /* it costs too much; set by the caller */
	uint64_t count; /* by the last pass */
	int64_t since;  /* when it was switched on; 0: it is off; set by the caller */
	int64_t on_at;  /* up to when its time is counted; set by the caller */
	double time;    /* ns that it was on before; set by the caller */
	double rate;    /* a second of that time, at the last pass; negative: not known */
	/*
	 * the part of the running threads' time that it is thought to take while on; set by the
	 * caller
	 */
	double predicted;
	double predicted_time; /* the sum of that, over the ns that it was on; set by the caller */
	uint64_t seen;         /* events, and the time, when the rate was found */
	double seen_time;
};

/* A value on an axis that a finding was refined to. */
struct live_place {
	char *axis, *name;
};

struct live_finding {
	char *hypothesis, *explanation;
	VECTOR(struct live_place) where;
	int64_t found;         /* time of the trace: the end of the part in which it was */
	int64_t held_to;       /* the same of the last one in which it held */
	unsigned tested, held; /* passes */
	bool holds;
	double cost, share; /* at the last pass */
};

/* How often a hypothesis was answered. */
struct live_answer {
	char *hypothesis;
	unsigned pass; /* the last one in which it was tested */
	bool held;
};

struct live {
	VECTOR(struct live_event) events;
	VECTOR(struct live_finding) findings;
	VECTOR(struct live_answer) answers;
	unsigned passes;
	unsigned tests;         /* nodes of all searches */
	const char *hypotheses; /* a file; NULL: the ready-made ones */
	unsigned processors;    /* 0: found from the trace */
	double running;         /* threads, on average over the part that was searched */
	double event_cost;      /* ns */
};

/* Counts the events of a trace: sets the rates of the events enabled since the last time. */
void live_count(struct live *l, const struct trace *t);
/*
 * Searches a part of a trace, and sets what is asked for. Returns false after a report to diag, if
 * the hypotheses cannot be read.
 */
bool live_pass(struct live *l, struct trace *t, int64_t from, int64_t to, struct diag *diag);
/* Returns the event of a name; NULL: it is not one that is switched. */
struct live_event *live_event_find(const struct live *l, const char *name);
/* Returns the place of a finding in words: "object hot, threads worker *"; to be freed. */
char *live_finding_place(const struct live_finding *f);
void live_free(struct live *l);

#endif
