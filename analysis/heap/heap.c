#include "analysis/heap/heap.h"
#include "analysis/heap/lifetimes.h"
#include "analysis/heap/peak.h"
#include "analysis/heap/unmatched_frees.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/quantile.h"
#include "base/spill.h"
#include "spec/layout.h"
#include <stdlib.h>

const double heap_quantiles[HEAP_QUANTILES] = {0.5, 0.9, 0.99, 0.999, 1};

/* What one processor has added up. */
struct heap_worker {
	struct hash_table keys; /* of sites, by number and process */
	VECTOR(struct heap_site) sites;
	struct hash_table pairs; /* of threads */
	VECTOR(struct heap_passage) passages;
	VECTOR(struct heap_block) blocks;
};

struct heap_context {
	struct heap *heap;
	const struct lifetimes *lifetimes;
	const struct heap_part *part; /* NULL: all */
	/* that say so alone, without a sign; NULL: others */
	const struct attribute *bytes, *site;
	struct moments starts;
	uint64_t *sizes; /* by start; at last of lives that ended their times */
	uint64_t *freed; /* by end: the bytes whose lives it ends */
	/* by start: those that ended unseen before it; NULL: there are none */
	uint64_t *replaced;
	struct peak peak;
	struct heap_worker *workers;
};

/* ---- what the specification says ---- */

/* Whether a value is of the event that begins the life, and of nothing else. */
static bool is_of_start(const struct expr *e, enum side start)
{
	if (!e)
		return true;
	if (e->op == EXPR_METRIC)
		return is_of_start(e->metric->value, start);
	if (e->op == EXPR_DURATION || e->op == EXPR_AGGREGATE)
		return false;
	if (expr_is_of_side(e->op))
		return e->side == start;
	return is_of_start(e->left, start) && is_of_start(e->right, start);
}

static struct formula metric_formula(const struct role *r, const char *name)
{
	for (unsigned i = 0; i < r->interval->nmetrics; i++) {
		const struct metric *m = &r->interval->metrics[i];

		if (strcmp(m->name, name) == 0 && m->value->kind != VALUE_STRING &&
		    is_of_start(m->value, r->start.side))
			return formula_of(m->value);
	}
	return (struct formula){0};
}

/* An attribute, or one times the unit: "size", "size * 1 B". NULL: the value is something else. */
static const struct expr *plain_attribute(const struct expr *e)
{
	if (e->op == EXPR_MUL && e->right->op == EXPR_CONSTANT && e->right->kind == VALUE_INT &&
	    e->right->constant.integer == 1)
		e = e->left;
	return e->op == EXPR_ATTRIBUTE && e->kind == VALUE_INT ? e : NULL;
}

static uint64_t formula_bytes(const struct heap *h, const struct formula *f, const struct event *e)
{
	struct binding b = {0};
	const struct expr *plain;
	struct value v;

	if (!f->expression)
		return 0;
	plain = plain_attribute(f->expression);
	if (plain) {
		v = record_value(e->type, plain->attribute, e->record);
		return v.integer > 0 ? (uint64_t)v.integer : 0;
	}
	b.side[h->role->start.side] = (struct operand){
	    .event = e->type, .record = e->record, .time = e->time, .thread = e->thread};
	if (f->names)
		b.side[h->role->start.side] = event_operand(h->trace, e);
	if (!formula_value(f, &b, &v))
		return 0;
	if (v.kind == VALUE_REAL)
		return v.real > 0 && v.real < 0x1p63 ? (uint64_t)v.real : 0;
	return v.integer > 0 ? (uint64_t)v.integer : 0;
}

/* Returns an attribute if it is without a sign; or NULL. */
static const struct attribute *unsigned_attribute(const struct event_type *type, int attribute)
{
	const struct attribute *a = attribute < 0 ? NULL : &type->attributes[attribute];

	return a && (a->type == TYPE_UINT || a->type == TYPE_ULONG) ? a : NULL;
}

static const struct attribute *bytes_attribute(const struct heap *h)
{
	const struct expr *plain = h->size.expression ? plain_attribute(h->size.expression) : NULL;

	return unsigned_attribute(h->role->start.event, plain ? (int)plain->attribute : -1);
}

