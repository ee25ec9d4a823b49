/* Reads the options --thread, --process, --from and --to, which several subcommands have. */
#ifndef GLIMPSE_CLI_COMMON_SELECTION_OPTIONS_H
#define GLIMPSE_CLI_COMMON_SELECTION_OPTIONS_H

#include "cli/common/command.h"

/* of: "events of"; the others' "events". */
#define THREAD_OPTION(of) \
	{ \
		't', "thread", "THREAD", \
		    "only " of " this thread: number, label or name\n" \
		    "(repeatable)", \
		    selection_take_thread \
	}
#define PROCESS_OPTION(of) \
	{ \
		0, "process", "PROCESS", \
		    "only " of " this process: program, id or\n" \
		    "directory (repeatable)", \
		    selection_take_process \
	}
#define FROM_OPTION(of) \
	{ \
		0, "from", "TIME", "only " of " from this time on: 20us, 10ms, 2.5s", \
		    selection_take_from \
	}
#define TO_OPTION(of) \
	{ \
		0, "to", "TIME", "only " of " up to and including this time", selection_take_to \
	}

void selection_take_thread(const char *value);
void selection_take_process(const char *value);
void selection_take_from(const char *value);
void selection_take_to(const char *value);

/* INT64_MIN, INT64_MAX: not given. Ends the program if from is later than to. */
void selection_times(int64_t *from, int64_t *to);
/* Returns whether --thread was given. */
bool selection_has_threads(void);
/*
 * Sets *threads to those that were asked for, of the processes that were asked for, by index in the
 * trace's threads, as an array that the caller frees; NULL: all. Returns false after a report to
 * diag.
 */
bool selection_threads(const struct trace *t, bool **threads, struct diag *diag);

#endif
