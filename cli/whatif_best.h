/* Prints the causal profile of glimpse whatif --sweep best. */
#ifndef GLIMPSE_CLI_WHATIF_BEST_H
#define GLIMPSE_CLI_WHATIF_BEST_H

#include "analysis/replay/answer/prediction.h"
#include "cli/common/command.h"
#include "trace/stream/losses.h"

/* Prints it in the format of the request. array: an open one of JSON; NULL: csv or text. */
void best_answer(struct command_request *r, struct prediction *p, struct json *array,
		 const struct losses *losses);

#endif
