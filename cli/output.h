/* What a subcommand makes where -o says: nothing that is there is written over, and nothing half made is left. */
#ifndef GLIMPSE_CLI_OUTPUT_H
#define GLIMPSE_CLI_OUTPUT_H

#include "cli/command.h"

/* NULL: there was no -o. */
extern const char *made_path;
void made_take(const char *path);

/* Whether nothing is there; says so. what: "file", "directory". */
bool made_is_free(const char *what, struct diag *diag);

/* Fills a directory whose files are all its own; an exit status. */
typedef int made_fill(void *context, const char *path, struct diag *diag);
/* All or nothing: the directory gets its name when it is complete. An exit status. */
int made_directory(made_fill *fill, void *context, struct diag *diag);

#endif
