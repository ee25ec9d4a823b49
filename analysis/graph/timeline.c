#include "analysis/graph/timeline.h"
#include "analysis/activity/span_text.h"
#include "base/ranges.h"
#include "base/search.h"
#include <stdlib.h>

/* A sweep through the thread's time. */
struct timeline_sweep {
	const struct timeline_input *in;
	struct timeline *line;
	size_t room;
	size_t next_wait, next_state;
	VECTOR(const struct instance_span *) open; /* waits, in the order of their starts */
	const struct instance_span *state;         /* NULL: none is known */
	/* the wait of the last stretch; or NULL */
	const struct instance_span *within;
};

/* Returns the time of the next change after `now`; INT64_MAX: there is none. */
static int64_t sweep_next(const struct timeline_sweep *s)
{
	int64_t at = INT64_MAX;

	if (s->next_wait < s->in->waits->n)
		at = sooner(at, s->in->waits->at[s->next_wait].start);
	if (s->next_state < s->in->states->n)
		at = sooner(at, s->in->states->at[s->next_state].start);
	if (s->state)
		at = sooner(at, s->state->end);
	for (size_t i = 0; i < s->open.n; i++)
		at = sooner(at, s->open.at[i]->end);
	return at;
}

/* Ends what ends, and begins what begins, up to a time. */
static void sweep_to(struct timeline_sweep *s, int64_t now)
{
	size_t kept = 0;

	if (s->state && s->state->end <= now)
		s->state = NULL;
	while (s->next_state < s->in->states->n && s->in->states->at[s->next_state].start <= now) {
		const struct instance_span *state = &s->in->states->at[s->next_state++];

		if (state->end > now)
			s->state = state;
	}
	while (s->next_wait < s->in->waits->n && s->in->waits->at[s->next_wait].start <= now)
		*vector_add(&s->open) = &s->in->waits->at[s->next_wait++];
	for (size_t i = 0; i < s->open.n; i++)
		if (s->open.at[i]->end > now)
			s->open.at[kept++] = s->open.at[i];
	s->open.n = kept;
}

static enum activity activity_of(enum thread_state state)
{
	return state == STATE_READY     ? ACTIVITY_READY
	       : state == STATE_BLOCKED ? ACTIVITY_BLOCKED
					: ACTIVITY_RUNNING;
}

/* Whether no thread of the program needs to end a wait. */
static bool ends_outside(const struct role *wait)
{
	return wait->kind == KIND_IO || (wait->kind == KIND_WAIT && wait->interval->until);
}

/*
 * Whether a thread that is not blocked begins a wait, or was woken from it: it is blocked next
 * there, or was before. The state of now is the last of those that began.
 */
static bool is_around_block(const struct timeline_sweep *s, const struct instance_span *wait,
			    enum activity activity)
{
	const struct instance_span *states = s->in->states->at;
	size_t n = s->in->states->n, next = s->next_state;
	size_t blocked = activity == ACTIVITY_READY ? next - 2 : next; /* wraps around: none */

	if (activity == ACTIVITY_RUNNING && next && states[next - 1].start > wait->start)
		return false;
	return blocked < n && states[blocked].start < wait->end &&
	       states[blocked].end > wait->start &&
	       span_role(s->in->set, &states[blocked])->state == STATE_BLOCKED;
}

/*
 * Whether a wait counts as one now. One that ends outside is logged because its call took long,
 * also if that worked or had no processor. It counts only where the thread is blocked, begins to
 * be, or was woken: limits and deadlines are logged there.
 */
static bool is_waiting(const struct timeline_sweep *s, const struct instance_span *wait,
		       enum activity activity, int64_t now)
{
	const struct role *role = span_role(s->in->set, wait);

	return !ends_outside(role) || !s->in->states->n || now >= s->in->states_end ||
	       activity == ACTIVITY_BLOCKED ||
	       (role->kind == KIND_WAIT && is_around_block(s, wait, activity));
}

