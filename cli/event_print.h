/* Prints events, each on a line, in one of the formats of `glimpse events`. */
#ifndef GLIMPSE_CLI_EVENT_PRINT_H
#define GLIMPSE_CLI_EVENT_PRINT_H

#include "cli/command.h"

struct printer {
	FILE *out;
	enum format format;
	const struct trace *trace;
	int name_width, type_width;     /* of the columns of text */
	bool begun;                     /* an event was printed */
};

/* What stands before the first event and behind the last is printed by these two. */
struct printer printer_begin(FILE *out, enum format format, const struct trace *trace);
void printer_event(struct printer *p, const struct event *e);
void printer_end(struct printer *p);

#endif
