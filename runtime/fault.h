/* What went wrong, told once for each kind; the program runs on. */
#ifndef GLIMPSE_RUNTIME_FAULT_H
#define GLIMPSE_RUNTIME_FAULT_H

enum fault {
	FAULT_NOTICE,           /* not a fault; said each time */
	FAULT_DIRECTORY,        /* no log directory: nothing is logged */
	FAULT_OPEN,             /* a thread's log could not be opened */
	FAULT_APPEND,           /* a log could not be appended to */
	FAULT_REGISTER,         /* a specification could not be registered */
	FAULT_SETTING,          /* an environment variable makes no sense */
	FAULT_KINDS
};

/*
 * One line on stderr, "glimpse: WHAT PATH: ERROR; REMEDY", unless the kind was told before. Path
 * and remedy may be NULL, error 0. Allocates nothing and may be called from signal handlers.
 */
void gl_fault(enum fault kind, const char *what, const char *path, int error, const char *remedy);

/* A forked child tells for itself. */
void gl_fault_forget(void);

#endif
