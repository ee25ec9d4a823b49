/* The log directory of a run: its name, and what makes it this run's own. */
#ifndef GLIMPSE_RUNTIME_DIRECTORY_H
#define GLIMPSE_RUNTIME_DIRECTORY_H

#include <stdbool.h>

/* Returns false in a forked child that logs nothing (GLIMPSE_CHILDREN=no). */
bool gl_directory_wanted(void);

/* Returns whether someone has named the directory: the program, or GLIMPSE_DIR. */
bool gl_directory_given(void);

/*
 * Chooses and makes the log directory of gl_process, and creates the empty process file in it,
 * which claims the directory. The directory of an earlier run is left as it is, and this run goes
 * to DIR.1, DIR.2, ... with a notice. With GLIMPSE_CHILDREN=inside it goes to DIR/PROGRAM.PID
 * without a notice. With GLIMPSE_CHILDREN=no it goes nowhere while that run goes on. A set-user-ID
 * program has to name the directory itself: whoever starts it owns the working directory, and could
 * have a link there. Returns the descriptor of the process file, or -1 after a warning.
 */
int gl_directory_open(void);

/*
 * Tells the recorder that nothing of this process is logged, which is the trace's lack, or, if
 * there is none, the user.
 */
void gl_directory_refuse(const char *what, const char *path, int error, const char *remedy);

/* Makes a path absolute, relative to `from`. Returns false if the path is too long. */
bool gl_directory_absolute(char *out, const char *path, const char *from);

#endif
