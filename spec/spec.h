/*
 * Specifications: resolved, checked, with one record layout for each event. A struct spec is
 * immutable after spec_read() and owns everything that it points to.
 */
#ifndef GLIMPSE_SPEC_SPEC_H
#define GLIMPSE_SPEC_SPEC_H

#include "grammar/diag.h"
#include "spec/expr.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum type {
	TYPE_INT,
	TYPE_UINT,
	TYPE_LONG,
	TYPE_ULONG,
	TYPE_DOUBLE,
	TYPE_STRING,
	TYPE_ADDRESS,
	TYPE_CODE,   /* an address in the program */
	TYPE_OBJECT, /* an address that names a thing */
	TYPE_CODE32, /* the low 32 bits of an address in the program */
};

/* Returns the bytes of a value in a record; 4 for a string (its length word). */
unsigned type_size(enum type t);
/* Returns the name of a type in the language. */
const char *type_name(enum type t);
/* Returns whether a type is of whole numbers: neither double nor string. */
bool type_is_integer(enum type t);
/*
 * Returns whether a type is code, code32 or object: numbers that can be compared, not computed
 * with.
 */
bool type_is_symbolic(enum type t);

struct attribute {
	char *name;
	enum type type;
	struct span where;
	/*
	 * Offset from the start of the record. Attributes of fixed size come first, in the order of
	 * the specification; strings follow, in order. For a string this is the offset of the first
	 * string, and the attribute is the string_index-th from there.
	 */
	unsigned offset;
	unsigned string_index;
	bool internal; /* not for people: (internal "at") */
};

enum symbol {
	SYMBOL_NONE,
	SYMBOL_X,
	SYMBOL_PLUS,
	SYMBOL_BOX,
	SYMBOL_DIAMOND,
	SYMBOL_CIRCLE,
	SYMBOL_TRIANGLE,
};
const char *symbol_name(enum symbol s);

/* Whether viewers show something at first: (shown "no"). */
enum shown_style { SHOWN_UNSAID, SHOWN_YES, SHOWN_NO };

/* The look that a user asks for: = box (colour "red", label "sent"). NULL: nothing. */
struct style {
	char *colour;
	char *label;
	enum shown_style shown;
};

/* Returns the label of a style, or else the name of what has it. */
static inline const char *style_label(const struct style *style, const char *name)
{
	return style->label ? style->label : name;
}

/* How the time is written of an event that is imported from text. */
enum time_format {
	TIME_UNSAID, /* it is told by its text */
	TIME_ISO8601,
	TIME_CLF,
	TIME_SYSLOG,
	TIME_EPOCH,
	TIME_EPOCH_MS,
	TIME_EPOCH_US,
	TIME_EPOCH_NS,
	TIME_STRPTIME,
};

/*
 * The lines of text that an event is imported from: = from "PATTERN" time "FORMAT" earlier
 * "ATTRIBUTE UNIT".
 */
struct from {
	char *pattern;     /* a regular expression with named groups; NULL: none is given */
	struct span where; /* of the pattern */
	enum time_format time;
	char *time_text;       /* as it is written; NULL: it is not */
	char *earlier;         /* as it is written; NULL: it is not */
	int earlier_attribute; /* the event is so much earlier than the time of its line; or -1 */
	uint64_t earlier_unit; /* ns */
	unsigned taken;        /* private to the resolver: which styles are given */
};

