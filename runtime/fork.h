/* Forked children log to a directory of their own. */
#ifndef GLIMPSE_RUNTIME_FORK_H
#define GLIMPSE_RUNTIME_FORK_H

/* Once: asks to be told of fork(). */
void gl_fork_prepare(void);

#endif
