/*
 * Says what glimpse whatif hands out anew: which threads share the items of what, or why they keep
 * their items.
 */
#ifndef GLIMPSE_CLI_WHATIF_HAND_OUT_H
#define GLIMPSE_CLI_WHATIF_HAND_OUT_H

#include "analysis/replay/answer/prediction.h"

/* Prints a line for each pool; nothing if the run has none. */
void hand_out_text(FILE *out, const struct prediction *p);

#endif
