#include "viewers/gorge/index/binding.h"

struct bound bound_new(const struct instances *n, bool records, bool times)
{
	return (struct bound){.instances = n, .records = records, .times = times};
}

/* Both ends' threads are those of the sheaf; but a fan's later one is each instance's own. */
void bound_begin(struct bound *b, const struct sheaf *sheaf)
{
	const struct instances *n = b->instances;
	const struct trace *t = census_trace(n->census);

	b->sheaf = sheaf;
	for (enum side side = SIDE_ANCHOR; side <= SIDE_PARTNER; side++) {
		bool early = (side == SIDE_PARTNER) == bound_backwards(b);
		const struct trace_thread *thread = &t->threads[early ? sheaf->from : sheaf->to];
		const struct interval_end *end =
		    side == SIDE_ANCHOR ? &n->interval->anchor : &n->interval->partner;
		b->binding.side[side] = event_operand(
		    t, &(struct event){.type = end_event(end), .thread = thread->number});
	}
	walk_begin(&b->walk, n->census, sheaf->from, NULL);
}

static void bind_end(struct bound *b, enum side side, unsigned thread, uint32_t unit, int64_t time)
{
	struct operand *o = &b->binding.side[side];

	if (b->records)
		o->record = census_record(b->instances->census, id_make(thread, unit));
	o->time = time;
}

static void bind_thread(struct bound *b, enum side side, unsigned index)
{
	const struct trace_thread *thread = &census_trace(b->instances->census)->threads[index];

	b->binding.side[side].thread = thread->number;
	b->binding.side[side].owner = thread->name;
}

void bound_bind(struct bound *b, size_t i)
{
	enum side early = bound_backwards(b) ? SIDE_PARTNER : SIDE_ANCHOR,
		  late = early == SIDE_ANCHOR ? SIDE_PARTNER : SIDE_ANCHOR;
	const struct sheaf *sheaf = b->sheaf;
	int64_t start = 0;

	b->binding.duration = sheaf_length(sheaf, i);
	if (b->times) {
		walk_to_unit(&b->walk, sheaf->start[i]);
		start = b->walk.at.time;
	}
	bind_end(b, early, sheaf->from, sheaf->start[i], start);
	bind_end(b, late, sheaf_to(sheaf, i), sheaf->end[i], start + b->binding.duration);
	if (sheaf->tos)
		bind_thread(b, late, sheaf->tos[i]);
}

event_id bound_anchor(const struct bound *b, size_t i)
{
	const struct sheaf *s = b->sheaf;

	return bound_backwards(b) ? id_make(s->to, s->end[i]) : id_make(s->from, s->start[i]);
}

void bound_fetch(const struct bound *b, size_t i)
{
	const struct census *c = b->instances->census;
	const struct sheaf *sheaf = b->sheaf;

	if (i >= sheaf->n)
		return;
	__builtin_prefetch(census_record(c, id_make(sheaf->from, sheaf->start[i])));
	__builtin_prefetch(census_record(c, id_make(sheaf_to(sheaf, i), sheaf->end[i])));
}
