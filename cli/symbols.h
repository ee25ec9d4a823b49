/* Declares what the files of `glimpse symbols` share. */
#ifndef GLIMPSE_CLI_SYMBOLS_H
#define GLIMPSE_CLI_SYMBOLS_H

#include "cli/common/command.h"
#include "trace/symbols/build_id.h"

/* A file that a server is asked for. */
enum wanted_kind { WANTED_DEBUG, WANTED_PROGRAM };
struct wanted {
	enum wanted_kind kind;
	struct build_id id;
	char name[128]; /* of the module, for messages; all of it is visible */
};

/* What symbols_fetch() returns if the run cannot be read: whoever reads it next can say why. */
enum { SYMBOLS_UNREAD = EXIT_ERROR + 1 };

/*
 * Fetches the files that the run lacks, from the servers of $DEBUGINFOD_URLS. A confined process
 * reads the run, another one connects; this one does neither. Returns EXIT_FINE; EXIT_NO if no
 * server has some of them; EXIT_ERROR after a report; or SYMBOLS_UNREAD. Called while the program
 * has one thread.
 */
int symbols_fetch(struct command_request *r);

/* ---- the connecting process alone ---- */

/* Loads libdebuginfod; returns false after a report. */
bool server_open(struct diag *diag);
/* Stops what is being fetched; may be called by a signal handler. */
void server_stop(void);
bool server_stopped(void);
/*
 * Asks for a file and prints a line about it: the file is then in debuginfod_folder(). Returns as
 * symbols_fetch() does; after EXIT_ERROR it is no use to ask for others.
 */
int server_fetch(const struct wanted *w, size_t number, size_t total, struct diag *diag);

#endif
