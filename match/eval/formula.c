#include "match/eval/formula.h"
#include "match/eval/program.h"

struct formula formula_of(const struct expr *expression)
{
	return (struct formula){expression, program_of(expression), expr_asks_thread(expression)};
}

void formula_clear(struct formula *f)
{
	program_free(f->program);
}

bool formula_value(const struct formula *f, const struct binding *b, struct value *v)
{
	union cell cell;

	if (!f->program)
		return expr_value(f->expression, b, v);
	if (!program_run(f->program, b->side, &cell))
		return false;
	v->kind = f->expression->kind;
	if (v->kind == VALUE_REAL)
		v->real = cell.real;
	else
		v->integer = cell.integer;
	return true;
}

bool formula_holds(const struct formula *f, const struct binding *b, uint64_t *faults)
{
	enum truth truth;

	if (!f->program)
		return expr_holds(f->expression, b, faults);
	truth = program_holds(f->program, b->side);
	/* written only where there is one: the count may be near what another thread writes */
	if (truth == TRUTH_FAULT)
		++*faults;
	return truth == TRUTH_TRUE;
}
