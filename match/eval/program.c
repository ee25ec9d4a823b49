#include "match/eval/program.h"
#include "base/array.h"
#include "match/eval/instruction.h"
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
	free(p->code);
	free(p);
}

bool program_empty(const struct program *p)
{
	return p->ninstructions == 0;
}

static struct instruction *instruction_add(struct program *p, enum opcode op, int growth)
{
	p->code = vector_reserve(p->code, p->ninstructions + 1, &p->room, sizeof *p->code);
	p->depth += growth;
	if (p->depth > p->stack)
		p->stack = p->depth;
	p->code[p->ninstructions] = (struct instruction){.op = op};
	return &p->code[p->ninstructions++];
}

static void add_attribute(struct program *p, const struct expr *e)
{
	static const enum opcode loads[] = {
	    [TYPE_INT] = OP_INT,       [TYPE_UINT] = OP_UINT,     [TYPE_LONG] = OP_LONG,
	    [TYPE_ULONG] = OP_ULONG,   [TYPE_DOUBLE] = OP_DOUBLE, [TYPE_STRING] = OP_STRING,
	    [TYPE_ADDRESS] = OP_ULONG, [TYPE_CODE] = OP_ULONG,    [TYPE_OBJECT] = OP_ULONG,
	    [TYPE_CODE32] = OP_UINT,
	};
	const struct attribute *a = &e->event->attributes[e->attribute];
	struct instruction *s = instruction_add(p, loads[a->type], 1);

	s->side = e->side;
	s->offset = a->type == TYPE_STRING ? e->attribute : a->offset;
}

static void add_constant(struct program *p, const struct expr *e)
{
	struct instruction *s = instruction_add(p, OP_CONSTANT, 1);

	switch (e->kind) {
	case VALUE_BOOL:
		s->constant.truth = e->constant.truth;
		break;
	case VALUE_INT:
		s->constant.integer = e->constant.integer;
		break;
	case VALUE_REAL:
		s->constant.real =
		    e->constant.kind == VALUE_INT ? (double)e->constant.integer : e->constant.real;
		break;
	case VALUE_STRING:
		s->constant.string.bytes = e->constant.string.bytes;
		s->constant.string.length = e->constant.string.length;
		break;
	}
}

static void add_leaf(struct program *p, const struct expr *e)
{
	enum opcode op = e->op == EXPR_TIME      ? OP_TIME
			 : e->op == EXPR_THREAD  ? OP_THREAD
			 : e->op == EXPR_OWNER   ? OP_OWNER
			 : e->op == EXPR_PROCESS ? OP_PROCESS
						 : OP_DURATION;

	instruction_add(p, op, 1)->side = e->side;
}

