/*
 * Finds of each thread the samples of its call stack, which events of the kind "sample" are, and
 * what they stand for: the time since the thread's sample before, or since its first event. Who
 * knows states takes the blocked time from it (analysis/activity/blocked_samples.h). What
 * comes after the last sample belongs to it, so that all of a thread's time is some sample's.
 *
 *	thread   [--------1----)[-----2-----)[---3-----------------]
 *	sample                 1            2         3
 *
 * A function that the compiler inlined is one of its own, as if it had been called. Stacks whose
 * functions have the same names, from the outermost one inwards, are one path.
 */
#ifndef GLIMPSE_ANALYSIS_SAMPLES_SAMPLES_H
#define GLIMPSE_ANALYSIS_SAMPLES_SAMPLES_H

#include "base/array.h"
#include "trace/trace.h"

/*
 * What a path is made of: functions; lines of functions; lines alone, of whatever function. Lines
 * are known of samples alone: of these the samples count also of a thread that logs calls itself.
 */
enum sample_places { SAMPLE_FUNCTIONS, SAMPLE_FUNCTION_LINES, SAMPLE_LINES };

/* A sample that stands for some time. */
struct stack_sample {
	int64_t from, to; /* to: INT64_MAX of a thread's last one */
	uint32_t stack;   /* in the stacks */
	bool counts;      /* as a sample: of what one is divided into, one part does */
	bool blocked;     /* the thread waited with this stack, if that has functions */
};

/* The stack of a wait, logged right after the wait's begin. */
struct stack_wait {
	int64_t time;
	uint32_t stack;
};

/* Returns when a sample was taken. A thread's last one has no end: it was taken after its begin. */
static inline int64_t stack_sample_taken(const struct stack_sample *s)
{
	return s->to == INT64_MAX ? s->from : s->to;
}

/* Whether a sample says what a thread ran. */
static inline bool stack_sample_runs(const struct stack_sample *s)
{
	return s->counts && !s->blocked;
}

/*
 * Stacks 0 and 1 have no frames: of the first nothing is left out, of the second the callers are
 * not known.
 */
enum { STACK_WHOLE, STACK_CUT };
#define SAMPLE_NO_MODULE (-1)
struct sample_stack {
	/* the innermost one's; its level tells functions of one address apart */
	struct event frame;
	uint32_t caller; /* the stack without it */
	uint32_t path;
	int64_t module; /* the number of its file's name; SAMPLE_NO_MODULE: not known */
};

/* A path of functions. Paths 0 and 1 are those of the stacks 0 and 1. */
struct sample_path {
	uint32_t parent, depth; /* depth 0: no function */
	int64_t function;       /* the number of its name, or line: symbols_numbered() */
	bool of_run_time;       /* see address_is_of_run_time() */
};

struct thread_samples {
	/* in the order of time; none if the thread logs calls itself, and paths are of functions */
	VECTOR(struct stack_sample) list;
	VECTOR(struct stack_wait) waits; /* in the order of time; none if there are no samples */
	/*
	 * From then on, samples were off up to the end of the trace, as where the recorder died.
	 * Nobody knows what the thread called. INT64_MAX: they were on.
	 */
	int64_t until;
	bool blocked_first; /* the first state that is known is that it was blocked */
};

/* An event that stands for occurrences, not for time: of the style "counts". */
struct stack_count {
	uint32_t thread; /* index in the trace's threads */
	uint32_t stack;  /* in the stacks; STACK_WHOLE: not known */
	int64_t time, occurrences;
};

struct samples {
	const struct trace *trace;
	enum sample_places places;
	struct thread_samples *threads;    /* as the trace's threads */
	VECTOR(struct stack_count) counts; /* of samples_counted(), by thread */
	VECTOR(struct sample_stack) stacks;
	VECTOR(struct sample_path) paths;
	/*
	 * By event type of frames: an interval of kind "call" from such a frame to a sample, which
	 * no specification has: it has neither condition nor metrics. NULL: no samples have such
	 * frames.
	 */
	struct interval **calls;
	struct interval *made; /* their memory */
};

/* Returns the attribute that has a frame's function, of a type of frames. */
unsigned frame_code(const struct event_type *type);

/* Returns whether a trace has samples at all. */
bool trace_has_samples(const struct trace *t);
/* Returns the samples of a trace, to be freed by samples_free() before it; NULL: it has none. */
struct samples *samples_of(const struct trace *t, enum sample_places places);
/*
 * Returns the stacks of the events of a type with the style "counts", and how many occurrences each
 * stands for: at least one. Threads have no samples then, as counts are no time.
 */
struct samples *samples_counted(const struct trace *t, enum sample_places places,
				const struct event_type *type);
void samples_free(struct samples *s);

/*
 * Returns a stack without what run-time libraries run in it: its innermost function is of none. If
 * all are, the stack itself.
 */
uint32_t sample_own(const struct samples *s, uint32_t stack);

/* What stands for the line of a frame whose line is not known. */
#define SAMPLE_NO_LINE "(no line)"

#endif
