/* Why a wait of the recorded run ended. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_REASONS_WAIT_REASON_H
#define GLIMPSE_ANALYSIS_REPLAY_REASONS_WAIT_REASON_H

#include "base/array.h"
#include <stdbool.h>
#include <stdint.h>

enum reason_kind {
	REASON_NONE,
	REASON_SPUN,       /* the thread tried again and again, and waited for a processor then */
	REASON_LOCK,       /* it has the lock then that it had come to: a replay makes it wait */
	REASON_PREEMPTED,  /* other threads of the program had its processor, or it yielded */
	REASON_MEETING,    /* all whom it met had come. cause: the last of them */
	REASON_POST,       /* cause: another thread did that. rule: its time limit, or NO_RULE */
	REASON_HANDED,     /* another thread released the lock that the wait was for */
	REASON_TIMED_OUT,  /* rule: the timed wait, of a loop that another thread ended */
	REASON_TIMED_LOCK, /* the same of a lock that another thread kept. rule: the wait */
	REASON_TRIED,   /* a sleep between tries of a lock that another thread has. rule: which */
	REASON_LOOP,    /* a sleep of a loop that another thread ended. rule: the loop */
	REASON_SERIES,  /* a sleep of a thread that polls for others' ends. rule: the series */
	REASON_LOST,    /* other programs took the processor of a thread that ran */
	REASON_OUTSIDE, /* something outside of the program served it. rule: the object */
	REASON_CLOCK,   /* it slept until a time of a clock */
};

#define NO_CAUSE UINT32_MAX
#define NO_RULE UINT32_MAX

/* Of a part of a thread's timeline in which it does not run. */
struct wait_reason {
	uint32_t stretch;  /* of the timeline */
	uint32_t cause;    /* of the model's causes; NO_CAUSE: none */
	uint32_t handover; /* the release of the lock that it was given at the end; NO_CAUSE */
	uint32_t rule;
	enum reason_kind kind : 8;
	bool caused; /* the model has a cause of it, whether that ended it or not */
};

typedef VECTOR(struct wait_reason) wait_reason_list;

#endif
