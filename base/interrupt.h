/* For tools that write files: what is half written is removed when they are interrupted. */
#ifndef GLIMPSE_BASE_INTERRUPT_H
#define GLIMPSE_BASE_INTERRUPT_H

#include <stdbool.h>

/* From here on SIGINT, SIGTERM and SIGHUP only set a flag, which the writer looks at. */
void interrupt_catch(void);
bool interrupt_pending(void);
/* Ends the program as the signal would have. Does nothing when there was none. */
void interrupt_end(void);

#endif
