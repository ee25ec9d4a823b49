/*
 * What a program's environment needs so that the next program of the same process, or a child's, is
 * recorded, too. Safe in signal handlers and in a child of vfork(): nothing here allocates, and
 * after the start nothing shared is written.
 */
#ifndef GLIMPSE_PROBES_FOLLOW_EXEC_ENVIRONMENT_H
#define GLIMPSE_PROBES_FOLLOW_EXEC_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Notes our variables, as the process has them at its start. If children are to be left alone, they
 * are then taken out of the environment, which is as it would be without us.
 */
void environment_note(void);

/* Which of our libraries a program is started with. */
enum environment_libraries {
	LIBRARIES_NONE, /* they are left out, and taken out */
	LIBRARIES_ALL,
	LIBRARIES_JAVA, /* and that of the probe java, if the recorder names it */
};

/*
 * Returns how many bytes environment_make() needs; 0: the environment is right as it is, or is to
 * be left alone.
 */
size_t environment_room(char *const *environment, enum environment_libraries with);
/* Makes an environment with what is missing, in memory of that size, aligned for pointers. */
char **environment_make(char *const *environment, enum environment_libraries with, void *room);
/*
 * Returns whether our libraries can be read, and the directory be written to, if need be by the
 * recorder: the process may have another root, or user.
 */
bool environment_reachable(void);
/* Returns whether the children of this process are left alone. */
bool environment_alone(void);

#endif
