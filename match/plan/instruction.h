/* The steps of a program: shared by the builder (program.c) and the machine (run.c). */
#ifndef GLIMPSE_MATCH_PLAN_INSTRUCTION_H
#define GLIMPSE_MATCH_PLAN_INSTRUCTION_H

#include "match/plan/program.h"

enum step_op {
	/* put a value on the stack */
	STEP_CONSTANT, STEP_INT, STEP_UINT, STEP_LONG, STEP_ULONG, STEP_DOUBLE, STEP_STRING,
	STEP_TIME, STEP_THREAD, STEP_OWNER, STEP_DURATION,
	STEP_TEST,      /* the truth of an integer that is loaded, compared with a constant */
	/* change the topmost */
	STEP_TO_REAL, STEP_NOT, STEP_NEGATE, STEP_NEGATE_REAL,
	STEP_INTEGER_WITH, STEP_COMPARE_WITH, /* an integer, with a constant */
	/* take two, put one */
	STEP_INTEGER, STEP_REAL, STEP_WIDE_ADD, STEP_WIDE_SUB, STEP_BOTH,
	STEP_COMPARE_TRUTH, STEP_COMPARE_INTEGER, STEP_COMPARE_REAL, STEP_COMPARE_STRING,
	/* leave the topmost and jump, or take it and go on */
	STEP_AND, STEP_OR,
};

/* What a comparison can find: its outcomes are the ones that make it true. */
enum outcome { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

struct step {
	enum step_op op;
	union {
		struct { uint32_t side, offset; };      /* of the attribute; a string: its index */
		uint32_t target;
		uint32_t outcomes;
		struct {
			uint32_t side, offset;
			uint8_t load, what;     /* the steps that it stands for: what is loaded, outcomes or arithmetic */
			int64_t with;
		} literal;
		enum expr_op arithmetic;
		union cell constant;
	};
};

struct program {
	struct step *steps;
	unsigned nsteps;
	size_t room;
	int depth, stack;       /* cells in use after the steps so far; the most there ever are */
};

#endif
