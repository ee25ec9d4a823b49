#include "analysis/replay/items/hand_out_finding.h"
#include "base/search.h"
#include "spec/layout.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

/*
 * The chunks of a loop are the instances of an interval of kind "work" in one thread with a metric
 * "iterations", the difference of two attributes of the event that begins it: first and last.
 */
struct chunk_role {
	const struct role *role;
	int first, last; /* attributes */
};

struct loop_chunk {
	int64_t from, to;          /* times */
	int64_t first, iterations; /* of a loop that counts down from minus its first one on */
	uint64_t site;
	uint32_t thread;
	uint32_t class;
};

/* Chunks of one loop that a thread takes one after the other. */
struct chunk_series {
	size_t first, end; /* of the chunks of its thread */
	int64_t from, to;
	uint64_t site; /* where the thread takes the first one; the others it takes elsewhere */
	uint32_t thread;
	uint32_t loop; /* number */
};

typedef VECTOR(struct loop_chunk) chunk_vector;

struct looping {
	struct hand_out_finding *finding;
	const struct model *model;
	struct chunk_role role;
	chunk_vector *chunks; /* by thread */
	VECTOR(struct chunk_series) series;
	VECTOR(uint64_t) again; /* sites at which a thread takes one chunk after another */
};

/*
 * JITTER: so much later than the next chunk one may be stamped that was handed out before it, ns.
 * ONE_LATE: one of so many may be later, where its thread lost its processor.
 */
enum { JITTER = 20000, ONE_LATE = 10 };

static bool chunk_role_of(struct chunk_role *found, const struct role *r)
{
	for (unsigned i = 0; r->kind == KIND_WORK && r->same_thread && i < r->interval->nmetrics;
	     i++) {
		const struct metric *m = &r->interval->metrics[i];
		const struct expr *e = m->value;

		if (strcmp(m->name, "iterations") != 0 || e->op != EXPR_SUB ||
		    e->left->op != EXPR_ATTRIBUTE || e->right->op != EXPR_ATTRIBUTE ||
		    e->left->side != r->start.side || e->right->side != r->start.side)
			continue;
		*found = (struct chunk_role){r, (int)e->right->attribute, (int)e->left->attribute};
		return true;
	}
	return false;
}

void hand_out_announce_chunks(struct trace *t)
{
	unsigned n;
	struct role *roles = roles_of_kind(t->spec, KIND_WORK, &n);
	struct chunk_role found;

	for (unsigned i = 0; i < n; i++)
		if (chunk_role_of(&found, &roles[i]))
			trace_announce(t, roles[i].start.event);
	free(roles);
}

/* ---- chunks ---- */

static int64_t number_of(const struct event *e, const struct event_type *type, int attribute)
{
	return (int64_t)record_value(type, (unsigned)attribute, e->record).integer;
}

static struct loop_chunk chunk_of(const struct looping *k, const struct event *e)
{
	const struct chunk_role *r = &k->role;
	const struct event_type *type = r->role->start.event;
	int64_t first = number_of(e, type, r->first), last = number_of(e, type, r->last);

	return (struct loop_chunk){
	    .from = e->time,
	    .first = first <= last ? first : -first,
	    .iterations = first <= last ? last - first : first - last,
	    .site = role_attribute_bits(e, r->role->start.code[0]),
	    .thread = (uint32_t)trace_thread_index(k->model->trace, e->thread),
	};
}

/* Sets when the chunks of a thread end, and leaves out those that do not, or lie within others. */
static void ends_find(struct looping *k, uint32_t thread)
{
	const span_vector *spans = instance_spans(k->model->set, SPANS_OTHER, thread);
	chunk_vector *chunks = &k->chunks[thread];
	size_t at = 0, kept = 0;
	int64_t until = INT64_MIN;

	for (size_t i = 0; i < spans->n; i++) {
		const struct instance_span *span = &spans->at[i];

		if (span_role(k->model->set, span) != k->role.role || span->end == INT64_MAX)
			continue;
		while (at < chunks->n && chunks->at[at].from < span->start)
			at++;
		if (at == chunks->n || chunks->at[at].from != span->start || span->start < until)
			continue;
		chunks->at[kept] = chunks->at[at++];
		chunks->at[kept].to = until = span->end;
		chunks->at[kept++].class = span->class;
	}
	chunks->n = kept;
}

static void chunks_find(struct looping *k)
{
	const struct event_list *begins = trace_events(k->model->trace, k->role.role->start.event);
	struct event e;

	for (size_t i = 0, n = begins ? event_list_size(begins) : 0; i < n; i++) {
		struct loop_chunk c;

		event_list_get(begins, i, &e);
		c = chunk_of(k, &e);
		*vector_add(&k->chunks[c.thread]) = c;
	}
	for (uint32_t t = 0; t < k->model->trace->nthreads; t++)
		ends_find(k, t);
}

/* ---- series ---- */

