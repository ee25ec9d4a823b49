#include "spec/equal.h"
#include <string.h>

/* Compares doubles by their bits: a NaN equals itself, and -0.0 does not equal 0.0. */
static bool constants_equal(const struct value *a, const struct value *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case VALUE_BOOL:
		return a->truth == b->truth;
	case VALUE_INT:
		return a->integer == b->integer;
	case VALUE_REAL:
		return memcmp(&a->real, &b->real, sizeof a->real) == 0;
	case VALUE_STRING:
		return a->string.length == b->string.length &&
		       memcmp(a->string.bytes, b->string.bytes, a->string.length) == 0;
	}
	return false;
}

static bool leaves_equal(const struct expr *a, const struct expr *b)
{
	switch (a->op) {
	case EXPR_CONSTANT:
		return constants_equal(&a->constant, &b->constant);
	case EXPR_ATTRIBUTE:
		return a->side == b->side && a->attribute == b->attribute;
	case EXPR_TIME:
	case EXPR_THREAD:
	case EXPR_OWNER:
	case EXPR_PROCESS:
		return a->side == b->side;
	case EXPR_METRIC:
		return a->metric == b->metric;
	case EXPR_DURATION:
		return true;
	default:
		return false;
	}
}

bool expr_equal(const struct expr *a, const struct expr *b)
{
	if (a->op != b->op)
		return false;
	if (!a->left)
		return leaves_equal(a, b);
	return expr_equal(a->left, b->left) && (!a->right || expr_equal(a->right, b->right));
}

bool attributes_equal(const struct event_type *a, const struct event_type *b)
{
	if (a->nattributes != b->nattributes)
		return false;
	for (unsigned i = 0; i < a->nattributes; i++)
		if (a->attributes[i].type != b->attributes[i].type ||
		    strcmp(a->attributes[i].name, b->attributes[i].name) != 0)
			return false;
	return true;
}

bool events_equal(const struct spec *a, const struct spec *b)
{
	if (a->nevents != b->nevents)
		return false;
	for (unsigned i = 0; i < a->nevents; i++) {
		const struct event_type *e = a->events[i], *f = b->events[i];
		if (strcmp(e->name, f->name) != 0 || e->offset_attribute != f->offset_attribute ||
		    !attributes_equal(e, f))
			return false;
	}
	return true;
}

static bool ends_equal(const struct interval_end *a, const struct interval_end *b)
{
	if (!a->interval != !b->interval)
		return false;
	if (!a->interval)
		return a->event->index == b->event->index;
	return a->moment == b->moment && intervals_equal(a->interval, b->interval);
}

bool intervals_equal(const struct interval *a, const struct interval *b)
{
	return a->direction == b->direction && a->once == b->once && a->nested == b->nested &&
	       ends_equal(&a->anchor, &b->anchor) && ends_equal(&a->partner, &b->partner) &&
	       expr_equal(a->condition, b->condition);
}
