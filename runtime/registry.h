/* Specifications of the program and its libraries, and the switches of their events. */
#ifndef GLIMPSE_RUNTIME_REGISTRY_H
#define GLIMPSE_RUNTIME_REGISTRY_H

#include "runtime/glimpse.h"

/* All under the lock. */

/* Gives every loaded specification its ids, once the process file is there. */
void gl_registry_publish(void);
/* Switches everything off for good: nothing is logged any more. */
void gl_registry_silence(void);
/* In a forked child: the specifications are registered anew by the next event. */
void gl_registry_forget(void);

#endif
