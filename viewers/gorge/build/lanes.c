#include "base/name_pattern.h"
#include "base/path.h"
#include "base/visible.h"
#include "viewers/gorge/build/building.h"
#include "viewers/gorge/build/lane_sharing.h"
#include "viewers/gorge/build/object_lanes.h"
#include "viewers/gorge/style/text_width.h"
#include "viewers/select.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- which lanes there are, and in which order ---- */

/*
 * More than MOST_LANES threads share lanes; a page of a given height has LEAST_PIXELS for each
 * lane.
 */
enum { MOST_LANES = 1000, LEAST_PIXELS = 3 };

/* Names below a heading stand so much further to the right. */
enum { INDENT = 12 };

/* What threads and groups are sorted by. */
struct lane_rank {
	unsigned thread, group;
	const char *name;
	uint64_t events;
	int64_t first;  /* INT64_MAX: it has no events */
	unsigned place; /* in the order that is the same in each run */
	unsigned lane;  /* of those that share lanes, in its group */
	unsigned fold;  /* the fold that it is in, from 1 */
};

struct lane_order {
	const struct building *g;
	struct lane_rank *threads, *groups;
	unsigned n;
	bool grouped;
	bool shared; /* lanes are for threads that follow each other */
};

static int compare_ranks(enum sort sort, const struct lane_rank *a, const struct lane_rank *b)
{
	switch (sort) {
	case SORT_SPEC:
		return (a->place > b->place) - (a->place < b->place);
	case SORT_LOGGED:
		return 0;
	case SORT_START:
		return (a->first > b->first) - (a->first < b->first);
	case SORT_NAME:
		return strverscmp(a->name, b->name);
	case SORT_ACTIVITY:
		return (a->events < b->events) - (a->events > b->events);
	}
	return 0;
}

static int compare_threads(const void *pa, const void *pb, void *context)
{
	const struct lane_rank *a = pa, *b = pb;
	const struct lane_order *o = context;
	enum sort sort = o->g->view->sort;
	int order = 0;

	if (o->grouped && a->group != b->group) {
		if (sort != SORT_SPEC || o->g->groups.by == GROUP_NAME)
			order = compare_ranks(sort, &o->groups[a->group], &o->groups[b->group]);
		return order ? order : a->group < b->group ? -1 : 1;
	}
	order = compare_ranks(sort, a, b);
	return order ? order : (a->thread > b->thread) - (a->thread < b->thread);
}

/*
 * Adds a thread to its group, which has its events, begins with its first thread and is where that
 * is.
 */
static void add_to_group(struct lane_rank *group, const struct lane_rank *thread)
{
	group->events += thread->events;
	if (thread->place < group->place)
		group->place = thread->place;
	if (thread->first < group->first)
		group->first = thread->first;
}

static void rank_threads(struct lane_order *o)
{
	const struct trace *t = o->g->trace;
	const struct lane_groups *groups = &o->g->groups;

	for (size_t i = 0; i < groups->list.n; i++)
		o->groups[i] = (struct lane_rank){
		    .name = groups->list.at[i].name, .first = INT64_MAX, .place = UINT_MAX};
	for (unsigned i = 0; i < t->nthreads; i++) {
		const struct trace_thread *thread = &t->threads[i];
		struct lane_rank rank = {i,
					 groups->of[i],
					 thread->name,
					 thread->events,
					 thread->events ? thread->first : INT64_MAX,
					 o->g->view->places ? o->g->view->places[i] : i,
					 0,
					 0};
		if (!o->g->threads[i] || (o->g->view->objects && !o->g->view->objects->threads))
			continue;
		add_to_group(&o->groups[rank.group], &rank);
		o->threads[o->n++] = rank;
	}
	qsort_r(o->threads, o->n, sizeof *o->threads, compare_threads, o);
}

static unsigned most_lanes(const struct building *g)
{
	unsigned most = MOST_LANES;

	if (g->view->height > 0 && g->view->height / LEAST_PIXELS < most)
		most = (unsigned)(g->view->height / LEAST_PIXELS);
	return most ? most : 1;
}

