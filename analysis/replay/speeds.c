#include "analysis/replay/speeds.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_CHANGED = UINT32_MAX };

struct choosing {
	struct trace *trace;
	const struct speed_change *changes;
	unsigned n;
	bool *found;            /* by change: it is about something */
	const struct role *role;
	struct span_list spans; /* number: of the change; NOT_CHANGED: an inner call that ends own time */
};

static const char thread_prefix[] = "thread:";

static bool is_of_thread(const struct speed_change *c)
{
	return strncmp(c->what, thread_prefix, sizeof thread_prefix - 1) == 0;
}

static bool names_attribute(const struct choosing *c, const char *what, const struct event *start,
			    int attribute)
{
	return attribute >= 0 &&
	       fnmatch(what, address_key_text(c->trace, address_key(c->trace, start, (unsigned)attribute)),
		       0) == 0;
}

static bool names_function(const struct choosing *c, const char *what, const struct event *start)
{
	char text[ADDRESS_TEXT];

	return c->role->kind == KIND_CALL && c->role->start.code[0] >= 0 &&
	       fnmatch(what, address_function(c->trace, text, start, (unsigned)c->role->start.code[0]),
		       0) == 0;
}

static bool names(const struct choosing *c, const char *what, const struct event *start)
{
	const struct role *r = c->role;

	return fnmatch(what, r->interval->name, 0) == 0 || names_function(c, what, start) ||
	       (r->kind == KIND_HOLD && names_attribute(c, what, start, r->start.object)) ||
	       (r->kind != KIND_CALL && names_attribute(c, what, start, r->start.code[0]));
}

/* Of several changes the last that was given. */
static uint32_t change_of(void *context, const struct event *start)
{
	struct choosing *c = context;
	uint32_t change = NOT_CHANGED;

	for (unsigned i = 0; i < c->n; i++)
		if (!is_of_thread(&c->changes[i]) && names(c, c->changes[i].what, start)) {
			change = i;
			c->found[i] = true;
		}
	return change;
}

static void threads_choose(struct choosing *c)
{
	for (unsigned i = 0; i < c->n; i++)
		for (uint32_t t = 0; t < c->trace->nthreads; t++)
			if (is_of_thread(&c->changes[i]) && c->trace->threads[t].events &&
			    fnmatch(c->changes[i].what + sizeof thread_prefix - 1,
				    c->trace->threads[t].name, 0) == 0) {
				*vector_add(&c->spans.all) =
				    (struct listed_span){INT64_MIN + 1, INT64_MAX, t, i};
				c->found[i] = true;
			}
}

static void intervals_choose(struct choosing *c)
{
	static const enum interval_kind kinds[] = {KIND_CALL, KIND_NONE, KIND_WORK,  KIND_HOLD,
						   KIND_IO,   KIND_PHASE, KIND_SPIN, KIND_WAIT};

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		unsigned n;
		struct role *roles = roles_of_kind(c->trace->spec, kinds[k], &n);

		for (unsigned i = 0; i < n; i++) {
			c->role = &roles[i];
			if (roles[i].same_thread)
				span_list_add(&c->spans, c->trace, c->role, change_of, c);
		}
		free(roles);
	}
}

/* ---- one speed at a time ---- */

static void speed_add(struct speeds *s, size_t first, int64_t from, double kept)
{
	if (s->all.n > first && s->all.at[s->all.n - 1].from == from)
		s->all.n--;
	if (s->all.n == first || s->all.at[s->all.n - 1].kept != kept)
		*vector_add(&s->all) = (struct speed){from, kept};
}

/* A call that is not changed matters only within one of which the own time is. */
static bool matters(const struct choosing *c, const struct listed_span *span,
		    const struct listed_span *within)
{
	return span->number != NOT_CHANGED ||
	       (within && within->number != NOT_CHANGED && c->changes[within->number].own);
}

static double kept_of(const struct choosing *c, const struct listed_span *span)
{
	return span && span->number != NOT_CHANGED ? 1 / c->changes[span->number].factor : 1;
}

static void thread_add(struct speeds *s, const struct choosing *c, uint32_t thread)
{
	VECTOR(const struct listed_span *) open = {0};
	size_t end = c->spans.first[thread + 1], first = s->all.n;

	*vector_add(&s->all) = (struct speed){INT64_MIN, 1};
	for (size_t i = c->spans.first[thread]; i <= end; i++) {
		const struct listed_span *span = &c->spans.all.at[i];
		int64_t next = i < end ? span->start : INT64_MAX;

		while (open.n && open.at[open.n - 1]->end <= next) {
			int64_t at = open.at[--open.n]->end;

			while (open.n && open.at[open.n - 1]->end <= at)
				open.n--;
			speed_add(s, first, at, kept_of(c, open.n ? open.at[open.n - 1] : NULL));
		}
		if (i == end || !matters(c, span, open.n ? open.at[open.n - 1] : NULL))
			continue;
		speed_add(s, first, next, kept_of(c, span));
		*vector_add(&open) = span;
	}
	free(open.at);
}

struct speeds *speeds_of(struct trace *t, const struct speed_change *changes, unsigned n,
			 const struct speed_change **unknown)
{
	struct choosing c = {.trace = t, .changes = changes, .n = n, .found = array_zero(n, sizeof(bool))};
	struct speeds *s = array_zero(1, sizeof *s);

	*unknown = NULL;
	intervals_choose(&c);
	threads_choose(&c);
	span_list_sort(&c.spans, t);
	s->first = array_new(t->nthreads + 1, sizeof *s->first);
	for (uint32_t i = 0; i < t->nthreads; i++) {
		s->first[i] = s->all.n;
		thread_add(s, &c, i);
	}
	s->first[t->nthreads] = s->all.n;
	for (unsigned i = 0; i < n && !*unknown; i++)
		if (!c.found[i])
			*unknown = &changes[i];
	free(c.found);
	span_list_free(&c.spans);
	if (!*unknown)
		return s;
	speeds_free(s);
	return NULL;
}

double speeds_length(const struct speeds *s, uint32_t thread, size_t *cursor, int64_t from, int64_t to)
{
	size_t end = s->first[thread + 1];
	double sum = 0;

	while (*cursor + 1 < end && s->all.at[*cursor + 1].from <= from)
		++*cursor;
	for (size_t i = *cursor; from < to; i++) {
		int64_t next = i + 1 < end && s->all.at[i + 1].from < to ? s->all.at[i + 1].from : to;

		sum += (double)(next - from) * s->all.at[i].kept;
		from = next;
	}
	return sum;
}

void speeds_free(struct speeds *s)
{
	free(s->all.at);
	free(s->first);
	free(s);
}
