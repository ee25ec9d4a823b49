#include "analysis/why/where.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

static const char *const names[] = {"object", "code", "function", "file", "module", "holder", "pair", "threads", "thread", "process"};

const char *axis_name(const struct ground *g, enum axis a)
{
	return a < AXIS_USER ? names[a] : g->trace->spec->axes[a - AXIS_USER]->name;
}

static int64_t process_key(const struct ground *g, uint32_t thread)
{
	for (unsigned i = 0; i < g->trace->nprocesses; i++) {
		const struct trace_process *p = &g->trace->processes[i];

		if (thread >= p->first_thread && thread < p->first_thread + p->nthreads)
			return symbols_number(g->trace, p->program);
	}
	return NO_KEY;
}

/* "reader > worker 2"; found once for each pair. */
static int64_t pair_key(const struct ground *g, const struct span_of_time *s)
{
	struct hash_slot *slot;
	char *text;

	if (s->blocker == NO_THREAD)
		return NO_KEY;
	slot = hash_table_slot(g->pairs, hash_mix((uint64_t)s->blocker << 32 | s->thread), 0);
	if (slot->head == HASH_NOTHING) {
		text = text_format("%s > %s", ground_text(g, g->names[s->blocker]), ground_text(g, g->names[s->thread]));
		slot->head = (uint32_t)symbols_number(g->trace, text);
		free(text);
	}
	return slot->head;
}

int64_t axis_key(const struct ground *g, enum axis a, const struct span_of_time *s)
{
	const struct place *p = &g->places.at[s->place];

	switch (a) {
	case AXIS_OBJECT:
		return p->object;
	case AXIS_CODE:
		return p->site;
	case AXIS_FUNCTION:
		return p->function;
	case AXIS_FILE:
		return p->file;
	case AXIS_MODULE:
		return p->module;
	case AXIS_HOLDER:
		return s->blame;
	case AXIS_PAIR:
		return pair_key(g, s);
	case AXIS_THREADS:
		return g->groups[s->thread];
	case AXIS_THREAD:
		return g->names[s->thread];
	case AXIS_PROCESS:
		return process_key(g, s->thread);
	default:
		return a < NAXES ? p->user[a - AXIS_USER] : NO_KEY;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct axis_value *x = a, *y = b;

	return (x->time < y->time) - (x->time > y->time);
}

static int64_t time_in(const struct focus *f, const struct span_of_time *s)
{
	int64_t from = s->from > f->from ? s->from : f->from, to = s->to < f->to ? s->to : f->to;

	return from < to ? to - from : 0;
}

void axis_values_of(const struct ground *g, const struct focus *f, const bool *places, enum axis a,
		    axis_values *values)
{
	struct hash_table known = {0};

	*values = (axis_values){0};
	for (size_t i = 0; i < f->n; i++) {
		const struct span_of_time *s = &g->spans.at[f->spans[i]];
		int64_t key = places[s->place] ? axis_key(g, a, s) : NO_KEY;
		struct hash_slot *slot;

		if (key == NO_KEY)
			continue;
		slot = hash_table_slot(&known, hash_mix((uint64_t)key), 0);
		if (slot->head == HASH_NOTHING) {
			slot->head = (uint32_t)values->n;
			vector_add(values)->key = key;
		}
		values->at[slot->head].time += time_in(f, s);
	}
	hash_table_free(&known);
	if (values->n)
		qsort(values->at, values->n, sizeof *values->at, by_time);
}

static bool is_of_threads(enum axis a)
{
	return a == AXIS_THREADS || a == AXIS_THREAD || a == AXIS_PROCESS;
}

struct focus focus_narrow(const struct ground *g, const struct focus *f, const bool *places,
			  enum axis a, int64_t key)
{
	struct focus in = {.from = f->from, .to = f->to};

	in.spans = array_new(f->n, sizeof *in.spans);
	in.threads = array_zero(g->trace->nthreads, sizeof *in.threads);
	for (size_t i = 0; i < f->n; i++) {
		const struct span_of_time *s = &g->spans.at[f->spans[i]];
		bool is = axis_key(g, a, s) == key;

		if (is)
			in.spans[in.n++] = f->spans[i];
		if (is && f->threads[s->thread] && (places[s->place] || is_of_threads(a)))
			in.threads[s->thread] = true;
	}
	return in;
}