/* Returns how many threads each lane stands for. */
static unsigned fold(const struct building *g, unsigned threads)
{
	unsigned most = most_lanes(g);

	return threads <= most ? 1 : (threads + most - 1) / most;
}

/* ---- threads that follow each other ---- */

/* Returns whether a list has the word: of lanes, or of what is folded. */
static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (; list && *list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
		if (!strncmp(list, word, n) && (!list[n] || list[n] == ','))
			return true;
	return false;
}

static bool wants_sharing(const struct building *g, unsigned threads)
{
	if (!g->view->lanes)
		return threads > FEW_THREADS;
	return has_word(g->view->lanes, "alive");
}

/* Returns the window's times, or columns, in which a thread has its events; false: it has none. */
static bool life_of(const struct building *g, unsigned thread, int64_t *first, int64_t *last)
{
	const struct trace_thread *t = &g->trace->threads[thread];

	*first = t->first;
	*last = t->last;
	if (g->view->logical)
		event_index_life(g->view->logical, thread, first, last);
	return t->events > 0;
}

/* Takes away the threads that do not live in the window. */
static void keep_alive(struct building *g, struct lane_order *o)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < o->n; i++) {
		int64_t first, last;

		if (life_of(g, o->threads[i].thread, &first, &last) && first <= g->window.to &&
		    last >= g->window.from)
			o->threads[kept++] = o->threads[i];
	}
	g->dead = o->n - kept;
	o->n = kept;
}

/* Gives the threads [i, end) of the order, a group, lanes. Returns how many; 0: more than most. */
static unsigned share_lanes(struct lane_order *o, unsigned i, unsigned end, unsigned most)
{
	struct tenant *tenants = array_zero(end - i, sizeof *tenants);
	struct lane_rank *ranks = array_zero(end - i, sizeof *ranks);
	unsigned lanes;

	memcpy(ranks, &o->threads[i], (end - i) * sizeof *ranks);
	for (unsigned k = 0; k < end - i; k++) {
		tenants[k] = (struct tenant){.thread = k, .pattern = name_pattern(ranks[k].name)};
		life_of(o->g, ranks[k].thread, &tenants[k].from, &tenants[k].to);
	}
	lanes = lanes_share(tenants, end - i, most);
	for (unsigned k = 0; k < end - i; k++) {
		o->threads[i + k] = ranks[tenants[k].thread];
		o->threads[i + k].lane = tenants[k].lane;
		free(tenants[k].pattern);
	}
	free(tenants);
	free(ranks);
	return lanes;
}

/* Returns the end of the group, or of all, that begins with thread i of the order. */
static unsigned group_end(const struct lane_order *o, unsigned i)
{
	unsigned end = i + 1;

	while (end < o->n && (!o->grouped || o->threads[end].group == o->threads[i].group))
		end++;
	return end;
}

/*
 * Puts threads that follow each other on one lane, if the view wants it and these are not too many.
 */
static void share(struct building *g, struct lane_order *o)
{
	unsigned left = most_lanes(g), lanes;

	if (!wants_sharing(g, o->n))
		return;
	keep_alive(g, o);
	o->shared = true;
	for (unsigned i = 0, end; i < o->n && o->shared; i = end, left -= lanes) {
		end = group_end(o, i);
		lanes = left ? share_lanes(o, i, end, left) : 0;
		o->shared = lanes > 0;
	}
	if (!o->shared)
		qsort_r(o->threads, o->n, sizeof *o->threads, compare_threads, o);
}

/* ---- what is folded ---- */

