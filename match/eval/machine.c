/* The machine that programs run on: a stack of cells. */
#include "match/eval/instruction.h"
#include "spec/layout.h"
#include "spec/spec.h"
#include <string.h>

#define LOAD(type, from) \
	({ \
		type v_; \
		memcpy(&v_, (from), sizeof v_); \
		v_; \
	})

/* Returns false if the result leaves the integers there are. */
static bool integer_arithmetic(enum expr_op op, __int128 a, __int128 b, __int128 *result)
{
	switch (op) {
	case EXPR_ADD:
		*result = a + b;
		break;
	case EXPR_SUB:
		*result = a - b;
		break;
	case EXPR_MUL:
		if (__builtin_mul_overflow(a, b, result))
			return false;
		break;
	default:
		if (b == 0)
			return false;
		/* A division of 128 bits takes several times as long. */
		if (a == (int64_t)a && b == (int64_t)b && b != -1)
			*result =
			    op == EXPR_DIV ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b;
		else
			*result = op == EXPR_DIV ? a / b : a % b;
	}
	return integer_fits(*result);
}

/* Returns false at a division by zero, which is a fault of doubles, too. */
static bool real_arithmetic(enum expr_op op, double a, double b, double *result)
{
	switch (op) {
	case EXPR_ADD:
		*result = a + b;
		return true;
	case EXPR_SUB:
		*result = a - b;
		return true;
	case EXPR_MUL:
		*result = a * b;
		return true;
	default:
		*result = a / b;
		return b != 0;
	}
}

int string_compare(const union cell *a, const union cell *b)
{
	uint32_t na = a->string.length, nb = b->string.length;
	int order = memcmp(a->string.bytes, b->string.bytes, na < nb ? na : nb);

	return order ? order : (na > nb) - (na < nb);
}

static unsigned real_outcome(double a, double b)
{
	return a < b ? LESS : a > b ? GREATER : a == b ? EQUAL : UNORDERED;
}

static unsigned string_outcome(const union cell *a, const union cell *b)
{
	int order = string_compare(a, b);

	return order < 0 ? LESS : order > 0 ? GREATER : EQUAL;
}

static unsigned integer_outcome(__int128 a, __int128 b)
{
	return a < b ? LESS : a > b ? GREATER : EQUAL;
}

static unsigned cells_compare(enum opcode op, const union cell *a, const union cell *b)
{
	switch (op) {
	case OP_COMPARE_TRUTH:
		return a->truth < b->truth ? LESS : a->truth > b->truth ? GREATER : EQUAL;
	case OP_COMPARE_INTEGER:
		return integer_outcome(a->integer, b->integer);
	case OP_COMPARE_REAL:
		return real_outcome(a->real, b->real);
	default:
		return string_outcome(a, b);
	}
}

static void load_string(const struct operand *o, unsigned attribute, union cell *to)
{
	struct value v = record_value(o->event, attribute, o->record);

	to->string.bytes = v.string.bytes;
	to->string.length = v.string.length;
}

static inline void cell_load(enum opcode op, const struct instruction *i,
			     const struct operand *side, union cell *to)
{
	const struct operand *o = &side[i->side];

	switch (op) {
	case OP_INT:
		to->integer = LOAD(int32_t, o->record + i->offset);
		break;
	case OP_UINT:
		to->integer = LOAD(uint32_t, o->record + i->offset);
		break;
	case OP_LONG:
		to->integer = LOAD(int64_t, o->record + i->offset);
		break;
	case OP_ULONG:
		to->integer = LOAD(uint64_t, o->record + i->offset);
		break;
	case OP_DOUBLE:
		to->real = LOAD(double, o->record + i->offset);
		break;
	case OP_STRING:
		load_string(o, i->offset, to);
		break;
	case OP_TIME:
		to->integer = o->time;
		break;
	case OP_THREAD:
		to->integer = o->thread;
		break;
	case OP_OWNER:
		to->string.bytes = o->owner ? o->owner : "";
		to->string.length = (uint32_t)strlen(to->string.bytes);
		break;
	case OP_PROCESS:
		to->integer = o->process;
		break;
	default:
		to->integer = side[SIDE_PARTNER].time - side[SIDE_ANCHOR].time;
		to->integer = to->integer < 0 ? -to->integer : to->integer;
	}
}

