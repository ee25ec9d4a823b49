/* Takes the change of a what-if from the page to the process that replays, which parses it. */
#ifndef GLIMPSE_GORGE_SERVER_WHATIF_CHANGE_H
#define GLIMPSE_GORGE_SERVER_WHATIF_CHANGE_H

#include "viewers/web/server.h"

struct change_set;

/* It goes to another process as it is. */
struct whatif_change {
	bool exact;  /* names are names, not patterns */
	bool anyway; /* an answer is wanted however far the unchanged replay is off */
	size_t
	    size; /* of the words: names and values of options in turn, each with a NUL after it */
	char words[16384];
};

/*
 * Takes the values of a request: options of glimpse whatif as changes_add() knows them, exact,
 * anyway. Returns NULL, or what is wrong, which the caller frees.
 */
char *whatif_change_read(const struct http_request *request, struct whatif_change *c);
/* Adds the changes to a set. Returns false after a report to diag if one is wrong. */
bool whatif_change_parse(const struct whatif_change *c, struct change_set *set, struct diag *diag);

#endif
