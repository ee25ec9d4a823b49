#include "analysis/replay/share.h"

static void computing_add(struct computing *c, double recorded, double kept)
{
	c->recorded += recorded;
	c->kept += kept;
}

/* Forgets what is long ago. */
static void computing_limit(struct computing *c)
{
	if (c->recorded <= SHARE_NEAR)
		return;
	c->kept *= SHARE_NEAR / c->recorded;
	c->recorded = SHARE_NEAR;
}

void share_end(struct share_search *s, struct operations *o)
{
	double recorded = s->before.recorded + s->after.recorded;
	double kept = s->before.kept + s->after.kept;
	struct operation *lost;
	int64_t was;

	if (s->lost != NOTHING_LOST && recorded > 0 && kept != recorded) {
		lost = &o->all.at[s->lost];
		was = operation_waited(lost);
		lost->time = (int64_t)((double)lost->time * kept / recorded + 0.5);
		kept = (double)lost->latency * kept / recorded + 0.5;
		lost->latency = kept < NO_LATENCY ? (uint32_t)kept : NO_LATENCY - 1;
		o->unexplained += operation_waited(lost) - was;
	}
	s->lost = NOTHING_LOST;
}

void share_computed(struct share_search *s, struct operations *o, double recorded, double kept)
{
	computing_add(&s->after, recorded, kept);
	if (s->after.recorded < SHARE_NEAR)
		return;
	share_end(s, o);
	computing_limit(&s->after);
}

void share_lost(struct share_search *s, struct operations *o)
{
	share_end(s, o);
	s->before = s->after;
	s->after = (struct computing){0, 0};
	computing_limit(&s->before);
	s->lost = o->all.n - 1;
}