static bool is_again(const struct looping *k, uint64_t site)
{
	for (size_t i = 0; i < k->again.n; i++)
		if (k->again.at[i] == site)
			return true;
	return false;
}

static void again_find(struct looping *k)
{
	k->again.n = 0;
	for (uint32_t t = 0; t < k->model->trace->nthreads; t++)
		for (size_t i = 1; i < k->chunks[t].n; i++) {
			uint64_t site = k->chunks[t].at[i].site;

			if (site == k->chunks[t].at[i - 1].site && !is_again(k, site))
				*vector_add(&k->again) = site;
		}
}

/*
 * Whether a chunk goes on with the series whose last one came before it. A loop may take its first
 * chunk elsewhere than the others.
 */
static bool goes_on(const struct looping *k, const struct chunk_series *s,
		    const struct loop_chunk *last, const struct loop_chunk *next)
{
	bool second = s->end - s->first == 1 && is_again(k, next->site);

	return (next->site == last->site || second) &&
	       next->first >= last->first + last->iterations &&
	       !hand_out_has_met(k->model, s->thread, last->to, next->from);
}

static void thread_series(struct looping *k, uint32_t thread)
{
	const chunk_vector *chunks = &k->chunks[thread];
	struct chunk_series *s = NULL;

	for (size_t i = 0; i < chunks->n; i++) {
		const struct loop_chunk *c = &chunks->at[i];

		if (!s || !goes_on(k, s, c - 1, c)) {
			s = vector_add(&k->series);
			*s = (struct chunk_series){
			    .first = i, .from = c->from, .site = c->site, .thread = thread};
		}
		s->end = i + 1;
		s->to = c->to;
	}
}

