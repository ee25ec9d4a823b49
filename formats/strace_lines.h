/* Reads the lines that strace prints: which thread, when, and what happened. */
#ifndef GLIMPSE_FORMATS_STRACE_LINES_H
#define GLIMPSE_FORMATS_STRACE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum strace_kind {
	STRACE_OTHER,      /* no line of a thread's: without a time */
	STRACE_CALL,       /* NAME(ARGUMENTS) = RESULT */
	STRACE_UNFINISHED, /* NAME(ARGUMENTS <unfinished ...> */
	STRACE_RESUMED,    /* <... NAME resumed>ARGUMENTS) = RESULT */
	STRACE_SIGNAL,     /* --- NAME ARGUMENTS --- */
	STRACE_END,        /* +++ ARGUMENTS +++ */
	STRACE_CUT         /* a call whose end is missing, perhaps on the next line */
};

enum strace_clock {
	STRACE_EPOCH,   /* -ttt: since 1970 */
	STRACE_OF_DAY,  /* -t, -tt */
	STRACE_RELATIVE /* -r: since the line before */
};

struct strace_text {
	const char *at;
	size_t length;
};

struct strace_line {
	enum strace_kind kind;
	enum strace_clock clock;
	uint32_t pid;         /* 0: the line does not say it */
	int64_t time, length; /* ns; length: -1 if the line does not say it */
	struct strace_text
	    comm; /* the thread's name, with -Y; length 0: the line does not say it */
	struct strace_text name, arguments, error;
	int64_t result;
};

/* Takes a line apart; the texts are parts of it. */
struct strace_line strace_line_read(const char *text);
/*
 * Returns the position behind what begins at a quote, bracket or path, or behind one other
 * character.
 */
const char *strace_skip(const char *at);

#endif
