/* The switches of runs: as a table for people, as csv and as json. */
#ifndef GLIMPSE_CLI_CONTROL_PRINT_H
#define GLIMPSE_CLI_CONTROL_PRINT_H

#include "cli/command.h"
#include "cli/control.h"

void control_print(FILE *out, enum format format, const struct control *runs, unsigned n);

#endif
