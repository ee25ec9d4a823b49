/* Prints the causal profile of glimpse whatif --sweep best. */
#ifndef GLIMPSE_CLI_WHATIF_BEST_H
#define GLIMPSE_CLI_WHATIF_BEST_H

#include "analysis/replay/answer/prediction.h"
#include "cli/common/command.h"
#include "trace/stream/losses.h"

/* Prints it in the format of the request. j: an open array of JSON. */
void best_answer(struct command_request *r, struct prediction *p, struct json *j,
		 const struct losses *losses);

#endif