static int by_begin(const void *a, const void *b)
{
	const struct chunk_series *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

static int by_loop(const void *a, const void *b)
{
	const struct chunk_series *x = a, *y = b;

	return x->loop != y->loop ? (x->loop < y->loop ? -1 : 1) : by_begin(a, b);
}

/*
 * A thread leaves a loop when all chunks are taken. So who comes before the first one leaves is in
 * the same loop, and who comes later is not.
 */
static void loops_find(struct looping *k)
{
	struct open {
		uint64_t site;
		int64_t until;
		uint32_t loop;
	};
	VECTOR(struct open) all = {0};
	uint32_t nloops = 0;

	for (size_t i = 0; i < k->series.n; i++) {
		struct chunk_series *s = &k->series.at[i];
		struct open *o = NULL;

		for (size_t j = 0; j < all.n && !o; j++)
			if (all.at[j].site == s->site)
				o = &all.at[j];
		if (!o) {
			o = vector_add(&all);
			*o = (struct open){.site = s->site, .until = INT64_MIN};
		}
		if (s->from >= o->until) {
			o->loop = nloops++;
			o->until = INT64_MAX;
		}
		s->loop = o->loop;
		o->until = s->to < o->until ? s->to : o->until;
	}
	free(all.at);
}

/* ---- one loop ---- */

struct loop {
	const struct chunk_series *series;
	size_t nseries;
	chunk_vector chunks; /* by their first iterations */
	size_t late;         /* so many were taken after the next ones */
	bool whole;
	bool held; /* a thread has a lock where a chunk begins or ends */
};

static int by_iteration(const void *a, const void *b)
{
	const struct loop_chunk *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* Whether a thread has a lock at the start of a chunk of a series, or at its end. */
static bool holds_across(const struct looping *k, const struct chunk_series *s)
{
	const struct model *m = k->model;
	size_t i = lower_bound(h, m->first_hold[s->thread], m->first_hold[s->thread + 1],
			       m->holds.at[h].end <= s->from);
	int64_t until = INT64_MIN;

	for (size_t c = s->first; c <= s->end; c++) {
		int64_t time = c < s->end ? k->chunks[s->thread].at[c].from : s->to;

		for (; i < m->first_hold[s->thread + 1] && m->holds.at[i].start < time; i++)
			until = m->holds.at[i].end > until ? m->holds.at[i].end : until;
		if (until > time)
			return true;
	}
	return false;
}

static struct loop loop_of(const struct looping *k, const struct chunk_series *series, size_t n)
{
	struct loop l = {.series = series, .nseries = n, .whole = true};
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < n; i++) {
		const struct chunk_series *s = &series[i];

		vector_append(&l.chunks, &k->chunks[s->thread].at[s->first], s->end - s->first);
		l.held |= holds_across(k, s);
	}
	qsort(l.chunks.at, l.chunks.n, sizeof *l.chunks.at, by_iteration);
	for (size_t i = l.chunks.n; i--;) {
		const struct loop_chunk *c = &l.chunks.at[i];

		l.whole &= !i || c->first == c[-1].first + c[-1].iterations;
		l.late += next != INT64_MAX && c->from > next + JITTER;
		next = c->from < next ? c->from : next;
	}
	return l;
}

/* Returns why a loop's chunks stay with the threads that had them, or NULL. */
static char *doubt_of(const struct loop *l)
{
	if (!l->whole)
		return text_format("the chunks are not contiguous");
	if (l->held)
		return text_format("a thread holds a lock when an item begins");
	if (l->chunks.n == l->nseries)
		return text_format("each thread has one chunk, as with a static schedule");
	if (l->late > 1 + l->chunks.n / ONE_LATE)
		return text_format("the chunks are not handed out in order, as with a static "
				   "schedule");
	return NULL;
}

/* The trace keeps a text from now on. */
static const char *kept(const struct model *m, const char *text)
{
	return text ? symbols_numbered(m->trace, symbols_number(m->trace, text)) : NULL;
}

/* Sets what a loop is called: its function and line, or the interval of its chunks. */
static void pool_name(const struct model *m, struct hand_out_pool *pool, uint32_t class)
{
	const struct span_class *c = &m->set->classes.at[class];
	int code = c->role->start.code[0];
	char text[ADDRESS_TEXT];

	pool->name = c->role->interval->name;
	if (code < 0)
		return;
	pool->name = kept(m, address_function(m->trace, text, &c->first, (unsigned)code));
	pool->site = kept(m, address_line(m->trace, &c->first, (unsigned)code));
}

/* Returns the name of the threads that take chunks; NULL: they have several. */
static const char *group_of(const struct looping *k, const struct loop *l)
{
	bool *members = array_zero(k->model->trace->nthreads, sizeof *members);
	const char *name;

	for (size_t i = 0; i < l->nseries; i++)
		members[l->series[i].thread] = true;
	name = hand_out_group(k->model, members);
	free(members);
	return name;
}

static int64_t mean_of(const struct loop *l)
{
	int64_t sum = 0;

	for (size_t i = 0; i < l->chunks.n; i++)
		sum += l->chunks.at[i].to - l->chunks.at[i].from;
	return sum / (int64_t)l->chunks.n;
}

static void pool_add(struct looping *k, const struct loop *l)
{
	struct hand_out *h = k->finding->result;
	uint32_t class = k->chunks[l->series->thread].at[l->series->first].class;
	struct hand_out_pool *pool = vector_add(&h->pools);

	*pool = (struct hand_out_pool){
	    .kind = POOL_LOOP,
	    .doubt = doubt_of(l),
	    .nthreads = (uint32_t)l->nseries,
	    .group = group_of(k, l),
	    .nitems = l->chunks.n,
	    .mean = mean_of(l),
	    .first = h->items.n,
	};
	pool_name(k->model, pool, class);
	pool->end = pool->first;
	if (pool->doubt)
		return;
	for (size_t i = 0; i < l->chunks.n; i++) {
		const struct loop_chunk *c = &l->chunks.at[i];

		*vector_add(&h->items) = (struct handed_item){.thread = c->thread,
							      .taken = c->from,
							      .pusher = NO_THREAD,
							      .first_iteration = c->first,
							      .iterations = c->iterations};
		hand_out_mark_add(k->finding, c->thread, c->from, h->items.n - 1);
	}
	pool->end = h->items.n;
	for (size_t i = 0; i < l->nseries; i++) {
		const struct chunk_series *s = &l->series[i];

		hand_out_mark_add(k->finding, s->thread, s->to, NO_ITEM);
		hand_out_turn_add(k->finding, s->thread, s->from, s->to);
	}
}

/* ---- all ---- */

static void role_loops(struct looping *k)
{
	uint32_t nthreads = k->model->trace->nthreads;
	size_t next;

	k->chunks = array_zero(nthreads, sizeof *k->chunks);
	k->series.n = 0;
	chunks_find(k);
	again_find(k);
	for (uint32_t t = 0; t < nthreads; t++)
		thread_series(k, t);
	if (k->series.n) {
		qsort(k->series.at, k->series.n, sizeof *k->series.at, by_begin);
		loops_find(k);
		qsort(k->series.at, k->series.n, sizeof *k->series.at, by_loop);
	}
	for (size_t i = 0; i < k->series.n; i = next) {
		struct loop l;

		for (next = i + 1;
		     next < k->series.n && k->series.at[next].loop == k->series.at[i].loop;)
			next++;
		/* With a static schedule a thread may come when another one has left. */
		if (next - i < 2 && k->series.at[i].end - k->series.at[i].first > 1)
			continue;
		l = loop_of(k, &k->series.at[i], next - i);
		pool_add(k, &l);
		free(l.chunks.at);
	}
	for (uint32_t t = 0; t < nthreads; t++)
		free(k->chunks[t].at);
	free(k->chunks);
}

void hand_out_find_chunks(struct hand_out_finding *f)
{
	const struct instance_set *set = f->model->set;
	struct looping k = {.finding = f, .model = f->model};

	for (unsigned i = 0; i < set->nlogged; i++)
		if (chunk_role_of(&k.role, &set->roles[i]))
			role_loops(&k);
	free(k.series.at);
	free(k.again.at);
}
