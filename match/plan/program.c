#include "match/plan/program.h"
#include "base/array.h"
#include "match/plan/instruction.h"
#include "spec/spec.h"
#include <stdlib.h>

struct program *program_new(void)
{
	return array_zero(1, sizeof(struct program));
}

void program_free(struct program *p)
{
	if (!p)
		return;
	free(p->steps);
	free(p);
}

bool program_empty(const struct program *p)
{
	return p->nsteps == 0;
}

static struct step *step_add(struct program *p, enum step_op op, int growth)
{
	p->steps = vector_reserve(p->steps, p->nsteps + 1, &p->room, sizeof *p->steps);
	p->depth += growth;
	if (p->depth > p->stack)
		p->stack = p->depth;
	p->steps[p->nsteps] = (struct step){.op = op};
	return &p->steps[p->nsteps++];
}

static void add_attribute(struct program *p, const struct expr *e)
{
	static const enum step_op loads[] = {
		[TYPE_INT] = STEP_INT, [TYPE_UINT] = STEP_UINT, [TYPE_LONG] = STEP_LONG,
		[TYPE_ULONG] = STEP_ULONG, [TYPE_DOUBLE] = STEP_DOUBLE, [TYPE_STRING] = STEP_STRING,
		[TYPE_ADDRESS] = STEP_ULONG,
	};
	const struct attribute *a = &e->event->attributes[e->attribute];
	struct step *s = step_add(p, loads[a->type], 1);

	s->side = e->side;
	s->offset = a->type == TYPE_STRING ? e->attribute : a->offset;
}

static void add_constant(struct program *p, const struct expr *e)
{
	struct step *s = step_add(p, STEP_CONSTANT, 1);

	switch (e->kind) {
	case VALUE_BOOL:
		s->constant.truth = e->constant.truth;
		break;
	case VALUE_INT:
		s->constant.integer = e->constant.integer;
		break;
	case VALUE_REAL:
		s->constant.real = e->constant.kind == VALUE_INT ? (double)e->constant.integer :
								   e->constant.real;
		break;
	case VALUE_STRING:
		s->constant.string.bytes = e->constant.string.bytes;
		s->constant.string.length = e->constant.string.length;
		break;
	}
}

static void add_leaf(struct program *p, const struct expr *e)
{
	enum step_op op = e->op == EXPR_TIME ? STEP_TIME : e->op == EXPR_THREAD ? STEP_THREAD :
			  e->op == EXPR_OWNER ? STEP_OWNER : STEP_DURATION;

	step_add(p, op, 1)->side = e->side;
}

/* && and || leave their left value where it decides, and drop it where it does not. */
static void add_choice(struct program *p, const struct expr *e)
{
	unsigned jump;

	program_add(p, e->left);
	jump = p->nsteps;
	step_add(p, e->op == EXPR_AND ? STEP_AND : STEP_OR, -1);
	program_add(p, e->right);
	p->steps[jump].target = p->nsteps;
}

static void add_operand(struct program *p, const struct expr *e, enum value_kind wanted)
{
	program_add(p, e);
	if (wanted == VALUE_REAL && e->kind == VALUE_INT)
		program_to_real(p);
}

static enum value_kind common_kind(const struct expr *a, const struct expr *b)
{
	return a->kind == VALUE_REAL || b->kind == VALUE_REAL ? VALUE_REAL : a->kind;
}

static bool loads_integer(enum step_op op)
{
	return op == STEP_INT || op == STEP_UINT || op == STEP_LONG || op == STEP_ULONG ||
	       op == STEP_TIME || op == STEP_THREAD || op == STEP_DURATION;
}

/*
 * Where the right side of the last step, which takes two integers, is a constant, as it is in most
 * conditions, makes one step of both; of a value that was only loaded to be compared, of all three.
 */
static void fuse_literal(struct program *p, unsigned begin, enum step_op op, unsigned what)
{
	struct step *constant = &p->steps[p->nsteps - 2], *first = &p->steps[begin], one = {.op = op};

	if (constant->op != STEP_CONSTANT || constant < first + 1 ||
	    constant->constant.integer != (int64_t)constant->constant.integer)
		return;
	one.literal.what = (uint8_t)what;
	one.literal.with = (int64_t)constant->constant.integer;
	if (op == STEP_COMPARE_WITH && constant == first + 1 && loads_integer(first->op)) {
		one.op = STEP_TEST;
		one.literal.load = (uint8_t)first->op;
		one.literal.side = first->side;
		one.literal.offset = first->offset;
		constant = first;
	}
	*constant = one;
	p->nsteps = (unsigned)(constant - p->steps) + 1;
}