static uint64_t unsigned_value(const struct attribute *a, const unsigned char *record)
{
	uint64_t wide;
	uint32_t narrow;

	if (a->type == TYPE_UINT) {
		memcpy(&narrow, record + a->offset, sizeof narrow);
		return narrow;
	}
	memcpy(&wide, record + a->offset, sizeof wide);
	return wide;
}

static void site_kind(struct heap *h)
{
	const struct role_end *start = &h->role->start;

	h->by = SITE_ONE;
	h->site_attribute = -1;
	if (start->event->stack_attribute >= 0) {
		h->by = SITE_STACK;
		h->site_attribute = start->event->stack_attribute;
	} else if (start->code[0] >= 0) {
		h->by = SITE_CODE;
		h->site_attribute = start->code[0];
	}
}

/* Instead of the time of a life. */
#define NOT_WANTED UINT64_MAX

/* ---- first: sizes ---- */

static void add_atomic(uint64_t *to, uint64_t n)
{
	__atomic_fetch_add(to, n, __ATOMIC_RELAXED);
}

static void sizes_part(void *context, size_t from, size_t to)
{
	const struct heap_context *a = context;
	struct moment_walk w = moment_walk_begin(&a->starts, from, to);

	for (struct event e; w.rank != MOMENT_WALK_OVER; moment_walk_next(&w)) {
		uint32_t end = a->lifetimes->end_of[w.at];
		uint64_t size = 0;

		if (end != LIFE_NONE) {
			moment_walk_event(&w, &e);
			size = a->bytes ? unsigned_value(a->bytes, e.record)
					: formula_bytes(a->heap, &a->heap->size, &e);
		}
		a->sizes[w.at] = size;
		if (life_has_end(end))
			add_atomic(&a->freed[end], size);
		else if (end == LIFE_UNSEEN)
			add_atomic(&a->replaced[lifetimes_again(a->lifetimes, w.at)], size);
	}
}

/* ---- then: sums ---- */

static void sum_add(struct heap_sum *to, uint64_t bytes)
{
	to->n++;
	to->bytes += bytes;
}

static void sum_join(struct heap_sum *to, const struct heap_sum *from)
{
	to->n += from->n;
	to->bytes += from->bytes;
}

static uint32_t site_find(struct heap_worker *w, uint64_t stack, uint32_t process, int64_t time)
{
	struct hash_slot *slot = hash_table_slot(&w->keys, hash_mix(stack), process);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)w->sites.n;
		*vector_add(&w->sites) =
		    (struct heap_site){.process = process, .stack = stack, .time = time};
	}
	return slot->head;
}

static uint32_t site_of(const struct heap_context *a, struct heap_worker *w, const struct event *e,
			size_t thread)
{
	const struct heap *h = a->heap;
	uint64_t stack = 0;

	if (a->site)
		stack = unsigned_value(a->site, e->record);
	else if (h->site_attribute >= 0)
		stack =
		    (uint64_t)record_value(e->type, (unsigned)h->site_attribute, e->record).integer;
	return site_find(w, stack, a->lifetimes->process_of[thread], e->time);
}

static void passage_add(struct heap_worker *w, size_t from, size_t to, const struct heap_sum *sum)
{
	struct hash_slot *slot = hash_table_slot(&w->pairs, hash_mix((uint64_t)from << 32 | to), 0);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)w->passages.n;
		*vector_add(&w->passages) =
		    (struct heap_passage){.from = (uint32_t)from, .to = (uint32_t)to};
	}
	sum_join(&w->passages.at[slot->head].sum, sum);
}

static void open_add(const struct heap_context *a, struct heap_worker *w, struct heap_site *s,
		     const struct event *e, size_t start)
{
	uint64_t bytes = a->sizes[start];
	int64_t length = a->heap->trace->duration + 1;

	sum_add(&s->alive, bytes);
	sum_add(&s->born[(__int128)e->time * HEAP_AGES / length], bytes);
	s->unused += formula_bytes(a->heap, &a->heap->slack, e);
	if (s->alive.n == 1)
		s->first = e->time;
	s->last = e->time;
	*vector_add(&w->blocks) = (struct heap_block){(uint32_t)start, (uint32_t)(s - w->sites.at)};
}

