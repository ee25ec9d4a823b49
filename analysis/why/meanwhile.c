#include "analysis/why/meanwhile.h"
#include "analysis/activity/own_calls.h"
#include "analysis/graph/timeline.h"
#include "analysis/samples/samples.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_FUNCTIONS = 3, MOST_WAITS = 2 };
/* What has less of the time is not named. */
static const double least = 0.01;

/* The thread has no processor. */
struct ready_span {
	int64_t from, to;
	int64_t before; /* for how long it had none before */
};

struct meanwhile_context {
	struct meanwhile *sums;
	const struct evidence *g;
	struct timeline_sums ran;
	/* also within waits: who was preempted in one, perhaps with a mutex, waits for nobody */
	VECTOR(struct ready_span) ready;
	const struct moment_range *ranges;
	size_t n, at; /* at: ranges before it end before what comes */
};

static bool is_running(const struct stretch *s)
{
	return s->activity == ACTIVITY_RUNNING;
}

static void ready_find(struct meanwhile_context *r, const span_vector *states)
{
	int64_t sum = 0;

	for (size_t i = 0; i < states->n; i++) {
		const struct instance_span *s = &states->at[i];

		if (span_role(r->g->set, s)->state != STATE_READY)
			continue;
		*vector_add(&r->ready) = (struct ready_span){s->start, s->end, sum};
		sum += s->end - s->start;
	}
}

/* Returns how long the thread had no processor before a time. */
static int64_t ready_before(const struct meanwhile_context *r, int64_t time)
{
	size_t next = lower_bound(i, 0, r->ready.n, r->ready.at[i].from < time);
	const struct ready_span *last = next ? &r->ready.at[next - 1] : NULL;

	return last ? last->before + (last->to < time ? last->to : time) - last->from : 0;
}

struct shared_time {
	int64_t all, ran, ready;
};

/* Returns what of a time is in the ranges; times come in their order. */
static struct shared_time shared(struct meanwhile_context *r, int64_t from, int64_t to)
{
	struct shared_time s = {0};

	while (r->at < r->n && r->ranges[r->at].to <= from)
		r->at++;
	for (size_t i = r->at; i < r->n && r->ranges[i].from < to; i++) {
		int64_t a = from > r->ranges[i].from ? from : r->ranges[i].from;
		int64_t b = to < r->ranges[i].to ? to : r->ranges[i].to;

		if (a >= b)
			continue;
		s.all += b - a;
		s.ran += timeline_sums_between(&r->ran, a, b);
		s.ready += ready_before(r, b) - ready_before(r, a);
	}
	return s;
}

static int64_t end_of(const struct meanwhile_context *r, const struct instance_span *s)
{
	return s->end < r->ran.line->end ? s->end : r->ran.line->end;
}

static void call_read(void *context, uint32_t class, int64_t from, int64_t to)
{
	struct meanwhile_context *r = context;
	int64_t end = r->ran.line->end;
	int64_t ran = shared(r, from, to < end ? to : end).ran;

	if (ran > 0)
		axis_sums_add(&r->sums->runs, place_class(r->g, class)->function, ran);
}

int64_t own_function(const struct samples *s, uint32_t stack)
{
	const struct sample_path *own = &s->paths.at[s->stacks.at[sample_own(s, stack)].path];

	return own->depth ? own->function : NO_KEY;
}

static bool is_in(const struct evidence *g, const struct sample_stack *k, const char *module)
{
	return k->module != SAMPLE_NO_MODULE &&
	       strncmp(evidence_text(g, k->module), module, strlen(module)) == 0;
}

/*
 * Whether no function of the program called what runs. If the callers are not known, that is so of
 * the loader and the kernel alone.
 */
static bool is_uncalled(const struct evidence *g, const struct sample_stack *own)
{
	const struct samples *s = g->set->samples;
	const struct sample_stack *k = own;

	if (!s->paths.at[own->path].of_run_time)
		return false;
	while (s->paths.at[k->path].depth)
		k = &s->stacks.at[k->caller];
	return k == &s->stacks.at[STACK_WHOLE] || is_in(g, own, "ld-") ||
	       is_in(g, own, KERNEL_MODULE);
}

static void start_add(struct meanwhile *m, const struct evidence *g, uint32_t thread,
		      const struct sample_stack *own, int64_t time)
{
	const struct trace *t = g->trace;
	const char *program = t->processes[t->threads[thread].directory].program;

	axis_sums_add(&m->starts, g->set->samples->paths.at[own->path].function, time);
	if (*program && is_in(g, own, KERNEL_MODULE))
		axis_sums_add(&m->kernel, symbols_number(t, program), time);
}

static void sample_add(struct meanwhile *m, const struct evidence *g, uint32_t thread,
		       uint32_t stack, int64_t time)
{
	const struct samples *s = g->set->samples;
	const struct sample_stack *own = &s->stacks.at[sample_own(s, stack)];
	int64_t function = s->paths.at[own->path].function;

	axis_sums_add(&m->runs, function, time);
	if (is_uncalled(g, own)) {
		start_add(m, g, thread, own, time);
		return;
	}
	if (g->paging && g->paging[stack])
		axis_sums_add(&m->paging, function, time);
	if (g->spins && g->spins[stack])
		axis_sums_add(&m->spinning, function, time);
	if (own->module != SAMPLE_NO_MODULE)
		axis_sums_add(&m->modules, own->module, time);
}

/*
 * Returns how many samples were taken in the ranges; adds each with its part of a running time, if
 * that is not 0.
 */