struct event_type {
	char *name;
	/*
	 * In a trace of several specifications: the name it was declared by, and in which; or NULL.
	 */
	const char *declared, *home;
	char *comment;     /* the comment before it, without its marks; or NULL */
	struct span where; /* the name */
	unsigned index;    /* in spec->events; its number in a log is base + index */
	struct attribute *attributes;
	unsigned nattributes;
	unsigned nstrings;
	unsigned fixed_size; /* bytes of a record without its strings */
	enum symbol symbol;
	int offset_attribute; /* the attribute that shifts the symbol in its lane, or -1 */
	/* the object in it is gone after this event: (ends "lock"); or -1 */
	int ends_attribute;
	/* the thread takes the object in it, which is free: (takes "semaphore"); or -1 */
	int takes_attribute;
	/* that of the thread from now on, the greater the more urgent: (priority "value"); or -1 */
	int priority_attribute;
	/* how many the thread may run on: (processors "usable"); or -1 */
	int processors_attribute;
	/*
	 * ns from the event on: the wait that begins with it ends then, negative: at once:
	 * (deadline "left"); or -1
	 */
	int deadline_attribute;
	/*
	 * ns from the event on: the wait that is under way ends by then, negative: at once: (limit
	 * "left"); or -1
	 */
	int limit_attribute;
	/* 0, or what failed: 110, what it ends ended as the time was up: (errno "result"); or -1 */
	int errno_attribute;
	/* so many were read or written, if it is not negative: (bytes "result"); or -1 */
	int bytes_attribute;
	/*
	 * the event stands for so many occurrences, with its stack, or takings: (counts "period");
	 * or -1
	 */
	int counts_attribute;
	/* the thread begins with the function in it: (starts "entry"); or -1 */
	int starts_attribute;
	int lost_attribute; /* so many records are missing there: (lost "records"); or -1 */
	/*
	 * ns of processors' time that the program was denied since the event before, as it had used
	 * its share: (throttled "withheld"); or -1
	 */
	int throttled_attribute;
	/* what it names is no longer logged after it: (off "function"); or -1 */
	int off_attribute;
	/*
	 * The attribute that is the number of a call stack: (stack "number"); or -1. Of an event
	 * with a caller, too, it is the number of a stack that begins with the event's first code
	 * address and goes on with the stack of that number: (caller "parent"); 0: with none.
	 */
	int stack_attribute, caller_attribute;
	/* the thread goes on with the stack that it names: (context "stack"); or -1 */
	int context_attribute;
	bool sample; /* the thread was running with the stack: (kind "sample") */
	bool wait;   /* the thread waits with the stack: (kind "wait") */
	/* the thread found that it has to wait, and tries again: (kind "spin") */
	bool spin;
	bool exit; /* the thread ends its process with it: (kind "exit") */
	/* the file of patterns that it stands for: (patterns "functions"); or NULL */
	char *patterns;
	struct from from;
	struct style style;
};

/* Whether the event says how often something happened with a call stack. */
static inline bool event_counts_stacks(const struct event_type *e)
{
	return e->counts_attribute >= 0 && e->stack_attribute >= 0;
}

enum direction { FORWARDS, BACKWARDS };
enum connection { CONNECTION_NONE, CONNECTION_LINE, CONNECTION_RECTANGLE };

/* What the time of an interval is: = rectangle (kind "wait"). */
enum interval_kind {
	KIND_NONE,
	KIND_WORK,  /* a thread computes */
	KIND_WAIT,  /* a thread cannot go on */
	KIND_HOLD,  /* a thread has what others may wait for */
	KIND_IO,    /* a thread reads, writes or talks to another program */
	KIND_CALL,  /* a function runs, with all that it calls */
	KIND_STATE, /* what the system does with a thread: runs it, or not */
	KIND_LIFE,  /* something exists */
	KIND_PHASE, /* a part of the program's work, of all threads */
	KIND_CAUSE, /* its earlier event lets its later one go on; both ends are events */
	KIND_SPIN,  /* a thread waits and keeps its processor */
};
/* Returns the name of a kind; NULL for KIND_NONE. */
const char *interval_kind_name(enum interval_kind kind);

/* The moment of an interval at which another one ends: [ a:Transit.end -> b:Write.start ]. */
enum moment { MOMENT_START, MOMENT_END };

struct interval_end {
	char *alias; /* NULL if none was given */
	struct span where;
	const struct event_type *event; /* NULL if the end is an interval's */
	const struct interval *interval;
	enum moment moment;
};

struct arena;

struct metric {
	char *name;
	struct span where;
	struct expr *value; /* may use both aliases, and "time" for the duration */
};

struct interval {
	char *name;
	const char *declared, *home; /* as an event's */
	char *comment;
	struct span where;
	unsigned index; /* in spec->intervals */
	struct interval_end anchor, partner;
	enum direction direction;
	bool match;         /* "Match" was written */
	bool match_chosen;  /* with names of attributes */
	bool unconditional; /* nothing was written: both events are of one thread */
	bool once, nested;
	/*
	 * The whole condition, never NULL: the user's expression, joined by && with the equalities
	 * that Match stands for; or anchor.thread == partner.thread if neither is given.
	 */
	struct expr *condition;
	enum connection connection;
	enum interval_kind kind;
	/*
	 * What ends an instance where no other thread does: (until "a timer"); NULL: it is not
	 * said. Of the kinds wait and io.
	 */
	char *until;
	/* A wait for work from outside, which nothing in the program limits: (idle "yes"). */
	bool idle;
	/* A state that is estimated from sums: (sampled "yes"). */
	bool sampled;
	struct style style;
	struct metric *metrics;
	unsigned nmetrics;
};

struct assertion {
	struct span where;               /* the whole assertion, for printing its text */
	const struct interval *interval; /* holds for every instance of it; NULL: over aggregates */
	struct expr *condition;
};

/*
 * What a program may be slow by: where the condition holds, for all of it or a part, it is so. The
 * first measure of the condition says what the hypothesis is about.
 */