/* Leaves the life's time where its size was. */
static void ended_add(const struct heap_context *a, struct heap_worker *w, struct heap_site *s,
		      const struct event *e, size_t thread, size_t start)
{
	const struct event_list *ends = a->lifetimes->ends;
	uint32_t end = a->lifetimes->end_of[start];
	size_t by = lifetimes_thread(ends, end);
	int64_t lifetime = entry_time(ends, end) - e->time;

	if (by != thread) {
		struct heap_sum one = {1, a->sizes[start]};

		sum_join(&s->elsewhere, &one);
		passage_add(w, thread, by, &one);
	}
	s->ended++;
	s->lifetime += (double)lifetime;
	a->sizes[start] = (uint64_t)lifetime;
}

/* Before the end of the life is counted, which takes the size's place. */
static void take_tell(const struct heap_context *a, unsigned worker, size_t thread,
		      const struct event *e, const struct heap_site *s, size_t start)
{
	const struct heap_listener *l = a->part ? a->part->listener : NULL;
	struct heap_take take = {.worker = worker,
				 .thread = thread,
				 .time = e->time,
				 .process = s->process,
				 .stack = s->stack,
				 .bytes = a->sizes[start]};

	if (!l)
		return;
	take.at_peak = peak_has(&a->peak, a->lifetimes, start);
	take.left = a->lifetimes->end_of[start] == LIFE_OPEN;
	l->hear(l->context, &take);
}

static void lifetimes_add(void *context, size_t chunk, unsigned worker)
{
	const struct heap_context *a = context;
	struct heap_worker *w = &a->workers[worker];
	size_t from = chunk * PARALLEL_CHUNK, to = from + PARALLEL_CHUNK;
	struct moment_walk walk =
	    moment_walk_begin(&a->starts, from, to < a->starts.count ? to : a->starts.count);

	for (struct event e; walk.rank != MOMENT_WALK_OVER; moment_walk_next(&walk)) {
		size_t thread = lifetimes_thread(a->lifetimes->starts, walk.at);
		uint32_t end = a->lifetimes->end_of[walk.at];
		struct heap_site *s;
		uint32_t site;

		if (end == LIFE_NONE)
			continue;
		moment_walk_event(&walk, &e);
		if (!heap_part_has(a->part, e.time, thread)) {
			a->sizes[walk.at] = NOT_WANTED;
			continue;
		}
		site = site_of(a, w, &e, thread);
		s = &w->sites.at[site];
		sum_add(&s->taken, a->sizes[walk.at]);
		take_tell(a, worker, thread, &e, s, walk.at);
		if (peak_has(&a->peak, a->lifetimes, walk.at))
			sum_add(&s->peak, a->sizes[walk.at]);
		if (end == LIFE_OPEN)
			open_add(a, w, s, &e, walk.at);
		else if (end == LIFE_UNSEEN)
			s->unseen++;
		else
			ended_add(a, w, s, &e, thread, walk.at);
	}
}

/* ---- at last: one of all processors' ---- */

static void site_join(struct heap_site *to, const struct heap_site *from)
{
	if (from->alive.n && (!to->alive.n || from->first < to->first))
		to->first = from->first;
	if (from->alive.n && (!to->alive.n || from->last > to->last))
		to->last = from->last;
	sum_join(&to->taken, &from->taken);
	sum_join(&to->elsewhere, &from->elsewhere);
	sum_join(&to->alive, &from->alive);
	sum_join(&to->peak, &from->peak);
	for (int i = 0; i < HEAP_AGES; i++)
		sum_join(&to->born[i], &from->born[i]);
	to->unused += from->unused;
	to->ended += from->ended;
	to->unseen += from->unseen;
	to->lifetime += from->lifetime;
}

