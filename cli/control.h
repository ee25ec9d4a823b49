/*
 * The switches of a run: its process file, mapped, and the names that its specifications give to
 * the ids. What is written there reaches the program at its next event.
 */
#ifndef GLIMPSE_CLI_CONTROL_H
#define GLIMPSE_CLI_CONTROL_H

#include "spec/spec.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define PROCESS_SIZE 20480      /* its switches end there */
#define PROCESS_SWITCHES 4096

enum run_state { RUN_ENDED, RUN_DIED, RUN_ALIVE };

/* An event type of the run. */
struct control_event {
	const char *spec, *name;
	uint32_t id;
};

struct control {
	const char *directory;
	unsigned char *file;            /* the process file, shared with the program */
	ino_t inode;
	uid_t owner;
	gid_t group;
	pid_t pid;
	uint32_t clock;                 /* enum log_clock */
	struct spec **specs;
	unsigned nspecs;
	struct control_event *events;   /* in the order of their ids */
	unsigned nevents;
};

/*
 * Opens the switches of a log directory; writable: to change them. Returns false after a report to
 * diag if there is no process file, or the user may not use it. Has to be closed in both cases.
 */
bool control_open(struct control *c, const char *directory, bool writable, struct diag *diag);
void control_close(struct control *c);

/* Returns DIRECTORY/NAME, which the caller frees. */
char *control_path(const struct control *c, const char *name);

enum run_state control_state(const struct control *c);

/* Returns whether a pattern, EVENT or SPECIFICATION.EVENT or *, means the event. */
bool control_names(const char *pattern, const struct control_event *e);

bool control_is_on(const struct control *c, uint32_t id);
/*
 * Switches an event and records when. If that cannot be recorded, reports to diag, leaves the
 * switch as it is, and returns false.
 */
bool control_set(const struct control *c, uint32_t id, bool on, struct diag *diag);

#endif
