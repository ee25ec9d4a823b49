/* Reads the options --threads and --schedule of glimpse whatif. */
#ifndef GLIMPSE_CLI_WHATIF_TEAM_H
#define GLIMPSE_CLI_WHATIF_TEAM_H

#include "analysis/replay/program/team.h"

/* Take the value of an option. */
void team_take_threads(const char *text);
void team_take_schedule(const char *text);

/* Ends the program if something is asked that cannot be combined with what else is. */
void team_test(bool written, bool swept);
/* Returns what is asked. */
struct team_changes team_asked(void);

#endif