/* What the thread does now. *wait: the innermost one; NULL: none. */
static struct stretch sweep_stretch(const struct timeline_sweep *s, int64_t from,
				    const struct instance_span **wait)
{
	enum thread_state state = s->state ? span_role(s->in->set, s->state)->state : STATE_OTHER;
	struct stretch t = {.from = from, .cause_thread = NO_THREAD, .role = NO_ROLE};

	*wait = s->open.n ? s->open.at[s->open.n - 1] : NULL;
	t.activity = activity_of(state) & 63u;
	if (!*wait)
		return t;
	if (is_waiting(s, *wait, activity_of(state), from)) {
		t.activity = ACTIVITY_WAITING;
		t.role = (uint32_t)(span_role(s->in->set, *wait) - s->in->set->roles) & NO_ROLE;
	} else {
		t.in_wait = 1;
	}
	return t;
}

static void stretch_add(struct timeline_sweep *s, int64_t from)
{
	struct timeline *l = s->line;
	const struct stretch *last = l->n ? &l->stretches[l->n - 1] : NULL;
	const struct instance_span *within;
	struct stretch t = sweep_stretch(s, from, &within);

	if (last && last->activity == t.activity && within == s->within)
		return;
	l->stretches = vector_reserve(l->stretches, l->n + 1, &s->room, sizeof t);
	l->stretches[l->n++] = t;
	s->within = within;
}

/* What ended with the trace, or by the thread's end, has no end of its own. */
static int64_t idle_since(const struct timeline *l, const struct timeline_input *in)
{
	int64_t since = l->end;

	for (size_t i = 0; i < in->waits->n; i++)
		if (in->waits->at[i].end == INT64_MAX)
			since = sooner(since, in->waits->at[i].start);
	for (size_t i = 0; i < in->states->n; i++)
		if (in->states->at[i].end == INT64_MAX &&
		    activity_of(span_role(in->set, &in->states->at[i])->state) == ACTIVITY_BLOCKED)
			since = sooner(since, in->states->at[i].start);
	return since;
}

void timeline_make(struct timeline *l, const struct timeline_input *in)
{
	struct timeline_sweep s = {.in = in, .line = l};
	int64_t now = l->begin;

	do {
		sweep_to(&s, now);
		stretch_add(&s, now);
		now = sweep_next(&s);
	} while (now < l->end);
	l->stretches = array_resize(l->stretches, l->n, sizeof *l->stretches);
	l->idle = idle_since(l, in);
	free(s.open.at);
}

size_t stretch_before(const struct timeline *l, int64_t time)
{
	size_t next = lower_bound(i, 0, l->n, l->stretches[i].from < time);

	return next ? next - 1 : l->n;
}

size_t stretch_caused(const struct timeline *l, int64_t cause, int64_t time)
{
	size_t i = stretch_before(l, time);

	while (i < l->n && i && cause <= l->stretches[i].from &&
	       (l->stretches[i].in_wait || l->stretches[i].activity == ACTIVITY_READY))
		i--;
	return i;
}

/* ---- sums ---- */

struct timeline_sums timeline_sums_of(const struct timeline *l,
				      bool (*counts)(const struct stretch *s))
{
	struct timeline_sums sums = {l, array_new(l->n + 1, sizeof *sums.until)};
	int64_t sum = 0;

	for (size_t i = 0; i < l->n; i++) {
		sums.until[i] = sum;
		if (counts(&l->stretches[i]))
			sum += stretch_end(l, i) - l->stretches[i].from;
	}
	sums.until[l->n] = sum;
	return sums;
}

static int64_t sum_until(const struct timeline_sums *s, int64_t time)
{
	const struct timeline *l = s->line;
	size_t i = lower_bound(k, (size_t)0, l->n, l->stretches[k].from <= time);
	int64_t within, whole;

	if (!i)
		return 0;
	within = time - l->stretches[i - 1].from;
	whole = s->until[i] - s->until[i - 1];
	return s->until[i - 1] + (within < whole ? within : whole);
}

int64_t timeline_sums_between(const struct timeline_sums *s, int64_t from, int64_t to)
{
	return sum_until(s, to) - sum_until(s, from);
}

void timeline_sums_free(struct timeline_sums *s)
{
	free(s->until);
}

uint32_t stretch_wait_class(const struct graph *g, const struct instance_set *set, uint32_t thread,
			    size_t stretch)
{
	const struct stretch *s = &g->threads[thread].stretches[stretch];
	const struct instance_span *wait;

	if (s->activity != ACTIVITY_WAITING || g->waits[s->role].kind != KIND_WAIT)
		return NO_CLASS;
	wait = span_at(instance_spans(set, SPANS_WAIT, thread), s->from);
	return wait ? wait->class : NO_CLASS;
}
