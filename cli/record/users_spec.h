/*
 * Combines the specifications that a user gives with -s into one, user.spec. Readers prefer it to
 * those of the probes, which it imports.
 */
#ifndef GLIMPSE_CLI_RECORD_USERS_SPEC_H
#define GLIMPSE_CLI_RECORD_USERS_SPEC_H

#include "grammar/diag.h"
#include <stdbool.h>

struct users_spec {
	char *imports; /* items that import the files given; NULL: none */
	char *text;    /* all of them as one */
};

/* Adds a file. Returns false after a report to diag if it, or what all are together, is wrong. */
bool users_spec_add(struct users_spec *u, const char *path, struct diag *diag);
/* Writes user.spec if there is anything to write. Returns false with errno set. */
bool users_spec_write(const struct users_spec *u, const char *directory);

#endif
