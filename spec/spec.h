/*
 * What a specification means: resolved, checked, with one record layout for each event.
 * A struct spec is immutable after spec_read() and owns everything it points to.
 */
#ifndef GLIMPSE_SPEC_SPEC_H
#define GLIMPSE_SPEC_SPEC_H

#include "grammar/diag.h"
#include "spec/expr.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum type { TYPE_INT, TYPE_UINT, TYPE_LONG, TYPE_ULONG, TYPE_DOUBLE, TYPE_STRING, TYPE_ADDRESS };

/* Bytes of a value of the type in a record; 4 for a string (its length word). */
unsigned type_size(enum type t);
const char *type_name(enum type t);    /* as the language spells it */
bool type_is_integer(enum type t);     /* int uint long ulong address */

struct attribute {
	char *name;
	enum type type;
	struct span where;
	/*
	 * Offset from the record's start. Attributes of fixed size come first, in the order of the
	 * specification, at fixed offsets; strings follow, in order: for a string this is the
	 * offset of the *first* string, and the string is the string_index-th from there.
	 */
	unsigned offset;
	unsigned string_index;
};

enum symbol {
	SYMBOL_NONE, SYMBOL_X, SYMBOL_PLUS, SYMBOL_BOX, SYMBOL_DIAMOND, SYMBOL_CIRCLE,
	SYMBOL_TRIANGLE,
};
const char *symbol_name(enum symbol s);

/* What the user asked for in "= box (colour "red", label "sent")"; NULL where nothing was said. */
struct style {
	char *colour;
	char *label;
};

struct event_type {
	char *name;
	char *comment;          /* what stands before it, without the marks; NULL if nothing does */
	struct span where;      /* the name */
	unsigned index;         /* in spec->events; its number in a log is base + index */
	struct attribute *attributes;
	unsigned nattributes;
	unsigned nstrings;
	unsigned fixed_size;    /* bytes of a record without its strings: header, fixed attributes */
	enum symbol symbol;
	int offset_attribute;   /* the attribute that shifts the symbol in its lane, or -1 */
	struct style style;
};

enum direction { FORWARDS, BACKWARDS };
enum connection { CONNECTION_NONE, CONNECTION_LINE, CONNECTION_RECTANGLE };

/* Which moment of an interval another interval ends at: [ a:Transit.end -> b:Write.start ]. */
enum moment { MOMENT_START, MOMENT_END };

struct interval_end {
	char *alias;            /* NULL if none was given */
	struct span where;
	const struct event_type *event;    /* NULL when the end is an interval's */
	const struct interval *interval;
	enum moment moment;
};

struct arena;

struct metric {
	char *name;
	struct span where;
	struct expr *value;     /* may use both aliases and "time" (the duration, nanoseconds) */
};

struct interval {
	char *name;
	char *comment;
	struct span where;
	unsigned index;         /* in spec->intervals */
	struct interval_end anchor, partner;
	enum direction direction;
	bool match;             /* "Match" was written */
	bool once, nested;
	/*
	 * The whole condition of DESIGN section 3, never NULL: the user's expression, joined by &&
	 * with the equalities that Match stands for; or anchor.thread == partner.thread when
	 * neither is given.
	 */
	struct expr *condition;
	enum connection connection;
	struct style style;
	struct metric *metrics;
	unsigned nmetrics;
};

struct assertion {
	struct span where;              /* the whole assertion, for printing its text */
	const struct interval *interval;/* holds for every instance of it; NULL: over aggregates */
	struct expr *condition;
};

struct spec {
	char *name;
	struct span where;
	struct event_type **events;
	unsigned nevents;
	struct interval **intervals;    /* in the order of the specification */
	unsigned nintervals;
	struct assertion **assertions;
	unsigned nassertions;
	/*
	 * Schema identity: a 64-bit FNV-1a hash over the events' names and their attributes' names
	 * and types, in order. Intervals do not count: editing them does not part a specification
	 * from its logs.
	 */
	uint64_t schema;
	char *text;                     /* with imports written in place; parses to the same spec */
	struct source **sources;        /* what was read; spans point into these */
	size_t nsources;
	struct arena *arena;            /* private: holds all but the sources and the expressions */
};

/*
 * Reads, resolves and checks the specification in a file ("-": standard input). Every problem is
 * told to diag; NULL if there was an error. Paths of imports are relative to the importing file;
 * a file that is imported twice counts once.
 */
struct spec *spec_read(const char *path, struct diag *diag);
/* The same from a text; name appears in messages. */
struct spec *spec_parse(const char *name, const char *text, struct diag *diag);
/* Which part of its text are the items, without the lines of the block around them; the length. */
size_t spec_items(const struct spec *spec, const char **items);
void spec_free(struct spec *s);

const struct event_type *spec_event(const struct spec *s, const char *name);    /* NULL: none */
const struct interval *spec_interval(const struct spec *s, const char *name);
int event_attribute(const struct event_type *e, const char *name);              /* index, or -1 */

/*
 * The event type that stands at an end: its own, or the one at that moment of the interval it
 * names. An interval that searches forwards starts with its anchor and ends with its partner;
 * backwards it is the other way round.
 */
const struct event_type *end_event(const struct interval_end *end);
/* Which side of an interval its moment is. */
enum side interval_side(const struct interval *i, enum moment moment);

#endif
