/* Defines the instructions of a program, which program.c compiles and machine.c runs. */
#ifndef GLIMPSE_MATCH_EVAL_INSTRUCTION_H
#define GLIMPSE_MATCH_EVAL_INSTRUCTION_H

#include "match/eval/program.h"

enum opcode {
	/* put a value on the stack */
	OP_CONSTANT,
	OP_INT,
	OP_UINT,
	OP_LONG,
	OP_ULONG,
	OP_DOUBLE,
	OP_STRING,
	OP_TIME,
	OP_THREAD,
	OP_OWNER,
	OP_PROCESS,
	OP_DURATION,
	OP_TEST, /* the truth of an integer that is loaded, compared with a constant */
	/* change the topmost */
	OP_TO_REAL,
	OP_NOT,
	OP_NEGATE,
	OP_NEGATE_REAL,
	OP_INTEGER_WITH,
	OP_COMPARE_WITH, /* an integer, with a constant */
	/* take two, put one */
	OP_INTEGER,
	OP_REAL,
	OP_WIDE_ADD,
	OP_WIDE_SUB,
	OP_BOTH,
	OP_COMPARE_TRUTH,
	OP_COMPARE_INTEGER,
	OP_COMPARE_REAL,
	OP_COMPARE_STRING,
	/* leave the topmost and jump, or take it and go on */
	OP_AND,
	OP_OR,
};

/* What a comparison can find. Its outcomes are those that make it true. */
enum outcome { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

struct instruction {
	enum opcode op;
	union {
		struct {
			uint32_t side, offset;
		}; /* of the attribute; a string: its index */
		uint32_t target;
		uint32_t outcomes;
		struct {
			uint32_t side, offset;
			uint8_t load; /* OP_TEST: the opcode of what is loaded */
			uint8_t what; /* outcomes, or the arithmetic */
			int64_t with;
		} literal;
		enum expr_op arithmetic;
		union cell constant;
	};
};

struct program {
	struct instruction *code;
	unsigned ninstructions;
	size_t room;
	int depth, stack; /* cells in use after the code so far; the most there ever are */
};

#endif
