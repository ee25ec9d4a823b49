/*
 * Writes into the rows of states, where bars are wide enough: what a thread waits for and who has
 * it, and in what of its own it runs.
 */
#include "trace/address.h"
#include "viewers/gorge/build/building.h"
#include "viewers/gorge/build/object_lanes.h"
#include "viewers/gorge/index/object_index.h"
#include "viewers/gorge/scene/stack_scene.h"
#include <math.h>
#include <stdlib.h>

/* Columns of a bar that has room for such a text. */
enum { WIDE = 36 };

static void name_take(struct scene *s, struct bar *b, char *text)
{
	struct bar_name *name = array_zero(1, sizeof *name);

	name->text = text;
	*vector_add(&s->names) = name;
	b->name = name;
}

/* ---- waits ---- */

struct wait_holder {
	const struct object_index *index;
	unsigned waiter, thread;
	bool found;
};

static void take_holder(void *context, const struct traced_object *o, size_t i)
{
	struct wait_holder *h = context;
	const struct object_span *s = &o->spans.at[i];

	if (!object_holds(h->index, s) || s->thread == h->waiter)
		return;
	h->thread = s->thread;
	h->found = true;
}

/* Returns the name of the thread that holds the object at the time; NULL: it is not known. */
static const char *holder_of(const struct building *g, const struct event *e, int attribute,
			     unsigned waiter, int64_t time)
{
	struct object_index *x = g->view->objects ? g->view->objects->index : NULL;
	struct wait_holder h = {.index = x, .waiter = waiter};
	const struct traced_object *o = x ? object_index_find(x, waiter, e, attribute) : NULL;

	if (!o)
		return NULL;
	object_reaching(o, object_seek(o, time + 1), time, take_holder, &h);
	return h.found ? g->trace->threads[h.thread].label : NULL;
}

/*
 * Returns the name of the thread whose end ended the wait, which ends with the event; NULL: none
 * did.
 */
static const char *ended_by(const struct building *g, const struct role *wait, event_id end)
{
	const struct interval *cause = end_cause_of(g->trace->spec, wait);
	struct found_instance found;

	if (!cause || cause->direction != BACKWARDS || g->grid->causes_missing ||
	    !instances_find(matcher_get(g->index->matcher, cause), end, &found) || !found.matched)
		return NULL;
	return g->trace->threads[event_id_thread(found.partner)].label;
}

/*
 * Returns the object of a wait, and who has it: "statsMutex <- parser-0"; or for the end of which
 * thread it is: "join reader"; NULL: it has none.
 */
static char *wait_text(const struct building *g, const struct interval *wait, const struct bar *b)
{
	struct role role = role_of(wait);
	const struct role_end *end = wait->direction == BACKWARDS ? &role.end : &role.start;
	char text[ADDRESS_TEXT];
	const char *object, *holder = NULL;
	const struct interval_key *key = &g->scene->intervals[b->key];
	struct found_instance found;
	struct event e;

	if (end->object < 0 || !event_index_event(g->index->events, b->anchor, &e))
		return NULL;
	if (key->wait == WAIT_REST && g->view->objects && wait->direction == BACKWARDS &&
	    (holder = ended_by(g, &role, b->anchor)))
		return text_format("%s %s", key->label, holder);
	if (key->wait == WAIT_REST)
		return NULL;
	object = address_text(g->trace, text, &e, (unsigned)end->object);
	if (key->wait == WAIT_HELD &&
	    instances_find(grid_instances(g->grid, b->key), b->anchor, &found))
		holder = holder_of(g, &e, end->object, event_id_thread(b->anchor), found.start);
	return holder ? text_format("%s \xe2\x86\x90 %s", object, holder)
		      : text_format("%s", object);
}

/* ---- running ---- */

/* A bar in which a thread runs most of a time. */
struct inner {
	const struct bar *bar;
	double columns;
	unsigned row;
};

static void inner_consider(struct inner *best, const struct bar *own, const struct bar *running)
{
	double columns = fmin(own->x1, running->x1) - fmax(own->x0, running->x0);

	if (own->level || columns * 2 < running->x1 - running->x0)
		return;
	if (!best->bar || own->row >= best->row)
		*best = (struct inner){own, columns, own->row};
}

/* Returns what of its own, or which function, a thread runs in; NULL: it is not known. */
static char *running_text(const struct scene *s, const struct bar *running)
{
	const struct scene *stacks = s->stacks ? s->stacks->bars : NULL;
	struct inner best = {0};
	size_t end = scene_bars(s, running->lane + 1);

	for (size_t i = scene_bars(s, running->lane); i < end; i++) {
		const struct interval_key *key = &s->intervals[s->bars.at[i].key];

		if (key->layer == LAYER_OWN && key->form == FORM_BAR)
			inner_consider(&best, &s->bars.at[i], running);
	}
	if (best.bar)
		return text_format("%s", best.bar->name ? best.bar->name->text
							: s->intervals[best.bar->key].label);
	end = stacks ? scene_bars(stacks, running->lane + 1) : 0;
	for (size_t i = stacks ? scene_bars(stacks, running->lane) : 0; i < end; i++)
		inner_consider(&best, &stacks->bars.at[i], running);
	return best.bar && best.bar->name ? text_format("%s", best.bar->name->text) : NULL;
}

void building_reason_names(struct building *g)
{
	struct scene *s = g->scene;

	for (size_t i = 0; i < s->bars.n; i++) {
		struct bar *b = &s->bars.at[i];
		const struct interval_key *key = &s->intervals[b->key];
		char *text = NULL;

		if (b->level || key->band != BAND_STATES || b->x1 - b->x0 < WIDE)
			continue;
		if (key->explains)
			text = wait_text(g, grid_instances(g->grid, b->key)->interval, b);
		else if (key->state == STATE_RUNNING)
			text = running_text(s, b);
		if (text)
			name_take(s, b, text);
	}
}