/* Adds to the first worker's, and gives blocks their sites there. */
static void worker_join(struct heap_worker *to, struct heap_worker *from)
{
	uint32_t *site = array_new(from->sites.n, sizeof *site);

	for (size_t i = 0; i < from->sites.n; i++) {
		const struct heap_site *s = &from->sites.at[i];

		site[i] = site_find(to, s->stack, s->process, s->time);
		site_join(&to->sites.at[site[i]], s);
	}
	for (size_t i = 0; i < from->passages.n; i++)
		passage_add(to, from->passages.at[i].from, from->passages.at[i].to,
			    &from->passages.at[i].sum);
	for (size_t i = 0; i < from->blocks.n; i++)
		from->blocks.at[i].site = site[from->blocks.at[i].site];
	free(site);
}

/* The blocks of each worker are in order: it was given chunks in order. */
static void blocks_join(struct heap *h, struct heap_worker *workers, unsigned n)
{
	size_t *at = array_zero(n, sizeof *at);

	for (unsigned i = 0; i < n; i++)
		h->nblocks += workers[i].blocks.n;
	h->blocks = array_new(h->nblocks, sizeof *h->blocks);
	for (size_t k = 0; k < h->nblocks; k++) {
		unsigned least = n;

		for (unsigned i = 0; i < n; i++)
			if (at[i] < workers[i].blocks.n &&
			    (least == n || workers[i].blocks.at[at[i]].start <
					       workers[least].blocks.at[at[least]].start))
				least = i;
		h->blocks[k] = workers[least].blocks.at[at[least]++];
	}
	free(at);
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int sum_compare(const struct heap_sum *a, const struct heap_sum *b)
{
	return a->bytes == b->bytes ? compare(b->n, a->n) : compare(b->bytes, a->bytes);
}

struct site_place {
	struct heap_site site;
	uint32_t was;
};

static int site_compare(const void *left, const void *right)
{
	const struct heap_site *a = &((const struct site_place *)left)->site;
	const struct heap_site *b = &((const struct site_place *)right)->site;
	int order = sum_compare(&a->taken, &b->taken);

	if (!order)
		order = compare(a->process, b->process);
	return order ? order : compare(a->stack, b->stack);
}

static void sites_sort(struct heap *h, struct heap_worker *all)
{
	struct site_place *places = array_new(all->sites.n, sizeof *places);
	uint32_t *now = array_new(all->sites.n, sizeof *now);

	h->nsites = all->sites.n;
	h->sites = array_new(h->nsites, sizeof *h->sites);
	for (size_t i = 0; i < h->nsites; i++)
		places[i] = (struct site_place){all->sites.at[i], (uint32_t)i};
	qsort(places, h->nsites, sizeof *places, site_compare);
	for (size_t i = 0; i < h->nsites; i++) {
		h->sites[i] = places[i].site;
		now[places[i].was] = (uint32_t)i;
	}
	for (size_t i = 0; i < h->nblocks; i++)
		h->blocks[i].site = now[h->blocks[i].site];
	free(places);
	free(now);
}

static int passage_compare(const void *left, const void *right)
{
	const struct heap_passage *a = left, *b = right;
	int order = sum_compare(&a->sum, &b->sum);

	if (!order)
		order = compare(a->from, b->from);
	return order ? order : compare(a->to, b->to);
}

static void workers_join(struct heap *h, struct heap_worker *workers, unsigned n)
{
	for (unsigned i = 1; i < n; i++)
		worker_join(&workers[0], &workers[i]);
	blocks_join(h, workers, n);
	sites_sort(h, &workers[0]);
	h->npassages = workers[0].passages.n;
	h->passages = array_new(h->npassages, sizeof *h->passages);
	for (size_t i = 0; i < h->npassages; i++)
		h->passages[i] = workers[0].passages.at[i];
	qsort(h->passages, h->npassages, sizeof *h->passages, passage_compare);
	for (unsigned i = 0; i < n; i++) {
		hash_table_free(&workers[i].keys);
		hash_table_free(&workers[i].pairs);
		free(workers[i].sites.at);
		free(workers[i].passages.at);
		free(workers[i].blocks.at);
	}
	free(workers);
}

static void sites_add(struct heap *h)
{
	for (size_t i = 0; i < h->nsites; i++) {
		const struct heap_site *s = &h->sites[i];

		sum_join(&h->taken, &s->taken);
		sum_join(&h->elsewhere, &s->elsewhere);
		sum_join(&h->alive, &s->alive);
		sum_join(&h->peak, &s->peak);
		h->unused += s->unused;
		h->ended += s->ended;
		h->unseen += s->unseen;
	}
}

/* Moves the times of lives that ended together, and finds their quantiles. */
static void lifetime_quantiles_find(struct heap *h, const struct lifetimes *l, uint64_t *words)
{
	size_t places[HEAP_QUANTILES], n = 0;

	for (size_t i = 0; i < l->nstarts; i++)
		if (life_has_end(l->end_of[i]) && words[i] != NOT_WANTED)
			words[n++] = words[i];
	if (!n)
		return;
	for (int i = 0; i < HEAP_QUANTILES; i++)
		places[i] = quantile_place(n, heap_quantiles[i]);
	quantiles_find((int64_t *)words, n, places, HEAP_QUANTILES, h->lifetimes);
}

static void heap_add(struct heap *h, const struct lifetimes *l, const struct heap_part *part)
{
	struct heap_context a = {
	    .heap = h,
	    .lifetimes = l,
	    .part = part,
	    .bytes = bytes_attribute(h),
	    .site = unsigned_attribute(h->role->start.event, h->site_attribute),
	    .starts = {.trace = h->trace, .list = l->starts, .count = l->nstarts},
	    .sizes = spill_new(l->nstarts, sizeof *a.sizes),
	    .freed = spill_zero(l->nends, sizeof *a.freed),
	    .replaced = l->nunseen ? spill_zero(l->nstarts, sizeof *a.replaced) : NULL,
	    .workers = array_zero(parallel_workers(), sizeof *a.workers),
	};

	parallel_chunks(l->nstarts, sizes_part, &a);
	a.peak = peak_find(l, a.sizes, a.freed, a.replaced);
	h->resident = resident_find(l, a.sizes, a.freed, a.replaced);
	spill_free(a.freed);
	spill_free(a.replaced);
	if (a.peak.bytes)
		h->peak_time = event_list_time(l->starts, a.peak.start);
	parallel_for((l->nstarts + PARALLEL_CHUNK - 1) / PARALLEL_CHUNK, lifetimes_add, &a);
	workers_join(h, a.workers, parallel_workers());
	sites_add(h);
	if (!part || !part->sites_only)
		lifetime_quantiles_find(h, l, a.sizes);
	spill_free(a.sizes);
}

struct heap *heap_of(struct trace *t, const struct role *role)
{
	return heap_of_part(t, role, NULL);
}

struct heap *heap_of_part(struct trace *t, const struct role *role, const struct heap_part *part)
{
	struct heap *h = array_zero(1, sizeof *h);
	struct lifetimes *l;

	h->trace = t;
	h->role = role;
	h->size = metric_formula(role, "bytes");
	h->slack = metric_formula(role, "unused");
	site_kind(h);
	l = lifetimes_find(t, role);
	heap_add(h, l, part);
	if (!part || !part->sites_only)
		unmatched_frees_find(h, l, part);
	lifetimes_free(l);
	return h;
}

void heap_free(struct heap *h)
{
	if (h->size.expression)
		formula_clear(&h->size);
	if (h->slack.expression)
		formula_clear(&h->slack);
	free(h->sites);
	free(h->passages);
	free(h->blocks);
	free(h->unmatched);
	free(h);
}

void heap_block_event(const struct heap *h, const struct heap_block *b, struct event *e,
		      uint64_t *bytes, uint64_t *unused)
{
	event_list_get(trace_events(h->trace, h->role->start.event), b->start, e);
	*bytes = formula_bytes(h, &h->size, e);
	*unused = formula_bytes(h, &h->slack, e);
}

void heap_unmatched_event(const struct heap *h, const struct heap_unmatched *s, struct event *e)
{
	event_list_get(trace_events(h->trace, h->role->end.event), s->end, e);
}
