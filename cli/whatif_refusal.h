/* Says why glimpse whatif has no answer. */
#ifndef GLIMPSE_CLI_WHATIF_REFUSAL_H
#define GLIMPSE_CLI_WHATIF_REFUSAL_H

#include "analysis/replay/prediction.h"
#include "grammar/diag.h"

/* Reports that the threads of a replay wait for one another. */
void refuse_stuck(struct diag *diag, const struct trace *t, const struct replay *r);
/* Reports that the unchanged replay is too far off, and which waits have no known cause. */
void refuse_miss(struct diag *diag, const struct prediction *p);
/* Reports why a change cannot be made: `unknown` is not in the trace, or if it is NULL the prediction's refusal. */
void refuse_change(struct diag *diag, const struct prediction *p, const char *unknown);

#endif
