/*
 * The switches of a run: its process file, mapped, and the names that its specifications give to
 * the ids. What is written there reaches the program at its next event.
 */
#ifndef GLIMPSE_CLI_LIVE_SWITCHES_H
#define GLIMPSE_CLI_LIVE_SWITCHES_H

#include "spec/spec.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define PROCESS_SIZE 20480 /* its switches end there */
#define PROCESS_SWITCHES 4096

enum run_state { RUN_ENDED, RUN_EXECUTED, RUN_DIED, RUN_ALIVE };

/* An event type of the run. */
struct switched_event {
	const char *spec, *name;
	/* of the style patterns: the file that it stands for; or NULL */
	const char *patterns;
	uint32_t id;
};

struct process_switches {
	const char *directory;
	unsigned char *file; /* the process file, shared with the program */
	ino_t inode;
	uid_t owner;
	gid_t group;
	pid_t pid;
	uint32_t clock; /* enum log_clock */
	struct spec **specs;
	unsigned nspecs;
	struct switched_event *events; /* in the order of their ids */
	unsigned nevents;
};

/*
 * Opens the switches of a log directory; writable: to change them. Returns false after a report to
 * diag if there is no process file, or the user may not use it. Has to be closed in both cases.
 */
bool switches_open(struct process_switches *c, const char *directory, bool writable,
		   struct diag *diag);
void switches_close(struct process_switches *c);

enum run_state switches_state(const struct process_switches *c);

/* Returns whether a pattern, EVENT, SPECIFICATION, SPECIFICATION.EVENT or *, means the event. */
bool switches_names(const char *pattern, const struct switched_event *e);

bool switches_is_on(const struct process_switches *c, uint32_t id);
/*
 * Switches an event and records when. If that cannot be recorded, reports to diag, leaves the
 * switch as it is, and returns false.
 */
bool switches_set(const struct process_switches *c, uint32_t id, bool on, struct diag *diag);

/*
 * Appends a text of patterns to the file of an event that stands for one. Reports to diag and
 * returns false if that fails.
 */
bool switches_append(const struct process_switches *c, const struct switched_event *e,
		     const char *text, struct diag *diag);
/*
 * Tells the program of news in that file, or in its switches: by switching the event off, which the
 * program switches on again when it has read them.
 */
bool switches_ring(const struct process_switches *c, const struct switched_event *e,
		   struct diag *diag);

#endif
