/* Writes a predicted run as JSON: the answer of glimpse whatif and of gorge's page. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_ANSWER_JSON_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_ANSWER_JSON_H

#include "analysis/replay/answer/clients.h"
#include "analysis/replay/answer/next_bottleneck.h"
#include <stdio.h>

/*
 * Writes an object. c: the changes that were made; next: next_steps_of() them; service: the
 * latencies that were asked for, or NULL.
 */
void answer_json(FILE *out, const struct prediction *p, const struct changes *c,
		 const struct next_steps *next, const struct service *service);

#endif