/* Folds the threads [i, end) of the order, which are a group. */
static void fold_usual(struct building *g, struct lane_order *o, unsigned i, unsigned end)
{
	unsigned n = end - i;
	struct folding *folding = array_zero(n, sizeof *folding);
	struct lane_rank *ranks = array_zero(n, sizeof *ranks);

	memcpy(ranks, &o->threads[i], n * sizeof *ranks);
	for (unsigned k = 0; k < n; k++)
		folding[k] = (struct folding){.thread = ranks[k].thread,
					      .process = process_of(g->trace, ranks[k].thread),
					      .lane = o->shared ? ranks[k].lane : k,
					      .rank = k};
	folds_make(&g->folds, g->trace, g->view->running, folding, n, o->shared);
	for (unsigned k = 0; k < n; k++) {
		o->threads[i + k] = ranks[folding[k].rank];
		o->threads[i + k].fold = folding[k].fold;
	}
	free(folding);
	free(ranks);
}

/* Finds the groups and the threads that --fold names; "all" are all groups, if there are any. */
static bool choose_folded(struct building *g, bool grouped)
{
	const struct trace *t = g->trace;
	unsigned n = grouped ? (unsigned)g->groups.list.n : 0;
	const char **names = array_zero(n + t->nthreads, sizeof *names);
	bool good, all = g->view->fold && !strcmp(g->view->fold, "all");

	g->folded = array_zero(n + t->nthreads, 1);
	for (unsigned i = 0; i < n; i++)
		names[i] = g->groups.list.at[i].name;
	for (unsigned i = 0; i < t->nthreads; i++)
		names[n + i] = t->threads[i].name;
	good = !g->view->fold || select_names("--fold", g->view->fold, names,
					      all && n ? n : n + t->nthreads, g->folded, g->diag);
	free(names);
	return good;
}

static bool group_is_folded(const struct building *g, unsigned group)
{
	char *key = group_key(g->groups.by, g->groups.list.at[group].number);
	bool joined = g->groups.joined == group + 1 && !g->view->collapsed;
	bool folded = joined || g->folded[group] || has_word(g->view->collapsed, key);

	free(key);
	return folded;
}

/* groups: how many there are, with headings. */
static bool threads_are_folded(const struct building *g, unsigned groups,
			       const struct lane_rank *threads, unsigned n)
{
	char key[16];

	for (unsigned i = 0; i < n; i++) {
		snprintf(key, sizeof key, "%u", g->trace->threads[threads[i].thread].number);
		if (!g->folded[groups + threads[i].thread] && !has_word(g->view->collapsed, key))
			return false;
	}
	return true;
}

/* Returns whether the page has a lane that begins with the thread grow: "+7" in its list. */
static bool is_grown(const struct building *g, const struct lane_rank *thread)
{
	char key[16];

	snprintf(key, sizeof key, "+%u", g->trace->threads[thread->thread].number);
	return has_word(g->view->collapsed, key);
}

/* ---- planning ---- */

/* Returns how many threads from i on share its lane. */
static unsigned on_lane(const struct lane_order *o, unsigned i, unsigned end)
{
	unsigned n = 1;

	while (i + n < end && o->threads[i + n].lane == o->threads[i].lane)
		n++;
	return n;
}

/*
 * Adds the heading of a fold, which begins at i. Sets *n, and returns true, if it stands for its
 * threads.
 */
static bool plan_fold(struct building *g, const struct lane_order *o, unsigned i, unsigned end,
		      unsigned group, unsigned indent, unsigned *n)
{
	unsigned fold = o->threads[i].fold;
	/* A page says what is folded; before it does, all folds are. */
	bool folded =
	    !g->view->collapsed || has_word(g->view->collapsed, g->folds.list.at[fold - 1].key);

	for (*n = 1; i + *n < end && o->threads[i + *n].fold == fold; ++*n)
		;
	*vector_add(&g->plan) = (struct lane_plan){.first = i,
						   .n = folded ? *n : 0,
						   .heading = true,
						   .collapsed = folded,
						   .small = true,
						   .group = group,
						   .fold = fold,
						   .indent = indent};
	return folded;
}

