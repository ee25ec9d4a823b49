/* Warnings on stderr, one of each kind; the program runs on. */
#ifndef GLIMPSE_RUNTIME_WARNING_H
#define GLIMPSE_RUNTIME_WARNING_H

enum warning_kind {
	WARNING_NOTICE,    /* no fault; printed every time */
	WARNING_DIRECTORY, /* no log directory: nothing is logged */
	WARNING_OPEN,      /* a thread's log could not be opened */
	WARNING_APPEND,    /* a log could not be appended to */
	WARNING_REGISTER,  /* a specification could not be registered */
	WARNING_SETTING,   /* an environment variable has an invalid value */
	WARNING_KINDS
};

/*
 * Prints the line "glimpse: WHAT PATH: ERROR; REMEDY", unless the kind was printed before, or a
 * recorder, which says what is missing, started the program. `path` and `remedy` may be NULL,
 * `error` 0. Allocates nothing. Inside a guard.
 */
void gl_warning_print(enum warning_kind kind, const char *what, const char *path, int error,
		      const char *remedy);

/*
 * Remembers what stderr is as the program starts; later calls do nothing. Where number 2 is another
 * file by then, warnings are not printed: it may be the program's data.
 */
void gl_warning_prepare(void);

/* Lets every kind be printed once more, for a forked child. */
void gl_warning_reset(void);

#endif
