/*
 * Runs the probes that observe the program of `glimpse record` from outside, in the process of the
 * recorder. They log through the stubs of their specifications, with times of
 * CLOCK_MONOTONIC, one log for each thread that they observe.
 *
 * The order of the calls, all from one thread:
 *
 *	setenv("GLIMPSE_DIR", "/.../run1/recorder", 1);         (and nothing logged before)
 *	setenv("GLIMPSE_CLOCK", "monotonic", 1);
 *	fork(): the child waits on a pipe before it calls exec
 *	recorder_open()         the child is observed from here on
 *	the child goes on; then, until it has ended:
 *		poll(recorder_fds(fds), recorder_wait());
 *		recorder_step(fds);
 *	recorder_close()        reads the rest, and ends the logs
 *	recorder_adopt()        puts them into the directories of their processes
 *
 * With attach there is no child: the process runs already.
 *
 * The child must be reaped only after a last recorder_step(): until then /proc tells what the
 * process used.
 */
#ifndef GLIMPSE_RECORDER_RECORDER_H
#define GLIMPSE_RECORDER_RECORDER_H

#include "recorder/processes.h"
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct glimpse_spec;

/* What is to be recorded. */
struct recording {
	const char *directory; /* of the trace (run1), an absolute path */
	pid_t root;            /* the child that waits, or the process to attach to */
	bool attach;           /* root runs already, and has threads */
	/* the program takes samples of call stacks itself, not the kernel */
	bool timers;
	bool children; /* its children are recorded, too */
	/* ns from one reading of /proc to the next; 0: the default, 10 ms */
	int64_t every;
	/* creation and end of processes are logged: set by recorder_open() */
	bool processes;
	bool sampled; /* call stacks are, too: set by recorder_open() */
	bool full;    /* as many samples as asked for, whatever they cost */
	/* samples of call stacks in a second of processor time; 0: the default, 997 */
	uint32_t rate;
	/* bytes of a stack that are unwound, a multiple of 8; 0: the default, 8192 */
	uint32_t stack;
};

/* Descriptors that recorder_fds() takes at most. */
#define RECORDER_FDS 4096

/*
 * In the recorder's logs: modules of processes that write no list of them
 * (recorder/samples/spaces.h).
 */
#define RECORDER_MODULES "modules.of"
/* The same for names of code that processes made at run time. */
#define RECORDER_MADE "made.of"

/* What the recorder's probes found, for the summary; all 0 before recorder_open(). */
struct recorder_summary {
	uint64_t switches; /* times that a thread left its processor */
	uint64_t lost;     /* records that the kernel had no room for */
	uint64_t samples;  /* of /proc */
	/* waits whose end may be less exact than the program's events say */
	uint64_t unsure;
	uint32_t threads, processes;
	uint32_t left;       /* processes that were still there at the end, beside the first one */
	char one_left[THREAD_NAME]; /* the name of one of them */
	/* programs that were run, and how many of these have no events of the probes' libraries */
	size_t programs, unprobed;
	const char *obstacles; /* what the latter are, and why; NULL: there are none */
	int64_t ran;  /* ns that threads ran, as far as their states are known; 0: not known */
	bool sampled; /* the kernel refused switch records: states are samples */
	/* one of so many samples of call stacks was taken where they were fewest; 0, 1: all */
	unsigned thinned;
	/* minor version of the oldest Python 3 that was sampled; INT_MAX: none */
	int python;
};

/* A probe of the recorder. Times are CLOCK_MONOTONIC in nanoseconds. */
struct recorder_probe {
	const char *name;
	struct glimpse_spec *spec; /* of its events */
	/*
	 * Begins to observe. Returns false if that cannot be, after one line on stderr that says
	 * why, and what to do; the other probes then go on.
	 */
	bool (*open)(const struct recording *r);
	/* Stores the descriptors to wait for, at most room; returns how many. NULL: none. */
	int (*fds)(struct pollfd *fds, int room);
	/*
	 * Does what is due at the time now, and returns when it wants to be called next, at the
	 * latest; INT64_MAX: only if a descriptor is ready.
	 */
	int64_t (*step)(int64_t now);
	/* Reads what is left, and frees everything. */
	void (*close)(void);
};

/* Returns whether there is a recorder's probe of that name: "scheduler", "samples", "resources". */
bool recorder_has(const char *name);

/*
 * Opens the probes with these names (others are ignored: they are libraries of the program).
 * Returns how many could be opened.
 */
int recorder_open(const struct recording *r, const char *const *names, int n);
/* Stores the descriptors to wait for (POLLIN), at most room; returns how many. */
int recorder_fds(struct pollfd *fds, int room);
/* Returns after how many milliseconds recorder_step() is due, for poll(). */
int recorder_wait(void);
/*
 * Lets each probe do what is due by the clock, or by the descriptors of recorder_fds() after
 * poll(); NULL: lets all of them do what they can. May be called at any time.
 */
void recorder_step(const struct pollfd *fds);
/* Ends the probes and their logs. */
void recorder_close(void);
struct recorder_summary recorder_summary(void);
/* Returns the specification that names what threads wait for: that of the probe threads. */
const char *recorder_wait_words(void);

/*
 * Puts the logs of directory/recorder into the directories of the processes that they describe.
 * They become level 8 of the logs of their threads, with the numbers of events and the clock of
 * that process. Makes a log or a directory where there is none. Then removes directory/recorder. To
 * be called after recorder_close(). Returns false after a line on stderr; directory/recorder is
 * then left as it is, and readers show it beside the others.
 */
bool recorder_adopt(const char *directory);

#endif
