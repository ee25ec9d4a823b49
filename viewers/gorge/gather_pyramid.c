/*
 * Fills a scene from the pyramid: the same things as the other parts gather, in a time that depends
 * on the pixels. Rows and tracks are those of the whole trace, so that lanes keep their heights
 * when the window moves.
 */
#include "viewers/gorge/gather.h"
#include "viewers/gorge/layout.h"
#include "viewers/gorge/links.h"
#include "viewers/gorge/pyramid.h"

/* A lane has at most so many rows, whatever the number of its threads. */
enum { MOST_ROWS = 16 };

static void put_events(struct gather *g, const struct event_type *type, uint32_t index)
{
	const struct sheet *sheet = pyramid_events(g->model->pyramid, type);
	struct scene *s = g->scene;
	struct marks *marks = marks_begin(s, index);

	g->ranges[index] = sheet->range;
	for (unsigned t = 0; t < g->trace->nthreads; t++) {
		size_t first = (size_t)t * sheet->shifts;
		if (g->lane_of[t] == NO_KEY || sheet->first[first] == sheet->first[first + sheet->shifts])
			continue;
		uint64_t n = sheet_put(sheet, t, s, marks, g->lane_of[t]);
		s->lanes[g->lane_of[t]].marked = true;
		s->lanes[g->lane_of[t]].events += n;
		s->events[index].count += n;
	}
	marks_end(marks, &s->marks);
}

static void put_unmatched(struct gather *g, const struct interval *interval, uint32_t index)
{
	const struct sheet *sheet = pyramid_unmatched(g->model->pyramid, interval);
	struct scene *s = g->scene;
	struct marks *marks = marks_begin(s, index);

	for (unsigned t = 0; t < g->trace->nthreads; t++) {
		if (g->lane_of[t] == NO_KEY || sheet->first[t] == sheet->first[t + 1])
			continue;
		s->lanes[g->lane_of[t]].marked = s->stubbed = true;
		s->intervals[index].unmatched += sheet_put(sheet, t, s, marks, g->lane_of[t]);
	}
	marks_end(marks, &s->stubs);
}

struct target {
	struct gather *g;
	const struct matches *matches;
	uint32_t index;
	bool backwards;
	bool each;              /* some threads are hidden: what is left is counted one by one */
	struct links *links;
};

static void put_strand(void *context, const struct strand *s)
{
	struct target *t = context;
	struct instance i;
	bool from = t->g->lane_of[s->from] != NO_KEY, to = t->g->lane_of[s->to] != NO_KEY;

	if (t->each && (from || to))
		key_count(&t->g->scene->intervals[t->index], s->end - s->start);
	t->g->hidden += from != to ? s->count : 0;
	if (!from || !to)
		return;
	matches_get(t->matches, s->anchor, &i);
	links_add(t->links, t->index,
		  gather_end(t->g, t->backwards ? &i.partner : &i.anchor, t->g->lane_of[s->from]),
		  gather_end(t->g, t->backwards ? &i.anchor : &i.partner, t->g->lane_of[s->to]),
		  s->anchor, s->count);
}

static bool all_shown(const struct gather *g)
{
	for (unsigned i = 0; i < g->trace->nthreads; i++)
		if (g->lane_of[i] == NO_KEY)
			return false;
	return true;
}

static void put_links(struct gather *g, const struct interval *interval, uint32_t index,
		      struct links *links)
{
	const struct web *web = pyramid_web(g->model->pyramid, interval);
	struct target t = {
		.g = g, .matches = model_matches(g->model, interval), .index = index,
		.backwards = interval->direction == BACKWARDS, .links = links,
		.each = !all_shown(g),
	};

	if (!web->any)
		return;
	if (!t.each)
		web_count(web, &g->scene->window, &g->scene->intervals[index]);
	web_visit(web, &g->scene->window, t.each, put_strand, &t);
}

/*
 * The threads of a lane lie one below the other in it; when there are more than rows, they share
 * them.
 */
static void put_lane(struct gather *g, const struct stack *stack, struct bars *bars, unsigned lane)
{
	const struct lane_plan *p = &g->plan.at[lane];
	unsigned row = 0;

	for (unsigned i = p->first; i < p->first + p->n; i++) {
		stack_put(stack, g->order[i], bars, g->scene, lane, row);
		row += stack_depth(stack, g->order[i]);
	}
}

/* The rows of a lane over the whole trace. */
static unsigned lane_depth(const struct gather *g, const struct stack *stack, unsigned lane)
{
	const struct lane_plan *p = &g->plan.at[lane];
	unsigned rows = 0;

	for (unsigned i = p->first; i < p->first + p->n; i++)
		rows += stack_depth(stack, g->order[i]);
	return rows;
}

static void put_bars(struct gather *g, const struct stack *stack)
{
	unsigned limit = stack->rows > MOST_ROWS ? stack->rows : MOST_ROWS;
	struct bars *bars = bars_begin(g->scene, limit);

	for (unsigned i = 0; i < g->scene->nlanes; i++)
		put_lane(g, stack, bars, i);
	bars_end(bars);
	for (unsigned i = 0; i < g->scene->nlanes; i++) {
		unsigned depth = lane_depth(g, stack, i);
		g->scene->lanes[i].rows = depth < limit ? depth : limit;
	}
	g->scene->deep = stack->deep;
}

/* An interval without a connection is drawn as what its instances are. */
static void settle_form(struct gather *g, const struct stack *stack, uint32_t index,
			const struct web *web)
{
	if (web->any && !stack_has(stack, index))
		g->scene->intervals[index].form = FORM_LINE;
}

static void put_intervals(struct gather *g)
{
	const struct spec *spec = g->trace->spec;
	const struct stack *stack = pyramid_stack(g->model->pyramid, g->intervals);
	struct links *links = links_begin(g->scene, MOST_LINES + g->scene->nintervals);

	put_bars(g, stack);
	for (unsigned i = 0, key = 0; i < spec->nintervals; i++) {
		const struct interval *interval = spec->intervals[i];
		if (!g->intervals[i])
			continue;
		put_unmatched(g, interval, key);
		put_links(g, interval, key, links);
		settle_form(g, stack, key, pyramid_web(g->model->pyramid, interval));
		key++;
	}
	links_end(links);
}

void gather_pyramid(struct gather *g)
{
	const struct spec *spec = g->trace->spec;

	for (unsigned i = 0; i < spec->nevents; i++)
		if (g->events[i])
			trace_announce(g->trace, spec->events[i]);
	for (unsigned i = 0; i < spec->nevents; i++)
		if (g->events[i])
			put_events(g, spec->events[i], g->event_key[i]);
	put_intervals(g);
}