/* Lanes for the threads [i, end) of the order, which are one group or all that there are. */
static void plan_group(struct building *g, const struct lane_order *o, unsigned i, unsigned end,
		       unsigned each)
{
	unsigned group = o->threads[i].group, begin = i;
	unsigned groups = o->grouped ? (unsigned)g->groups.list.n : 0;
	bool headed = o->grouped && end - i > 1;
	bool folded = headed && group_is_folded(g, group);

	if (headed)
		*vector_add(&g->plan) = (struct lane_plan){.first = i,
							   .n = folded ? end - i : 0,
							   .heading = true,
							   .collapsed = folded,
							   .small = true,
							   .group = group};
	for (unsigned n; i < end && !folded; i += n) {
		unsigned indent = headed ? INDENT : 0, fold = o->threads[i].fold;
		bool first = fold && (i == begin || o->threads[i - 1].fold != fold);
		if (first && plan_fold(g, o, i, end, group, indent, &n))
			continue;
		n = o->shared ? on_lane(o, i, end) : end - i < each ? end - i : each;
		bool small = threads_are_folded(g, groups, &o->threads[i], n);
		bool grown = is_grown(g, &o->threads[i]);
		*vector_add(&g->plan) = (struct lane_plan){.first = i,
							   .n = n,
							   .small = small,
							   .collapsed = small,
							   .shared = o->shared && n > 1,
							   .grown = grown,
							   .group = group,
							   .indent = indent + (fold ? INDENT : 0)};
	}
}

/* Returns how threads are grouped: by process only where there are several. */
static enum grouping grouping_of(const struct building *g)
{
	bool alone = g->view->group == GROUP_PROCESS && g->trace->nprocesses < 2;

	return alone ? GROUP_NONE : g->view->group;
}

/*
 * Adds a lane for the processors, if it is known when threads have them and several may want them.
 */
static void plan_processors(struct building *g)
{
	const struct spec *spec = g->trace->spec;
	bool running = false;

	for (unsigned i = 0; i < spec->nintervals; i++)
		running |= g->intervals[i] && spec->intervals[i]->kind == KIND_STATE &&
			   role_of(spec->intervals[i]).state == STATE_RUNNING &&
			   !g->chosen.absent_intervals[i];
	if (running && g->trace->nthreads > 1 && !g->view->logical &&
	    (!g->view->objects || g->view->objects->threads))
		*vector_add(&g->plan) =
		    (struct lane_plan){.n = g->trace->nthreads, .processors = true};
}

bool building_order(struct building *g)
{
	const struct trace *t = g->trace;
	enum grouping by = grouping_of(g);
	struct lane_order o = {.g = g, .grouped = by != GROUP_NONE};
	bool good, *small = NULL;
	unsigned each;

	if (g->view->objects && g->view->objects->first)
		building_plan_objects(g);
	g->groups = groups_new(t, by, g->view->creators);
	if (by == GROUP_PROCESS && g->view->running &&
	    (small = short_processes(t, g->view->running)))
		groups_join_processes(&g->groups, t, small);
	free(small);
	o.threads = array_zero(t->nthreads, sizeof *o.threads);
	plan_processors(g);
	o.groups = array_zero(g->groups.list.n, sizeof *o.groups);
	good = choose_folded(g, o.grouped);
	rank_threads(&o);
	share(g, &o);
	for (unsigned i = 0, end; g->view->running && i < o.n; i = end) {
		end = group_end(&o, i);
		fold_usual(g, &o, i, end);
	}
	each = fold(g, o.n);
	g->order = array_zero((size_t)t->nthreads + o.n, sizeof *g->order);
	for (unsigned i = 0; i < t->nthreads; i++)
		g->order[i] = i;
	for (unsigned i = 0; i < o.n; i++)
		g->order[t->nthreads + i] = o.threads[i].thread;
	for (unsigned i = 0, end; i < o.n; i = end) {
		end = group_end(&o, i);
		plan_group(g, &o, i, end, each);
	}
	for (size_t i = 0; i < g->plan.n; i++)
		if (!g->plan.at[i].processors)
			g->plan.at[i].first += t->nthreads;
	if (g->view->objects && !g->view->objects->first)
		building_plan_objects(g);
	free(o.threads);
	free(o.groups);
	return good;
}

