/*
 * What system calls do, by their names: whether a thread waits in them, for what, and whether they
 * name a descriptor or a path.
 */
#ifndef GLIMPSE_FORMATS_STRACE_CALLS_H
#define GLIMPSE_FORMATS_STRACE_CALLS_H

enum strace_call_names {
	CALL_NAMES_NOTHING,
	CALL_NAMES_FD,   /* the first argument is a descriptor */
	CALL_NAMES_PATH, /* the first text is a path */
	CALL_OPENS,      /* the same, and the result is a descriptor of it */
};

struct strace_call {
	const char *name;
	const char *kind;  /* "io", "wait" or "work" */
	const char *until; /* what ends it where no thread does; NULL: nothing */
	enum strace_call_names names;
};

/* Returns the description of the call with that name; never NULL. */
const struct strace_call *strace_call_named(const char *name);

#endif