static void add_comparison(struct program *p, const struct expr *e)
{
	static const enum step_op compares[] = {
		[VALUE_BOOL] = STEP_COMPARE_TRUTH, [VALUE_INT] = STEP_COMPARE_INTEGER,
		[VALUE_REAL] = STEP_COMPARE_REAL, [VALUE_STRING] = STEP_COMPARE_STRING,
	};
	static const uint8_t outcomes[] = {
		[EXPR_EQ] = EQUAL, [EXPR_NE] = LESS | GREATER | UNORDERED, [EXPR_LT] = LESS,
		[EXPR_LE] = LESS | EQUAL, [EXPR_GT] = GREATER, [EXPR_GE] = GREATER | EQUAL,
	};
	enum value_kind kind = common_kind(e->left, e->right);
	unsigned begin = p->nsteps;

	add_operand(p, e->left, kind);
	add_operand(p, e->right, kind);
	step_add(p, compares[kind], -1)->outcomes = outcomes[e->op];
	if (kind == VALUE_INT)
		fuse_literal(p, begin, STEP_COMPARE_WITH, outcomes[e->op]);
}

static void add_arithmetic(struct program *p, const struct expr *e)
{
	enum value_kind kind = common_kind(e->left, e->right);
	unsigned begin = p->nsteps;

	add_operand(p, e->left, kind);
	add_operand(p, e->right, kind);
	step_add(p, kind == VALUE_REAL ? STEP_REAL : STEP_INTEGER, -1)->arithmetic = e->op;
	if (kind != VALUE_REAL)
		fuse_literal(p, begin, STEP_INTEGER_WITH, e->op);
}

void program_add(struct program *p, const struct expr *e)
{
	switch (e->op) {
	case EXPR_CONSTANT:
		add_constant(p, e);
		break;
	case EXPR_ATTRIBUTE:
		add_attribute(p, e);
		break;
	case EXPR_NOT:
		program_add(p, e->left);
		program_not(p);
		break;
	case EXPR_NEGATE:
		program_add(p, e->left);
		step_add(p, e->kind == VALUE_REAL ? STEP_NEGATE_REAL : STEP_NEGATE, 0);
		break;
	case EXPR_AND: case EXPR_OR:
		add_choice(p, e);
		break;
	case EXPR_EQ: case EXPR_NE: case EXPR_LT: case EXPR_LE: case EXPR_GT: case EXPR_GE:
		add_comparison(p, e);
		break;
	case EXPR_ADD: case EXPR_SUB: case EXPR_MUL: case EXPR_DIV: case EXPR_MOD:
		add_arithmetic(p, e);
		break;
	case EXPR_METRIC:
		program_add(p, e->metric->value);
		break;
	default:
		add_leaf(p, e);
	}
}

/* Metrics can double with each that uses the ones before it. */
enum { MOST_STEPS = 1000 };

/* False as soon as it is too large. */
static bool fits(const struct expr *e, unsigned *steps)
{
	if (!e)
		return true;
	if (e->op == EXPR_AGGREGATE || ++*steps > MOST_STEPS)
		return false;
	return fits(e->op == EXPR_METRIC ? e->metric->value : e->left, steps) && fits(e->right, steps);
}

struct program *program_of(const struct expr *e)
{
	unsigned steps = 0;
	struct program *p;

	if (!fits(e, &steps))
		return NULL;
	p = program_new();
	program_add(p, e);
	return p;
}

void program_add_zero(struct program *p)
{
	step_add(p, STEP_CONSTANT, 1)->constant.integer = 0;
}

void program_join(struct program *p)
{
	step_add(p, STEP_BOTH, -1);
}

void program_sum(struct program *p, bool subtract)
{
	step_add(p, subtract ? STEP_WIDE_SUB : STEP_WIDE_ADD, -1);
}

void program_not(struct program *p)
{
	step_add(p, STEP_NOT, 0);
}

void program_to_real(struct program *p)
{
	step_add(p, STEP_TO_REAL, 0);
}

enum load program_load(const struct program *p, uint32_t *offset)
{
	static const enum load loads[STEP_OR + 1] = {
		[STEP_INT] = LOAD_INT, [STEP_UINT] = LOAD_UINT, [STEP_LONG] = LOAD_LONG,
		[STEP_TIME] = LOAD_TIME, [STEP_THREAD] = LOAD_THREAD,
	};

	if (p->nsteps != 1)
		return LOAD_OTHER;
	*offset = p->steps[0].offset;
	return loads[p->steps[0].op];
}
