#include "trace/condition.h"
#include "trace/program.h"

struct condition condition_of(const struct expr *expression)
{
	return (struct condition){expression, program_of(expression)};
}

void condition_clear(struct condition *c)
{
	program_free(c->program);
}

bool condition_holds(const struct condition *c, const struct binding *b, uint64_t *faults)
{
	enum verdict verdict;

	if (!c->program)
		return expr_holds(c->expression, b, faults);
	verdict = program_holds(c->program, b->side);
	/* written only where there is one: the count may be near what another thread writes */
	if (verdict == VERDICT_FAULT)
		++*faults;
	return verdict == VERDICT_TRUE;
}