/* ---- the lanes themselves ---- */

/* Replaces a text by one without what cannot be shown. */
static char *cleaned(char *text)
{
	char *clean = visible_text(text);

	free(text);
	return clean;
}

/* Returns what a heading says of its group, folded or of so many threads; to be freed. */
static char *heading_name(const struct building *g, const struct lane_plan *p, unsigned threads)
{
	const struct lane_group *group = &g->groups.list.at[p->group];
	const struct trace_process *process;

	if (p->fold)
		return visible_text(g->folds.list.at[p->fold - 1].name);

	switch (g->groups.by) {
	case GROUP_CREATOR:
		if (group->number == 0)
			return text_format(
			    p->collapsed ? "first, %u" : "no known creator, %u threads", threads);
		return cleaned(text_format(p->collapsed ? "by %s, %u" : "created by %s, %u threads",
					   trace_thread(g->trace, group->number - 1)->label,
					   threads));
	case GROUP_NAME:
	case GROUP_NONE:
		return cleaned(
		    text_format(p->collapsed ? "%s, %u" : "%s  %u threads", group->name, threads));
	case GROUP_PROCESS:
		break;
	}
	if (p->group + 1 == g->groups.joined)
		return visible_text(group->name);
	process = &g->trace->processes[group->number];
	if (p->collapsed)
		return visible_text(group->name);
	return cleaned(text_format("%s  %s%spid %u, %u threads", group->name, process->program,
				   *process->program ? ", " : "", process->pid, threads));
}

/*
 * Returns a thread's label; of several processes, one that is not below the heading of its own has
 * the directory before its label.
 */
static char *thread_label(const struct building *g, const struct lane_plan *p, unsigned thread)
{
	const struct trace *t = g->trace;
	char *base, *name;

	if (t->nprocesses < 2 || (p->indent && g->groups.by == GROUP_PROCESS))
		return visible_text(t->threads[thread].label);
	base = trace_process_name(&t->processes[process_of(t, thread)]);
	/* a thread alone that nobody named is called as its process */
	if (t->processes[process_of(t, thread)].nthreads == 1 && trace_has_states(t) &&
	    !strcmp(t->threads[thread].name, t->processes[process_of(t, thread)].program))
		return base;
	name = text_format("%s: %s", base, t->threads[thread].label);
	free(base);
	return cleaned(name);
}

/* Returns the name of a lane of threads that follow each other: what their names have in common. */
static char *shared_name(const struct building *g, const struct lane_plan *p)
{
	char *first = name_pattern(g->trace->threads[g->order[p->first]].name), *name;
	bool alike = true;

	for (unsigned i = 1; i < p->n && alike; i++) {
		char *pattern = name_pattern(g->trace->threads[g->order[p->first + i]].name);

		alike = !strcmp(pattern, first);
		free(pattern);
	}
	name = alike ? text_format("%s, %u", first, p->n)
		     : text_format("%s and %u more", g->trace->threads[g->order[p->first]].label,
				   p->n - 1);
	free(first);
	return cleaned(name);
}

/* Returns the lane's name: of several threads that of the first and that of the last. */
static char *lane_name(const struct building *g, const struct lane_plan *p)
{
	char *first, *both;

	if (p->shared)
		return shared_name(g, p);
	first = thread_label(g, p, g->order[p->first]);
	if (p->n < 2)
		return first;
	both =
	    text_format("%s to %s", first, g->trace->threads[g->order[p->first + p->n - 1]].label);
	free(first);
	return cleaned(both);
}

static void add_number(struct lane *lane, uint32_t number)
{
	struct thread_run *last = lane->threads.n ? &lane->threads.at[lane->threads.n - 1] : NULL;

	if (last && last->last + 1 == number)
		last->last = number;
	else
		*vector_add(&lane->threads) = (struct thread_run){number, number};
}