static size_t samples_read(struct meanwhile_context *r, const struct samples *s, uint32_t thread,
			   int64_t ran, size_t all)
{
	const struct thread_samples *list = &s->threads[thread];
	size_t n = 0;

	r->at = 0;
	for (size_t i = 0; i < list->list.n; i++) {
		const struct stack_sample *sample = &list->list.at[i];
		const struct sample_stack *stack = &s->stacks.at[sample->stack];
		int64_t taken = stack_sample_taken(sample);

		while (r->at < r->n && r->ranges[r->at].to < taken)
			r->at++;
		if (r->at == r->n || taken <= r->ranges[r->at].from)
			continue;
		n++;
		if (ran && s->paths.at[stack->path].depth)
			sample_add(r->sums, r->g, thread, sample->stack,
				   (int64_t)((double)ran * (double)n / (double)all) -
				       (int64_t)((double)ran * (double)(n - 1) / (double)all));
	}
	return n;
}

/*
 * A sample says what ran when it was taken. What it stands for as a call, the time since the sample
 * before, may be outside of ranges that are shorter than that, as the times for which a lock is
 * held.
 */
static void functions_read(struct meanwhile_context *r, uint32_t thread)
{
	const struct samples *s = r->g->set->samples;
	size_t n = s && s->threads[thread].list.n ? samples_read(r, s, thread, 0, 0) : 0;
	int64_t ran = 0;

	if (!n) {
		r->at = 0;
		r->sums->calls |=
		    instance_has_calls(r->g->set, thread) && (!s || !s->threads[thread].list.n);
		own_calls_each(r->g->set, thread, call_read, r);
		return;
	}
	for (size_t i = 0; i < r->n; i++)
		ran += timeline_sums_between(&r->ran, r->ranges[i].from, r->ranges[i].to);
	r->sums->samples += samples_read(r, s, thread, ran, n);
}

/* Where a wait is, or what it is. */
static int64_t wait_key(const struct evidence *g, uint32_t class)
{
	const struct span_class *p = place_class(g, class);

	return p->site != NO_KEY ? p->site : symbols_number(g->trace, p->role->interval->name);
}

static void waits_read(struct meanwhile_context *r, const span_vector *waits)
{
	int64_t until = INT64_MIN;

	r->at = 0;
	for (size_t i = 0; i < waits->n; i++) {
		int64_t from = waits->at[i].start > until ? waits->at[i].start : until;
		int64_t to = end_of(r, &waits->at[i]);
		struct shared_time s = shared(r, from, to);

		/* most waits are not in the ranges */
		if (s.all > s.ran + s.ready)
			axis_sums_add(&r->sums->waits, wait_key(r->g, waits->at[i].class),
				      s.all - s.ran - s.ready);
		until = to > until ? to : until;
	}
}

/* ---- all ---- */

void meanwhile_add(struct meanwhile *m, const struct evidence *g, uint32_t thread,
		   const struct moment_range *ranges, size_t n)
{
	const struct timeline *l = &g->graph->threads[thread];
	struct meanwhile_context r = {
	    .sums = m, .g = g, .ran = timeline_sums_of(l, is_running), .ranges = ranges, .n = n};

	ready_find(&r, instance_spans(g->set, SPANS_STATE, thread));
	for (size_t i = 0; i < n; i++) {
		m->time += ranges[i].to - ranges[i].from;
		m->ready += ready_before(&r, ranges[i].to) - ready_before(&r, ranges[i].from);
		m->ran += timeline_sums_between(&r.ran, ranges[i].from, ranges[i].to);
	}
	m->functions |= instance_has_calls(g->set, thread);
	functions_read(&r, thread);
	waits_read(&r, instance_spans(g->set, SPANS_WAIT, thread));
	timeline_sums_free(&r.ran);
	free(r.ready.at);
}

static char *text_add(char *text, const char *between, double share, const char *what)
{
	char *longer = text_format("%s%s%.1f %% %s", text, between, 100 * share, what);

	free(text);
	return longer;
}

static char *parts_add(char *text, const struct meanwhile *m, const struct evidence *g,
		       axis_values values, size_t most, const char *begin)
{
	for (size_t i = 0; i < values.n && i < most; i++) {
		double share = (double)values.at[i].time / (double)m->time;
		char *in;

		if (share < least)
			break;
		in = text_format("in %s", evidence_text(g, values.at[i].key));
		text = text_add(text, i ? ", " : begin, share, in);
		free(in);
	}
	free(values.at);
	return text;
}

void meanwhile_clear(struct meanwhile *m)
{
	free(axis_sums_end(&m->runs).at);
	free(axis_sums_end(&m->waits).at);
	free(axis_sums_end(&m->modules).at);
	free(axis_sums_end(&m->paging).at);
	free(axis_sums_end(&m->starts).at);
	free(axis_sums_end(&m->kernel).at);
	free(axis_sums_end(&m->spinning).at);
}

char *meanwhile_text(struct meanwhile *m, const struct evidence *g)
{
	char *text = text_format("%s", "");

	if (m->time > 0 && m->functions) {
		text = parts_add(text, m, g, axis_sums_end(&m->runs), MOST_FUNCTIONS, "");
		text = parts_add(text, m, g, axis_sums_end(&m->waits), MOST_WAITS,
				 *text ? "; waits " : "waits ");
		if ((double)m->ready >= least * (double)m->time)
			text = text_add(text, *text ? ", " : "", (double)m->ready / (double)m->time,
					"without a processor");
	}
	meanwhile_clear(m);
	if (*text)
		return text;
	free(text);
	return NULL;
}
