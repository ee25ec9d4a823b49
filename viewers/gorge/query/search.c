#include "viewers/gorge/query/search.h"
#include "viewers/gorge/index/object_index.h"
#include "viewers/gorge/query/presence.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The most things that are listed; milliseconds that a search waits for the objects. */
enum { MOST_LISTED = 50, PATIENCE = 300 };

unsigned search_grade(const char *text, const char *name)
{
	size_t n = strlen(text);

	if (!name || !strcasestr(name, text))
		return 0;
	return strcasecmp(name, text) ? strncasecmp(name, text, n) ? 1 : 2 : 3;
}

void search_add(struct text_search *s, const struct found_thing *thing)
{
	if (thing->grade)
		*vector_add(&s->things) = *thing;
}

static unsigned either_grade(const char *text, const char *name, const char *label)
{
	unsigned a = search_grade(text, name), b = search_grade(text, label);

	return a > b ? a : b;
}

static void search_threads(struct text_search *s, const struct trace *t)
{
	for (unsigned i = 0; i < t->nthreads; i++) {
		const struct trace_thread *thread = &t->threads[i];

		search_add(s, &(struct found_thing){
				  .kind = FOUND_THREAD,
				  .name = thread->name,
				  .label = thread->label,
				  .grade = either_grade(s->text, thread->name, thread->label),
				  .number = thread->number,
				  .count = thread->events});
	}
}

static void search_objects(struct text_search *s, struct trace_index *m)
{
	const struct object_index *x = trace_index_objects(m, PATIENCE);

	s->pending |= !x;
	for (size_t i = 0; x && i < x->objects.n; i++) {
		const struct traced_object *o = &x->objects.at[i];

		search_add(s, &(struct found_thing){.kind = FOUND_OBJECT,
						    .name = o->name,
						    .label = o->name,
						    .grade = search_grade(s->text, o->name),
						    .count = o->waits,
						    .time = o->waited});
	}
}

static void search_intervals(struct text_search *s, const struct trace *t)
{
	for (unsigned i = 0; i < t->spec->nintervals; i++) {
		const struct interval *n = t->spec->intervals[i];
		const char *label = style_label(&n->style, n->name);

		if (!presence_lacks(t, n))
			search_add(s, &(struct found_thing){
					  .kind = FOUND_INTERVAL,
					  .name = n->name,
					  .label = label,
					  .grade = either_grade(s->text, n->name, label)});
	}
}

static void search_events(struct text_search *s, const struct trace *t)
{
	for (unsigned i = 0; i < t->spec->nevents; i++) {
		const struct event_type *e = t->spec->events[i];
		const char *label = style_label(&e->style, e->name);

		if (t->events_of_type[i])
			search_add(
			    s, &(struct found_thing){.kind = FOUND_EVENT,
						     .name = e->name,
						     .label = label,
						     .grade = either_grade(s->text, e->name, label),
						     .count = t->events_of_type[i]});
	}
}

static int compare_things(const void *pa, const void *pb)
{
	const struct found_thing *a = pa, *b = pb;

	if (a->grade != b->grade)
		return a->grade > b->grade ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return strcmp(a->label, b->label);
}

struct text_search search_new(struct trace_index *m, const char *text)
{
	struct text_search s = {.text = text};

	search_threads(&s, m->trace);
	search_objects(&s, m);
	search_intervals(&s, m->trace);
	search_functions(&s, m);
	search_events(&s, m->trace);
	if (s.things.n)
		qsort(s.things.at, s.things.n, sizeof *s.things.at, compare_things);
	return s;
}

void search_clear(struct text_search *s)
{
	free(s->things.at);
}

static const char *const kinds[] = {
    [FOUND_THREAD] = "thread",     [FOUND_OBJECT] = "object", [FOUND_INTERVAL] = "interval",
    [FOUND_FUNCTION] = "function", [FOUND_EVENT] = "event",
};

static void write_thing(const struct found_thing *thing, struct json *j)
{
	json_object(j, NULL);
	json_string(j, "kind", kinds[thing->kind]);
	json_string(j, "name", thing->name);
	json_string(j, "label", thing->label);
	if (thing->kind == FOUND_THREAD || thing->kind == FOUND_FUNCTION)
		json_uint(j, "number", thing->number);
	if (thing->kind != FOUND_INTERVAL && thing->kind != FOUND_FUNCTION)
		json_uint(j, "count", thing->count);
	if (thing->kind == FOUND_OBJECT || thing->kind == FOUND_FUNCTION)
		json_int(j, "time", thing->time);
	json_close(j);
}

void search_write(const struct text_search *s, const struct interval *without, struct json *j)
{
	size_t listed = 0;

	if (s->pending)
		json_bool(j, "pending", true);
	json_array(j, "things");
	for (size_t i = 0; i < s->things.n && listed < MOST_LISTED; i++) {
		const struct found_thing *thing = &s->things.at[i];

		if (thing->kind == FOUND_INTERVAL && without && !strcmp(thing->name, without->name))
			continue;
		write_thing(thing, j);
		listed++;
	}
	json_close(j);
}
