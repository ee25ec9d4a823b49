/* A run: what prepares it when the program is loaded, and its end with the process. */
#ifndef GLIMPSE_RUNTIME_RUN_H
#define GLIMPSE_RUNTIME_RUN_H

/*
 * Before anything else; may be called again. An event of an early constructor may come before our
 * own.
 */
void gl_run_prepare(void);

#endif
