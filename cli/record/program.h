/* Finds the program before it runs, and whether probes can be loaded into it. */
#ifndef GLIMPSE_CLI_RECORD_PROGRAM_H
#define GLIMPSE_CLI_RECORD_PROGRAM_H

#include "probes/follow_exec/image.h"
#include <stdbool.h>

/* Statuses with which env(1) and others end that cannot run a program. */
enum { PROGRAM_CANNOT = 126, PROGRAM_NOT_FOUND = 127 };

struct recorded_program {
	char *path;
	struct exec_image image;
	bool others_rights; /* the loader then loads nothing of ours: set-user-ID */
};

/* Finds a program as execvp() does, and looks at it. Returns 0, or an error number. */
int program_find(struct recorded_program *p, const char *name);
void program_clear(struct recorded_program *p);

/* Returns the exit status for an error number of exec: 127 if there is no program, else 126. */
int program_status(int error);

/* Returns why no library of ours is loaded into the program, as "is statically linked"; or NULL. */
const char *program_obstacle(const struct recorded_program *p);

#endif
