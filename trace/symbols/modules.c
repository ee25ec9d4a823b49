#include "trace/symbols/modules.h"
#include "base/search.h"
#include "trace/symbols/line_tokens.h"
#include <stdlib.h>
#include <string.h>

/* ---- lines ---- */

struct module_line {
	uint64_t ticks, base, start, end;
	bool gone; /* it was unloaded */
	struct build_id id;
	char *path; /* the caller frees it */
};

static bool line_parse(struct module_line *l, const char *line, size_t n)
{
	struct line_tokens t = {line, line + n};
	static const char gone[] = "- - - -";

	*l = (struct module_line){0};
	if (!number_next(&t, 10, &l->ticks) || !number_next(&t, 16, &l->base))
		return false;
	l->gone = (size_t)(t.end - t.at) == strlen(gone) && !memcmp(t.at, gone, strlen(gone));
	if (l->gone)
		return true;
	if (!number_next(&t, 16, &l->start) || !number_next(&t, 16, &l->end) ||
	    !build_id_next(&t, &l->id) || l->start >= l->end)
		return false;
	l->path = text_rest(&t);
	return l->path && *l->path;
}

static bool same_place(const struct module *m, const struct module_line *l)
{
	return m->base == l->base && m->start == l->start && m->end == l->end &&
	       build_ids_equal(&m->id, &l->id) && !strcmp(m->path, l->path);
}

static bool is_there(const struct module *m)
{
	return m->spans.at[m->spans.n - 1].to == INT64_MAX;
}

/*
 * Adds a module, or the time in which it is there again. A line about one that is there says
 * nothing new. What was in its place has gone, although nothing said so.
 */
static void module_loaded(struct modules *m, struct module_line *l, int64_t time)
{
	struct module *found = NULL;

	for (size_t i = 0; i < m->list.n; i++) {
		struct module *one = &m->list.at[i];

		if (same_place(one, l))
			found = one;
		else if (one->start < l->end && l->start < one->end && is_there(one))
			one->spans.at[one->spans.n - 1].to = time;
	}
	if (!found && m->list.n < MODULES_MOST) {
		found = vector_add(&m->list);
		*found = (struct module){.base = l->base,
					 .start = l->start,
					 .end = l->end,
					 .id = l->id,
					 .path = l->path};
		l->path = NULL;
	}
	if (found && (!found->spans.n || !is_there(found)))
		*vector_add(&found->spans) = (struct module_span){time, INT64_MAX};
}

/* The line tells it by its base alone. */
static void module_unloaded(struct modules *m, const struct module_line *l, int64_t time)
{
	for (size_t i = 0; i < m->list.n; i++)
		if (m->list.at[i].base == l->base && is_there(&m->list.at[i]))
			m->list.at[i].spans.at[m->list.at[i].spans.n - 1].to = time;
}

static int order_by_start(const void *a, const void *b)
{
	const struct module *m = a, *n = b;

	return m->start < n->start ? -1 : m->start > n->start;
}

void modules_read(struct modules *m, const char *text, size_t n,
		  int64_t (*time)(const void *context, uint64_t ticks), const void *context)
{
	const char *end = text + n, *newline;
	uint64_t most = 0;

	for (; (newline = memchr(text, '\n', (size_t)(end - text))); text = newline + 1) {
		struct module_line l;

		if (line_parse(&l, text, (size_t)(newline - text))) {
			if (l.gone)
				module_unloaded(m, &l, time(context, l.ticks));
			else
				module_loaded(m, &l, time(context, l.ticks));
		}
		free(l.path);
	}
	if (m->list.n)
		qsort(m->list.at, m->list.n, sizeof *m->list.at, order_by_start);
	m->ends = array_new(m->list.n, sizeof *m->ends);
	for (size_t i = 0; i < m->list.n; i++) {
		most = m->list.at[i].end > most ? m->list.at[i].end : most;
		m->ends[i] = most;
	}
}

void modules_clear(struct modules *m)
{
	for (size_t i = 0; i < m->list.n; i++) {
		free(m->list.at[i].path);
		free(m->list.at[i].spans.at);
	}
	free(m->list.at);
	free(m->ends);
	free(m->memory);
	free(m->memory_ends);
	*m = (struct modules){0};
}