struct hypothesis {
	char *name;
	char *comment;
	struct span where;
	unsigned index;                   /* in spec->hypotheses */
	struct expr *condition;           /* NULL: it groups the hypotheses that refine it */
	const struct test_measure *about; /* its first measure; NULL: none */
	const struct hypothesis **refines;
	unsigned nrefines;
	const char *explanation; /* for people; "" if none */
	const char *advice;      /* what may help; "" if none */
	/* the axes to refine along first, by their names; "" if none */
	const char *hint;
};

/* A way to tell the places apart at which something is: by the values of an attribute. */
struct search_axis {
	char *name;
	struct span where;
	const struct event_type *event;
	unsigned attribute;
};

/*
 * Names the object of a wait by the functions in which the thread waits. The first that matches a
 * function decides; those of a specification come before those that it imports.
 */
struct object_words {
	char *name; /* NULL: the functions pass a wait through, and do not name its object */
	struct span where;
	char **functions; /* shell patterns of functions' names */
	unsigned nfunctions;
	bool hold;    /* it is a lock, which the thread that wakes a waiter had: (kind "hold") */
	bool by_site; /* its word is the thread's, so it is known by its call site: (by "site") */
	bool by_name; /* all such objects of a process are one: (by "name") */
	/* an attribute whose waits have their stacks in events of kind "wait"; NULL: futexes */
	char *of;
	char *label; /* of a wait for it; NULL: "futex" */
};

struct spec {
	char *name;
	struct span where;
	struct event_type **events;
	unsigned nevents;
	struct interval **intervals; /* in the order of the specification */
	unsigned nintervals;
	struct assertion **assertions;
	unsigned nassertions;
	struct hypothesis **hypotheses;
	unsigned nhypotheses;
	struct search_axis **axes;
	unsigned naxes;
	/* patterns of threads' names, in the order of their lanes */
	char **order;
	unsigned norder;
	struct object_words **object_words;
	unsigned nobject_words;
	/*
	 * Schema identity: a 64-bit FNV-1a hash over the names of the events, and the names and
	 * types of their attributes, in order. Intervals do not count, so that a specification with
	 * changed intervals still reads its logs.
	 */
	uint64_t schema;
	char *text;              /* with imports written in place; parses to the same spec */
	struct source **sources; /* what was read; spans refer to these */
	size_t nsources;
	struct arena *arena; /* private: memory of all but sources and expressions */
};

/*
 * Reads, resolves and checks the specification in a file ("-": standard input). Reports every
 * problem to diag and returns NULL if there was an error. Imports are found as import_find() does;
 * a file that is imported twice counts once.
 */
struct spec *spec_read(const char *path, struct diag *diag);
/*
 * Does the same of a specification that logs are read with: an attribute that nothing in it uses is
 * no reason for a warning.
 */
struct spec *spec_read_for_logs(const char *path, struct diag *diag);
/*
 * Reads a specification that lies beside logs from an open file, which is closed, as spec_read()
 * does. It imports nothing but files of its own directory, and follows no link to one; if it is not
 * `beside` others (in a packed file), nothing at all.
 */
struct spec *spec_take(const char *path, int fd, bool beside, struct diag *diag);
/* Reads a specification from a text, as spec_read() does; messages show `name`. */
struct spec *spec_parse(const char *name, const char *text, struct diag *diag);
/* The same, without warnings of what logs need, as spec_read_for_logs() does. */
struct spec *spec_parse_for_logs(const char *name, const char *text, struct diag *diag);
/*
 * Sets *items to the part of the specification's text between the lines that begin and end its
 * block, and returns the length of that part.
 */
size_t spec_items(const struct spec *spec, const char **items);
void spec_free(struct spec *s);

/*
 * Return the event or interval of a name, or NULL. In a trace of several specifications an item is
 * also found as SPECIFICATION.NAME, by the name it was declared by.
 */
const struct event_type *spec_event(const struct spec *s, const char *name);
const struct interval *spec_interval(const struct spec *s, const char *name);
/* Returns the hypothesis of a name, or NULL. */
const struct hypothesis *spec_hypothesis(const struct spec *s, const char *name);
/* Returns the index of the attribute of a name, or -1. */
int event_attribute(const struct event_type *e, const char *name);
/* Returns whether an attribute says nothing to people: it is internal, or the number of a stack. */
bool event_attribute_is_internal(const struct event_type *e, unsigned attribute);
/* Returns whether an interval of kind wait or io starts with an event. */
bool event_begins_wait(const struct spec *s, const struct event_type *e);

/*
 * Returns the event type at an end: its own, or the one at the moment of the interval that the end
 * names. An interval that searches forwards starts with its anchor and ends with its partner;
 * backwards it is the other way round.
 */
const struct event_type *end_event(const struct interval_end *end);
/* Returns which side of an interval a moment is. */
enum side interval_side(const struct interval *i, enum moment moment);
/* Whether it is a wait that another thread ends, as far as its specification says. */
bool interval_waits_for_thread(const struct interval *i);

#endif