static void join(struct lane *lane, const struct building *g, unsigned index)
{
	const struct trace_thread *t = &g->trace->threads[index];
	int64_t first, last;

	add_number(lane, t->number);
	lane->lost += t->lost;
	lane->skipped += t->skipped;
	if (!life_of(g, index, &first, &last))
		return;
	if (lane->shared)
		*vector_add(&lane->lives) =
		    (struct lane_life){.name = visible_text(t->label), .born = first, .died = last};
	if (!lane->alive || first < lane->born)
		lane->born = first;
	if (!lane->alive || last > lane->died)
		lane->died = last;
	lane->alive = true;
}

/* Returns how many threads are below the heading, or in it. */
static unsigned threads_below(const struct building *g, size_t heading)
{
	unsigned n = g->plan.at[heading].n;

	for (size_t i = heading + 1;
	     i < g->plan.n && g->plan.at[i].indent > g->plan.at[heading].indent; i++)
		n += g->plan.at[i].n;
	return n;
}

static void fill_lane(struct building *g, unsigned i)
{
	const struct lane_plan *p = &g->plan.at[i];
	struct lane *lane = &g->scene->lanes[i];

	lane->processors = p->processors;
	if (p->processors) {
		lane->name = text_format("processors");
		lane->group = text_format("%s", "");
		return;
	}
	lane->object = p->object;
	lane->kind = p->object ? building_object_kind(g, p) : 0;
	lane->name = p->object    ? building_object_name(g, p)
		     : p->heading ? heading_name(g, p, threads_below(g, i))
				  : lane_name(g, p);
	lane->heading = p->heading;
	lane->collapsed = p->collapsed;
	lane->small = p->small;
	lane->shared = p->shared;
	lane->grown = p->grown;
	lane->group = p->object ? text_format("o%u", lane->kind)
		      : p->fold ? text_format("%s", g->folds.list.at[p->fold - 1].key)
				: group_key(g->groups.by, g->groups.list.at[p->group].number);
	lane->indent = p->indent;
	for (unsigned t = p->first; t < p->first + p->n; t++) {
		g->lane_of[g->order[t]] = i;
		join(lane, g, g->order[t]);
	}
}

void building_lanes(struct building *g)
{
	for (unsigned i = 0; i < g->trace->nthreads; i++)
		g->lane_of[i] = NO_KEY;
	for (unsigned i = 0; i < g->plan.n; i++)
		fill_lane(g, i);
}

static double within(const struct scene *s, int64_t time)
{
	double x = scene_x(s, time);

	return x < 0 ? 0 : x > s->columns ? s->columns : x;
}

static bool has_states(const struct scene *s)
{
	for (unsigned i = 0; i < s->nintervals; i++)
		if (s->intervals[i].band == BAND_STATES && !s->intervals[i].absent)
			return true;
	return false;
}

void building_merge(struct building *g)
{
	g->scene->states = has_states(g->scene);

	for (unsigned i = 0; i < g->plan.n; i++) {
		struct lane *lane = &g->scene->lanes[i];

		lane->merged = g->scene->states && g->plan.at[i].n > 1 && !g->plan.at[i].shared;
		if (g->scene->states && !g->scene->logical)
			lane->shares = array_zero(g->scene->nintervals, sizeof *lane->shares);
	}
}

void building_gaps(struct building *g)
{
	struct scene *s = g->scene;

	for (size_t i = 0; i < g->trace->ngaps; i++) {
		const struct trace_gap *gap = &g->trace->gaps[i];
		uint32_t lane = gap->thread == EVERY_THREAD ? NO_KEY : g->lane_of[gap->thread];
		if (gap->to < s->window.from || gap->from > s->window.to ||
		    (lane == NO_KEY && gap->thread != EVERY_THREAD))
			continue;
		*vector_add(&s->gaps) = (struct gap){
		    .lane = lane,
		    .off = gap->kind == GAP_OFF,
		    .x0 = within(s, gap->from),
		    .x1 = within(s, gap->to),
		    .type = gap->type ? text_format("%s", gap->type->name) : NULL,
		};
	}
}