/* ---- which module ---- */

/* Returns how far the time is from those in which the module was there; 0: it was there. */
static uint64_t time_away(const struct module *m, int64_t time)
{
	size_t next = lower_bound(i, 0, m->spans.n, m->spans.at[i].from <= time);
	uint64_t after = UINT64_MAX, before = UINT64_MAX;

	if (next < m->spans.n)
		after = (uint64_t)m->spans.at[next].from - (uint64_t)time;
	if (next > 0)
		before = time < m->spans.at[next - 1].to
			     ? 0
			     : (uint64_t)time - (uint64_t)m->spans.at[next - 1].to + 1;
	return before < after ? before : after;
}

/* The module that an address is in, as far as several have been looked at. */
struct nearest {
	struct module *module;
	uint64_t away;
};

/* Returns when a module was loaded last, up to a time. */
static int64_t loaded_before(const struct module *m, int64_t time)
{
	size_t next = lower_bound(i, 0, m->spans.n, m->spans.at[i].from <= time);

	return next ? m->spans.at[next - 1].from : INT64_MIN;
}

/* While one follows the other at an unknown moment, both seem to be there: takes the later one. */
static void nearest_try(struct nearest *n, struct module *m, int64_t time)
{
	uint64_t away = time_away(m, time);

	if (!n->module || away < n->away ||
	    (away == n->away && loaded_before(m, time) > loaded_before(n->module, time)))
		*n = (struct nearest){m, away};
}

struct module *modules_at(const struct modules *m, uint64_t address, int64_t time)
{
	size_t from = lower_bound(i, 0, m->list.n, m->list.at[i].start <= address);
	struct nearest nearest = {0};

	for (size_t i = from; i > 0 && m->ends[i - 1] > address; i--)
		if (address < m->list.at[i - 1].end)
			nearest_try(&nearest, &m->list.at[i - 1], time);
	return nearest.module;
}

static int order_by_low(const void *a, const void *b)
{
	const struct module *m = *(struct module *const *)a, *n = *(struct module *const *)b;

	return m->low < n->low ? -1 : m->low > n->low;
}

void modules_order_memory(struct modules *m)
{
	uint64_t most = 0;

	m->memory = array_new(m->list.n, sizeof(struct module *));
	m->memory_ends = array_new(m->list.n, sizeof *m->memory_ends);
	m->nmemory = 0;
	for (size_t i = 0; i < m->list.n; i++)
		if (m->list.at[i].low < m->list.at[i].high)
			m->memory[m->nmemory++] = &m->list.at[i];
	qsort(m->memory, m->nmemory, sizeof(struct module *), order_by_low);
	for (size_t i = 0; i < m->nmemory; i++) {
		most = m->memory[i]->high > most ? m->memory[i]->high : most;
		m->memory_ends[i] = most;
	}
}

struct module *modules_with(const struct modules *m, uint64_t address, int64_t time)
{
	size_t from = lower_bound(i, 0, m->nmemory, m->memory[i]->low <= address);
	struct nearest nearest = {0};

	for (size_t i = from; i > 0 && m->memory_ends[i - 1] > address; i--)
		if (address < m->memory[i - 1]->high)
			nearest_try(&nearest, m->memory[i - 1], time);
	return nearest.module;
}

struct module *modules_at_low(const struct modules *m, uint32_t low, int64_t time,
			      uint64_t *address)
{
	struct module *found = NULL;
	bool there = false;

	for (size_t i = 0; i < m->list.n; i++) {
		struct module *one = &m->list.at[i];
		uint64_t whole = one->start + (uint32_t)(low - (uint32_t)one->start);
		bool now;

		if (whole >= one->end)
			continue;
		now = time_away(one, time) == 0;
		if (there && !now)
			continue;
		if (found && there == now)
			return NULL;
		found = one;
		there = now;
		*address = whole;
	}
	return found;
}

const char *module_name(const struct module *m)
{
	const char *slash = strrchr(m->path, '/');

	return slash && slash[1] ? slash + 1 : m->path;
}
