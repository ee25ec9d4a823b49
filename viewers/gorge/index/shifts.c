#include "viewers/gorge/index/shifts.h"
#include "spec/layout.h"
#include <math.h>

unsigned thread_index(const struct trace *t, uint32_t number)
{
	const struct trace_thread *found;

	if (number < t->nthreads && t->threads[number].number == number)
		return number;
	found = trace_thread(t, number);
	return found ? (unsigned)(found - t->threads) : t->nthreads;
}

static double number_of(const struct event *e)
{
	struct value v = record_value(e->type, (unsigned)e->type->offset_attribute, e->record);

	return v.kind == VALUE_INT ? (double)v.integer : v.kind == VALUE_REAL ? v.real : 0;
}

struct shift_range shift_range_empty(void)
{
	return (struct shift_range){INFINITY, -INFINITY};
}

void shift_range_add(struct shift_range *r, const struct event *e)
{
	double number = number_of(e);

	r->low = fmin(r->low, number);
	r->high = fmax(r->high, number);
}

uint8_t shift_range_place(const struct shift_range *r, const struct event *e)
{
	double part = (number_of(e) - r->low) / (r->high - r->low);

	return part >= 0 && part <= 1 ? (uint8_t)lround(part * (SHIFTS - 1)) : SHIFTS / 2;
}
