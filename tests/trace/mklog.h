/* What the parts of mklog share: where a recipe has come to, and its statements. */
#ifndef GLIMPSE_TESTS_TRACE_MKLOG_H
#define GLIMPSE_TESTS_TRACE_MKLOG_H

#include "spec/spec.h"
#include "tests/trace/output.h"
#include "tests/trace/recipe.h"
#include <stdio.h>

#define FIRST_ID 16
#define MAX_SPECS 16

struct make {
	FILE *recipe;
	char *folder;                   /* of the recipe: specifications are looked up there */
	const char *out;
	char *directory;
	bool swap;
	struct spec *specs[MAX_SPECS];  /* of this directory */
	unsigned bases[MAX_SPECS];
	unsigned nspecs;
	struct output *log;             /* the newest log or Graze log */
	struct output *file;            /* what records are written to: the log, or its tail */
};

extern struct make make;

/* Returns the file that is written to; fails if there is none yet. */
struct output *current(void);
/* Returns the event of that name, and its id; fails if there is none. */
const struct event_type *event_find(const char *name, unsigned *id);

void time_record(struct output *o, uint64_t ticks);
void note_record(struct output *o, unsigned kind, const struct binary *content);
/* Returns the content of a note SCHEMA; l: a line with false values for it, or NULL. */
void schema_note(struct binary *b, const struct spec *s, unsigned base, const struct line *l);

/* Another directory has specifications of its own. */
void specs_forget(void);

/* Statements, as README.md has them. */
void spec_statement(const struct line *l);
void event_statement(const struct line *l);
void repeat_statement(const struct line *l);
void note_statement(const struct line *l);
void log_statement(const struct line *l);
void graze_statement(const struct line *l);
void tail_statement(const struct line *l);
void pooled_statement(const struct line *l);
void block_statement(const struct line *l);
void process_statement(const struct line *l);

#endif
