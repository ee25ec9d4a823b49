#include "analysis/replay/changes/change_order.h"

struct directions {
	bool any, faster, slower;
};

static void span_add(struct directions *d, const struct span_change *s)
{
	if (s->kind >= SPAN_TIME || (s->kind == SPAN_IO && device_is_given(&s->device))) {
		d->any = true;
		return;
	}
	d->faster |= s->factor > 1;
	d->slower |= s->factor < 1;
}

/* As many as are wanted are more than any number. */
static void cores_add(struct directions *d, const struct changes *c, unsigned cores)
{
	if (!c->cores_given)
		return;
	d->any |= !cores;
	d->faster |= !c->cores || c->cores > cores;
	d->slower |= c->cores && c->cores < cores;
}

enum change_order change_order_of(const struct changes *c, unsigned cores)
{
	struct directions d = {.any = c->nlocks || c->nslots || team_is_changed(&c->team) ||
				      c->slice || c->served};

	for (unsigned i = 0; i < c->nspans; i++)
		if (c->only == NOT_CHANGED || c->only == i)
			span_add(&d, &c->spans[i]);
	cores_add(&d, c, cores);
	if (d.any || d.faster == d.slower)
		return CHANGE_ANY;
	return d.faster ? CHANGE_SHORTENS : CHANGE_LENGTHENS;
}
