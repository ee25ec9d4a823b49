/* Says which threads wait for locks and semaphores that threads of lower priority let go. */
#ifndef GLIMPSE_CLI_COMMON_INVERSIONS_H
#define GLIMPSE_CLI_COMMON_INVERSIONS_H

#include "analysis/locks/locks.h"
#include <stdio.h>

/* Prints an empty line and a table, or nothing; nothing of waits that take less than `least` ns. */
void inversions_text(FILE *out, const struct locks *l, int64_t least);
/* The same below an answer about a trace: of waits that take a hundredth of the run or more. */
void inversions_remark(FILE *out, struct trace *t);

#endif
