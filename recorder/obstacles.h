/*
 * Finds why the probes' libraries log nothing of a program: by its file, and by a process that runs
 * it, while that is there.
 */
#ifndef GLIMPSE_RECORDER_OBSTACLES_H
#define GLIMPSE_RECORDER_OBSTACLES_H

#include "probes/follow_exec/image.h"
#include "recorder/processes.h"
#include <stdint.h>

/*
 * Returns why the loader loads no library of ours, as "is statically linked"; NULL: it does.
 * others_rights: the program has the rights of another user.
 */
const char *obstacle_text(const struct exec_image *image, bool others_rights);

/* Begins; directory: of the run, an absolute path; kept, not copied. */
void obstacles_open(const char *directory);
/* Looks at a process that has begun to run a program (executed), or was forked. */
void obstacles_look(uint32_t pid, bool executed);

/* A process that ran a program without the probes' libraries. */
struct unprobed {
	uint32_t pid;              /* the recorder's number */
	char program[THREAD_NAME]; /* "": not known */
	bool homed;                /* it has a home of its own, of the recorder's logs alone */
};

/* Two of the reasons: nothing can be loaded into such programs. */
#define OBSTACLE_STATIC "is statically linked"
#define OBSTACLE_GO "is a static Go program"

/* Why a process ran without the probes' libraries. */
struct obstacle {
	const char *program; /* as the kernel names it */
	const char *why;
};
/*
 * Finds the obstacle of a process, of the last program that it ran if program is NULL. Returns
 * false if it is not known.
 */
bool obstacle_find(uint32_t pid, const char *program, struct obstacle *found);
void obstacles_free(void);

#endif
