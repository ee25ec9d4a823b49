#include "analysis/replay/program/share.h"

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

/* The sum of waits without a known cause has these. */
static bool is_unexplained(const struct operation *o)
{
	return o->kind == OPERATION_DELAY || o->kind == OPERATION_SERVE;
}

static void lost_multiply(struct operation *o, double factor)
{
	double latency;

	if (o->lost)
		o->time = operation_time((int64_t)((double)o->time * factor + 0.5));
	if (o->latency == NO_LATENCY)
		return;
	latency = (double)o->latency * factor + 0.5;
	o->latency = latency < NO_LATENCY ? (uint32_t)latency : NO_LATENCY - 1;
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
		lost_multiply(lost, 1 + s->follows * (kept / recorded - 1));
		if (is_unexplained(lost))
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

static void loss_begin(struct share_search *s, struct operations *o, size_t operation)
{
	share_end(s, o);
	s->before = s->after;
	computing_limit(&s->before);
	s->after = (struct computing){0, 0};
	s->lost = operation;
}

void share_lost(struct share_search *s, struct operations *o, size_t operation)
{
	loss_begin(s, o, operation);
	s->follows = 1;
	o->all.at[operation].lost = true;
}

void share_woken(struct share_search *s, struct operations *o, size_t operation, double follows)
{
	loss_begin(s, o, operation);
	s->follows = follows;
}
