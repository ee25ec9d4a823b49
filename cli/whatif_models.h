/*
 * Prints the models of a changed replay: the regression lines, and the devices of input and output.
 */
#ifndef GLIMPSE_CLI_WHATIF_MODELS_H
#define GLIMPSE_CLI_WHATIF_MODELS_H

#include "analysis/replay/answer/prediction.h"
#include <stdio.h>

/* Prints a line for each; changes: those that were chosen. */
void models_text(FILE *out, const struct prediction *p, const struct span_change *changes);

#endif