static bool test_literal(const struct instruction *i, const struct operand *side)
{
	union cell value;

	cell_load((enum opcode)i->literal.load, i, side, &value);
	return integer_outcome(value.integer, i->literal.with) & i->literal.what;
}

/* Carries out an instruction that replaces the two topmost values, of which b is the upper. */
static bool cells_combine(const struct instruction *i, union cell *a, const union cell *b)
{
	switch (i->op) {
	case OP_INTEGER:
		return integer_arithmetic(i->arithmetic, a->integer, b->integer, &a->integer);
	case OP_REAL:
		return real_arithmetic(i->arithmetic, a->real, b->real, &a->real);
	case OP_WIDE_ADD:
		a->integer += b->integer;
		return true;
	case OP_WIDE_SUB:
		a->integer -= b->integer;
		return true;
	case OP_BOTH:
		a->truth = a->truth && b->truth;
		return true;
	default:
		a->truth = (cells_compare(i->op, a, b) & i->outcomes) != 0;
		return true;
	}
}

/* Carries out an instruction that changes the topmost value. */
static bool cell_change(const struct instruction *i, union cell *top)
{
	switch (i->op) {
	case OP_INTEGER_WITH:
		return integer_arithmetic((enum expr_op)i->literal.what, top->integer,
					  i->literal.with, &top->integer);
	case OP_COMPARE_WITH:
		top->truth = integer_outcome(top->integer, i->literal.with) & i->literal.what;
		return true;
	case OP_TO_REAL:
		top->real = (double)top->integer;
		return true;
	case OP_NOT:
		top->truth = !top->truth;
		return true;
	case OP_NEGATE_REAL:
		top->real = -top->real;
		return true;
	default:
		top->integer = -top->integer;
		return integer_fits(top->integer);
	}
}

/*
 * Runs on a stack whose lowest cell stays unused, so that there is always a topmost one. Returns
 * the cell with the result, or NULL at a fault.
 */
static inline const union cell *code_run(const struct program *p, const struct operand *side,
					 union cell *top)
{
	for (const struct instruction *i = p->code, *end = i + p->ninstructions; i < end; i++) {
		if (i->op == OP_CONSTANT) {
			*++top = i->constant;
		} else if (i->op <= OP_DURATION) {
			cell_load(i->op, i, side, ++top);
		} else if (i->op == OP_TEST) {
			(++top)->truth = test_literal(i, side);
		} else if (i->op <= OP_COMPARE_WITH) {
			if (!cell_change(i, top))
				return NULL;
		} else if (i->op <= OP_COMPARE_STRING) {
			top--;
			if (!cells_combine(i, top, top + 1))
				return NULL;
		} else if (top->truth == (i->op == OP_OR)) {
			i = p->code + i->target - 1;
		} else {
			top--;
		}
	}
	return top;
}

bool program_run(const struct program *p, const struct operand *side, union cell *result)
{
	union cell stack[p->stack + 1];
	const union cell *top = code_run(p, side, stack);

	if (top)
		*result = *top;
	return top;
}

/* The truth is read where it was written: to read all of a cell of which a part was just written
 * would make the processor wait. */
enum truth program_holds(const struct program *p, const struct operand *side)
{
	union cell stack[p->stack + 1];
	const union cell *top;

	if (p->ninstructions == 0)
		return TRUTH_TRUE;
	top = code_run(p, side, stack);
	return !top ? TRUTH_FAULT : top->truth ? TRUTH_TRUE : TRUTH_FALSE;
}
