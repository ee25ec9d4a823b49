/* Says why a replay has no answer. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_REFUSAL_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_REFUSAL_H

#include "analysis/replay/answer/prediction.h"
#include "grammar/diag.h"

/*
 * Returns true, after a report to diag, if there can be no answer. The threads of a replay wait for
 * one another, or too much of the critical path is unknown (prediction_is_unknown()). Or the
 * unchanged replay is too far off. The report lists the waits without a known cause.
 * anyway: accept any difference, and what is unknown.
 */
bool prediction_is_refused(const struct prediction *p, bool anyway, struct diag *diag);
/* Reports that the trace has nothing of a name, as far as its stacks are known. */
void refuse_name(struct diag *diag, const struct trace *t, const char *unknown);
/*
 * Reports why a change cannot be made: `unknown` is not in the trace, or if it is NULL the
 * prediction's refusal.
 */
void refuse_change(struct diag *diag, const struct prediction *p, const char *unknown);

#endif
