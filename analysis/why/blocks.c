#include "analysis/why/blocks.h"
#include "analysis/activity/span_text.h"
#include "analysis/why/parts.h"
#include "analysis/why/span_walk.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

/* A thread is waited for to end: the word is the wait's. */
static bool is_thread(const struct evidence *g, const struct span_class *c)
{
	return c->lock != NO_LOCK && g->set->objects->locks.at[c->lock].is_thread;
}

/* Returns what the wait is for, as "Condvar", "barrier" or "join". */
static const char *wait_word(const struct evidence *g, const struct span_class *c)
{
	const struct role_end *start = &c->role->start;
	const char *label = style_label(&c->role->interval->style, c->role->interval->name);

	if (c->words)
		return c->words->name;
	if (start->object < 0 || is_thread(g, c))
		return label;
	return start->event->attributes[start->object].name;
}

const char *object_word(const struct evidence *g, int64_t object)
{
	for (size_t i = 0; i < g->set->classes.n; i++) {
		const struct span_class *c = &g->set->classes.at[i];
		const char *word;

		if (c->object != object || c->role->start.object < 0 ||
		    (c->role->kind != KIND_WAIT && c->role->kind != KIND_HOLD))
			continue;
		word = wait_word(g, c);
		return strcmp(word, NAME_LOCK) == 0 || name_says(evidence_text(g, object), word)
			   ? NULL
			   : word;
	}
	return NULL;
}

/* ---- who waits meanwhile ---- */

/* Waits of one word and call site, while they are summed. */
struct block_sums {
	const char *word;
	int64_t site, time;
	struct axis_sums threads, objects;
};
typedef VECTOR(struct block_sums) block_vector;

/*
 * Sets when each thread does what the finding is about. Returns false if a thread ends that: then
 * the finding itself says who waits for whom.
 */
static bool own_ranges(const struct evidence *g, const struct finding *f, const bool *places,
		       moment_ranges *own)
{
	struct span_of_time s;

	for (struct span_walk w = span_walk_begin(g, &f->focus, places); span_walk_next(&w, &s);) {
		if (s.wait && s.wait->by_thread)
			return false;
		ranges_add(&own[s.thread], (struct moment_range){later(s.from, f->focus.from),
								 sooner(s.to, f->focus.to)});
	}
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		own[t].n = ranges_join(own[t].at, own[t].n);
	return true;
}

/* Returns the index of the sums that a class of waits belongs to. */
static size_t sums_find(const struct evidence *g, block_vector *sums, const struct span_class *c)
{
	const char *word = wait_word(g, c);
	size_t i = 0;

	while (i < sums->n && (sums->at[i].site != c->site || strcmp(sums->at[i].word, word) != 0))
		i++;
	if (i == sums->n)
		*vector_add(sums) = (struct block_sums){.word = word, .site = c->site};
	return i;
}

/* of_class: by class, 1 more than the index of its sums; 0: not known yet */
static void waits_sum(const struct evidence *g, const moment_ranges *own, uint32_t thread,
		      block_vector *sums, size_t *of_class)
{
	const span_vector *waits = instance_spans(g->set, SPANS_WAIT, thread);

	for (size_t i = 0; i < waits->n; i++) {
		const struct wait_fact *fact = &g->waits[thread][i];
		uint32_t class = waits->at[i].class;
		const struct span_class *c = &g->set->classes.at[class];
		struct block_sums *b;
		int64_t time;

		if (fact->blocker == NO_THREAD || fact->blocker == thread ||
		    c->role->kind != KIND_WAIT || !own[fact->blocker].n)
			continue;
		time = ranges_within(&own[fact->blocker], waits->at[i].start, fact->blocked_until);
		if (time <= 0)
			continue;
		if (!of_class[class])
			of_class[class] = sums_find(g, sums, c) + 1;
		b = &sums->at[of_class[class] - 1];
		b->time += time;
		axis_sums_add(&b->threads, g->names[thread], time);
		axis_sums_add(&b->objects, is_thread(g, c) ? NO_KEY : c->object, time);
	}
}

static int by_time(const void *a, const void *b)
{
	const struct blocked *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? 1 : -1;
	return (x->site > y->site) - (x->site < y->site);
}

static void blocked_add(const struct evidence *g, blocked_list *list, struct block_sums *b)
{
	struct blocked *x = vector_add(list);

	*x = (struct blocked){.word = b->word, .site = b->site, .time = b->time};
	sums_take(g, &b->threads, &x->threads);
	sums_take(g, &b->objects, &x->objects);
}

blocked_list blocks_of(const struct evidence *g, const struct finding *f, const bool *places)
{
	moment_ranges *own = array_zero(g->trace->nthreads, sizeof *own);
	size_t *of_class = array_zero(g->set->classes.n, sizeof *of_class);
	blocked_list list = {0};
	block_vector sums = {0};

	if (own_ranges(g, f, places, own))
		for (uint32_t t = 0; t < g->trace->nthreads; t++)
			waits_sum(g, own, t, &sums, of_class);
	for (size_t i = 0; i < sums.n; i++)
		blocked_add(g, &list, &sums.at[i]);
	if (list.n)
		qsort(list.at, list.n, sizeof *list.at, by_time);
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		free(own[t].at);
	free(own);
	free(of_class);
	free(sums.at);
	return list;
}

void blocks_free(blocked_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->at[i].threads.at);
		free(list->at[i].objects.at);
	}
	free(list->at);
}
