/*
 * Declares the syntax tree: what was written, not yet what it means. Every node has its position in
 * the source.
 *
 * A tree lives in one arena and borrows its source, which must outlive the tree. Lists are linked
 * through `next`, in the order of the text; an empty list is NULL.
 *
 * Series expressions (nibble) in the tree:
 *
 *	count(Sendmsg[thread=0])        CALL count, argument SELECT
 *	                                { left NAME Sendmsg, item thread=0 }
 *	count(E[where src == 3])        ... item where, its expression in `value`
 *	mean(I.time, window 5 ms)       CALL mean, argument MEMBER { left NAME I, name time },
 *	                                argument key "window", value NUMBER 5000000 AST_TIME
 *	rate(E) per thread              PER { left CALL rate, right NAME thread }
 *	mean(I.time) per (a.size / 2)   PER { left CALL mean, right BINARY '/', name "(a.size / 2)" }
 *	p99.9(I.time) / 1 ms            BINARY '/' { CALL "p99.9", NUMBER }
 *	mean(I[thread="w*"].time)       MEMBER { left SELECT { left NAME I, ... }, name time }
 *
 * The same nodes serve conditions, metrics and assertions of a specification. The grammar does not
 * know which names, functions, options and selections exist: the users of the tree decide that.
 */
#ifndef GLIMPSE_GRAMMAR_AST_H
#define GLIMPSE_GRAMMAR_AST_H

#include "grammar/arena.h"
#include "grammar/diag.h"
#include "grammar/source.h"
#include <stdbool.h>

/* A word or a string with its place. text == NULL: none was given. */
struct ast_name {
	const char *text;
	struct span where;
};

enum ast_expr_kind {
	AST_NUMBER, /* number */
	AST_STRING, /* name.text: the string, its escapes replaced */
	AST_NAME,   /* name: an alias, an event, an interval, an attribute, "time" */
	AST_MEMBER, /* left . name */
	AST_CALL,   /* name ( arguments ) */
	AST_SELECT, /* left [ arguments ] */
	AST_PER,    /* left per right; name: the text of right */
	AST_UNARY,  /* op left */
	AST_BINARY, /* left op right */
};

enum ast_op {
	AST_OP_NONE,
	AST_OP_NOT,
	AST_OP_NEGATE,
	AST_OP_AND,
	AST_OP_OR,
	AST_OP_EQ,
	AST_OP_NE,
	AST_OP_LT,
	AST_OP_LE,
	AST_OP_GT,
	AST_OP_GE,
	AST_OP_ADD,
	AST_OP_SUB,
	AST_OP_MUL,
	AST_OP_DIV,
	AST_OP_MOD,
};

/* Returns an operator as the language spells it: "&&". */
const char *ast_op_text(enum ast_op op);

enum ast_dimension { AST_PLAIN, AST_TIME, AST_BYTES };

/* A number. With a unit it is in nanoseconds or bytes: 5 ms is the integer 5000000, AST_TIME. */
struct ast_number {
	bool is_real; /* 2.5, 1e3; false for 1.5 ms, whole nanoseconds */
	enum ast_dimension dimension;
	__int128 integer; /* 0 .. 2^64-1, if !is_real */
	double real;      /* the value, whether is_real or not */
};

/*
 * One argument of a call, or one item of a selection:
 *	call        expr | key literal | key = expr     key.text == NULL for the first
 *	selection   key = expr | where expr             is_where is set for the second
 */
struct ast_argument {
	struct ast_argument *next;
	struct span where;
	struct ast_name key;
	bool is_where;
	struct ast_expr *value;
};

struct ast_expr {
	enum ast_expr_kind kind;
	enum ast_op op;
	struct span where; /* the whole expression, with parentheses */
	struct ast_expr *left, *right;
	struct ast_name name;
	struct ast_number number;
	struct ast_argument *arguments;
	unsigned depth; /* of the tree below; limited, so that walks may recurse */
};

/* An attribute of an event; type.text == NULL: none was written. */
struct ast_member {
	struct ast_member *next;
	struct ast_name type, name;
	bool behind_comma; /* the comma between members may be left out */
};

/*
 * The list after '=' of an event or interval, flat: the bare words (symbol, offset, connection) and
 * the styles (word "value"), without parentheses.
 */
struct ast_look {
	struct ast_look *next;
	struct ast_name word;
	struct ast_name value; /* text == NULL: a bare word */
};

struct ast_event {
	struct ast_name name;
	struct ast_member *members;
	struct ast_look *look;
};

/* alias : name . moment */
struct ast_end {
	struct ast_name alias, name, moment;
	struct span where;
};

struct ast_metric {
	struct ast_metric *next;
	struct ast_name name;
	struct ast_expr *value;
};

/* The words between ']' and the condition, as flags; a word written twice was reported. */
enum { AST_MATCH = 1, AST_ONCE = 2, AST_NESTED = 4 };

struct ast_interval {
	struct ast_name name;
	struct ast_end first, second;
	bool backwards;
	unsigned pairing;
	struct span pairing_where;  /* of the words; empty if there are none */
	struct ast_look *match;     /* the names behind "Match"; NULL: there are none */
	struct ast_expr *condition; /* NULL: none */
	struct ast_look *look;
	struct span look_where; /* its '='; source == NULL: none was written */
	struct ast_metric *metrics;
};

struct ast_assertion {
	struct ast_name interval; /* text == NULL: over aggregates */
	struct ast_expr *condition;
};

struct ast_hypothesis {
	struct ast_name name;
	struct ast_look *refines;   /* bare words: the names of others */
	struct ast_expr *condition; /* NULL: none */
	struct ast_look *look;
};

/* axis NAME by EVENT.ATTRIBUTE */
struct ast_axis {
	struct ast_name name, event, attribute;
};

/* object NAME in FUNCTIONS */
struct ast_object {
	struct ast_name name;       /* text == NULL: none */
	struct ast_look *functions; /* the patterns, as keys */
	struct ast_look *look;
};

enum ast_item_kind {
	AST_EVENT,
	AST_INTERVAL,
	AST_ASSERTION,
	AST_HYPOTHESIS,
	AST_AXIS,
	AST_ORDER,
	AST_OBJECT,
	AST_IMPORT
};

struct ast_item {
	struct ast_item *next;
	enum ast_item_kind kind;
	struct span where;         /* from the keyword to the semicolon */
	struct span comment_where; /* start == end: there is no comment before it */
	const char *comment;       /* its text without the marks; NULL if none */
	struct ast_event event;
	struct ast_interval interval;
	struct ast_assertion assertion;
	struct ast_hypothesis hypothesis;
	struct ast_axis axis;
	struct ast_look *order; /* the patterns, as keys */
	struct ast_object object;
	struct ast_name import; /* the path as written */
};

struct ast_block {
	struct ast_block *next;
	struct ast_name name, end_name;
	struct ast_item *items;
};

/* The tree of one source. */
struct ast {
	struct arena *arena;
	const struct source *source;
	struct ast_block *blocks; /* parse_spec() */
	struct ast_expr *series;  /* parse_series() */
};

void ast_free(struct ast *tree);

#endif
