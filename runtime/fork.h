/* Forks: a child logs to a directory of its own. */
#ifndef GLIMPSE_RUNTIME_FORK_H
#define GLIMPSE_RUNTIME_FORK_H

/* Registers the handlers of fork(), once. */
void gl_fork_prepare(void);

#endif
