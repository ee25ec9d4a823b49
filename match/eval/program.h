/*
 * Compiles expressions once into a flat program for a small stack, to be run on very many pairs of
 * events. A program means exactly what spec/expr.h says of its expression.
 */
#ifndef GLIMPSE_MATCH_EVAL_PROGRAM_H
#define GLIMPSE_MATCH_EVAL_PROGRAM_H

#include "spec/expr.h"
#include <stddef.h>

/* A value of a kind that is known when the program is compiled. */
union cell {
	__int128 integer;
	double real;
	struct {
		const char *bytes;
		uint32_t length;
	} string;
	bool truth;
};

struct program;

struct program *program_new(void);
void program_free(struct program *p);

/* Compiles an expression. Returns NULL if it has aggregates, or its metrics make it too large. */
struct program *program_of(const struct expr *e);

/* Appends the evaluation of an expression without aggregates, which leaves a value of its kind. */
void program_add(struct program *p, const struct expr *e);
/* Appends an integer zero. */
void program_add_zero(struct program *p);
/*
 * Append an operation that replaces the topmost values. program_join() replaces two by the truth of
 * both, and program_sum() by their sum or difference, with no limit to its range. The others
 * replace one: by its negation, or by the integer as a double.
 */
void program_join(struct program *p);
void program_sum(struct program *p, bool subtract);
void program_not(struct program *p);
void program_to_real(struct program *p);

bool program_empty(const struct program *p);

enum load_kind { LOAD_OTHER, LOAD_INT, LOAD_UINT, LOAD_LONG, LOAD_TIME, LOAD_THREAD };
/* Returns what a program loads that does nothing else, and the offset if that is an attribute. */
enum load_kind program_load(const struct program *p, uint32_t *offset);

/* Runs a program on operands indexed by enum side. Returns false at a fault. */
bool program_run(const struct program *p, const struct operand *side, union cell *result);

enum truth { TRUTH_FALSE, TRUTH_TRUE, TRUTH_FAULT };
/* Runs a program that leaves a truth; an empty one is true. */
enum truth program_holds(const struct program *p, const struct operand *side);

int string_compare(const union cell *a, const union cell *b);

#endif
