/* Builds a line of text from parts, each with the target of its link. */
#ifndef GLIMPSE_ANALYSIS_HEADLINE_LINE_PARTS_H
#define GLIMPSE_ANALYSIS_HEADLINE_LINE_PARTS_H

#include "base/array.h"
#include <stdint.h>

enum part_kind {
	PART_PLAIN,
	PART_OBJECT,     /* name: of a lock */
	PART_THREAD,     /* name: of a thread, or of a group, "worker *"; number: in the trace */
	PART_FUNCTION,   /* name: as output has it, with its parameters */
	PART_PLACE,      /* name: the call site, "account+0x12 (stages.cpp:22)" */
	PART_PROCESSORS, /* number: of them */
	/* option and name: of glimpse whatif, "fix" and "lock:queue" */
	PART_WHAT_IF,
};

struct line_part {
	enum part_kind kind;
	char *text, *name;  /* name: NULL for PART_PLAIN */
	const char *option; /* of PART_WHAT_IF, static */
	int64_t number;     /* -1: it has none */
	int64_t from, to;   /* when it matters: times of the trace; -1: it is not known */
};

struct part_line {
	VECTOR(struct line_part) parts;
};

/* Adds a text that links to nothing; adjacent ones become one part. */
__attribute__((format(printf, 2, 3))) void line_say(struct part_line *l, const char *format, ...);
/*
 * Adds a part with a link, whose time is not known, and returns it until the next one is added.
 * name is copied.
 */
__attribute__((format(printf, 4, 5))) struct line_part *
line_link(struct part_line *l, enum part_kind kind, const char *name, const char *format, ...);
/* Returns the whole text; to be freed. */
char *line_text(const struct part_line *l);
void line_free(struct part_line *l);

#endif