/* && and || leave their left value where it decides, and drop it where it does not. */
static void add_choice(struct program *p, const struct expr *e)
{
	unsigned jump;

	program_add(p, e->left);
	jump = p->ninstructions;
	instruction_add(p, e->op == EXPR_AND ? OP_AND : OP_OR, -1);
	program_add(p, e->right);
	p->code[jump].target = p->ninstructions;
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

static bool loads_integer(enum opcode op)
{
	return op == OP_INT || op == OP_UINT || op == OP_LONG || op == OP_ULONG || op == OP_TIME ||
	       op == OP_THREAD || op == OP_DURATION;
}

/*
 * Makes one instruction of the last one, which takes two integers, and of the constant before it,
 * if it is one, as in most conditions; of all three, if a value was only loaded to be compared.
 */
static void fuse_literal(struct program *p, unsigned begin, enum opcode op, unsigned what)
{
	struct instruction *constant = &p->code[p->ninstructions - 2], *first = &p->code[begin];
	struct instruction one = {.op = op};

	if (constant->op != OP_CONSTANT || constant < first + 1 ||
	    constant->constant.integer != (int64_t)constant->constant.integer)
		return;
	one.literal.what = (uint8_t)what;
	one.literal.with = (int64_t)constant->constant.integer;
	if (op == OP_COMPARE_WITH && constant == first + 1 && loads_integer(first->op)) {
		one.op = OP_TEST;
		one.literal.load = (uint8_t)first->op;
		one.literal.side = first->side;
		one.literal.offset = first->offset;
		constant = first;
	}
	*constant = one;
	p->ninstructions = (unsigned)(constant - p->code) + 1;
}

static void add_comparison(struct program *p, const struct expr *e)
{
	static const enum opcode compares[] = {
	    [VALUE_BOOL] = OP_COMPARE_TRUTH,
	    [VALUE_INT] = OP_COMPARE_INTEGER,
	    [VALUE_REAL] = OP_COMPARE_REAL,
	    [VALUE_STRING] = OP_COMPARE_STRING,
	};
	static const uint8_t outcomes[] = {
	    [EXPR_EQ] = EQUAL,   [EXPR_NE] = LESS | GREATER | UNORDERED,
	    [EXPR_LT] = LESS,    [EXPR_LE] = LESS | EQUAL,
	    [EXPR_GT] = GREATER, [EXPR_GE] = GREATER | EQUAL,
	};
	enum value_kind kind = common_kind(e->left, e->right);
	unsigned begin = p->ninstructions;

	add_operand(p, e->left, kind);
	add_operand(p, e->right, kind);
	instruction_add(p, compares[kind], -1)->outcomes = outcomes[e->op];
	if (kind == VALUE_INT)
		fuse_literal(p, begin, OP_COMPARE_WITH, outcomes[e->op]);
}

static void add_arithmetic(struct program *p, const struct expr *e)
{
	enum value_kind kind = common_kind(e->left, e->right);
	unsigned begin = p->ninstructions;

	add_operand(p, e->left, kind);
	add_operand(p, e->right, kind);
	instruction_add(p, kind == VALUE_REAL ? OP_REAL : OP_INTEGER, -1)->arithmetic = e->op;
	if (kind != VALUE_REAL)
		fuse_literal(p, begin, OP_INTEGER_WITH, e->op);
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
		instruction_add(p, e->kind == VALUE_REAL ? OP_NEGATE_REAL : OP_NEGATE, 0);
		break;
	case EXPR_AND:
	case EXPR_OR:
		add_choice(p, e);
		break;
	case EXPR_EQ:
	case EXPR_NE:
	case EXPR_LT:
	case EXPR_LE:
	case EXPR_GT:
	case EXPR_GE:
		add_comparison(p, e);
		break;
	case EXPR_ADD:
	case EXPR_SUB:
	case EXPR_MUL:
	case EXPR_DIV:
	case EXPR_MOD:
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
enum { MOST_CODE = 1000 };

/* Counts instructions; returns false as soon as they are too many. */
static bool code_fits(const struct expr *e, unsigned *n)
{
	if (!e)
		return true;
	if (e->op == EXPR_AGGREGATE || ++*n > MOST_CODE)
		return false;
	return code_fits(e->op == EXPR_METRIC ? e->metric->value : e->left, n) &&
	       code_fits(e->right, n);
}

struct program *program_of(const struct expr *e)
{
	unsigned n = 0;
	struct program *p;

	if (!code_fits(e, &n))
		return NULL;
	p = program_new();
	program_add(p, e);
	return p;
}

void program_add_zero(struct program *p)
{
	instruction_add(p, OP_CONSTANT, 1)->constant.integer = 0;
}

void program_join(struct program *p)
{
	instruction_add(p, OP_BOTH, -1);
}

void program_sum(struct program *p, bool subtract)
{
	instruction_add(p, subtract ? OP_WIDE_SUB : OP_WIDE_ADD, -1);
}

void program_not(struct program *p)
{
	instruction_add(p, OP_NOT, 0);
}

void program_to_real(struct program *p)
{
	instruction_add(p, OP_TO_REAL, 0);
}

enum load_kind program_load(const struct program *p, uint32_t *offset)
{
	static const enum load_kind loads[OP_OR + 1] = {
	    [OP_INT] = LOAD_INT,    [OP_UINT] = LOAD_UINT,     [OP_LONG] = LOAD_LONG,
	    [OP_ULONG] = LOAD_LONG, /* the same bits: the scale says whether they have a sign */
	    [OP_TIME] = LOAD_TIME,  [OP_THREAD] = LOAD_THREAD,
	};

	if (p->ninstructions != 1)
		return LOAD_OTHER;
	*offset = p->code[0].offset;
	return loads[p->code[0].op];
}
