/* Prints the predicted rate and latencies of an interval, and what its clients do: --interval. */
#ifndef GLIMPSE_CLI_WHATIF_LATENCIES_H
#define GLIMPSE_CLI_WHATIF_LATENCIES_H

#include "analysis/replay/answer/clients.h"
#include <stdio.h>

void latencies_text(FILE *out, const struct service *s);
/* Print further columns of a row, and their head. */
void latencies_csv_head(FILE *out);
void latencies_csv(FILE *out, const struct service *s);

#endif
