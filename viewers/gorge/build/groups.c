#include "viewers/gorge/build/groups.h"
#include "analysis/activity/roles.h"
#include "base/name_pattern.h"
#include "base/path.h"
#include "base/search.h"
#include <stdlib.h>
#include <string.h>

/* ---- who created whom ---- */

/* Whether the interval leads from the creation of a thread to the start of its life. */
static bool is_creation(const struct spec *spec, const struct interval *interval)
{
	unsigned n;
	struct role *lives = roles_of_kind(spec, KIND_LIFE, &n), role;
	bool begins = false;

	if (interval->kind == KIND_CAUSE && !interval->anchor.interval &&
	    !interval->partner.interval) {
		role = role_of(interval);
		for (unsigned i = 0; i < n; i++)
			begins |= role_is_threads_life(&lives[i]) &&
				  lives[i].start.event == role.end.event;
	}
	free(lives);
	return begins;
}

static void take_creation(void *context, const struct spans *s)
{
	uint32_t *creators = context;

	for (size_t i = 0; i < s->n; i++)
		creators[spans_to(s, i)] = s->from;
}

uint32_t *trace_creators(const struct trace_index *t)
{
	const struct spec *spec = t->trace->spec;
	uint32_t *creators = array_new(t->trace->nthreads, sizeof *creators);

	for (unsigned i = 0; i < t->trace->nthreads; i++)
		creators[i] = NO_CREATOR;
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (is_creation(spec, spec->intervals[i])) {
			struct instances *found = trace_index_use(t, spec->intervals[i]);
			for (size_t k = 0; k < found->across.n; k++)
				take_creation(creators, &found->across.at[k]);
			trace_index_used();
		}
	return creators;
}

/* ---- groups ---- */

static struct lane_group group_by_process(const struct trace *t, uint32_t process)
{
	return (struct lane_group){process, trace_process_name(&t->processes[process])};
}

static struct lane_group group_by_creator(const struct trace *t, uint32_t creator)
{
	if (creator == NO_CREATOR)
		return (struct lane_group){0, text_format("%s", "first")};
	return (struct lane_group){t->threads[creator].number + 1,
				   text_format("%s", t->threads[creator].name)};
}

unsigned process_of(const struct trace *t, unsigned thread)
{
	unsigned behind = lower_bound(p, 0u, t->nprocesses, t->processes[p].first_thread <= thread);

	return behind ? behind - 1 : 0;
}

/* Returns the group of thread i. */
static struct lane_group group_for(const struct trace *t, enum grouping by,
				   const uint32_t *creators, unsigned i)
{
	switch (by) {
	case GROUP_PROCESS:
		return group_by_process(t, process_of(t, i));
	case GROUP_CREATOR:
		return group_by_creator(t, creators ? creators[i] : NO_CREATOR);
	case GROUP_NAME:
		return (struct lane_group){t->threads[i].number, name_pattern(t->threads[i].name)};
	case GROUP_NONE:
		break;
	}
	return (struct lane_group){0, text_format("%s", "all")};
}

/* Returns whether two are the same group. */
static bool same_group(enum grouping by, const struct lane_group *a, const struct lane_group *b)
{
	return by == GROUP_NAME ? !strcmp(a->name, b->name) : a->number == b->number;
}

/* Takes the group, or the same one that there is already; most threads are in the last one. */
static unsigned find_group(struct lane_groups *g, struct lane_group group)
{
	for (size_t i = g->list.n; i-- > 0;)
		if (same_group(g->by, &g->list.at[i], &group)) {
			free(group.name);
			return (unsigned)i;
		}
	*vector_add(&g->list) = group;
	return (unsigned)g->list.n - 1;
}

struct lane_groups groups_new(const struct trace *t, enum grouping by, const uint32_t *creators)
{
	struct lane_groups g = {.by = by, .of = array_zero(t->nthreads, sizeof *g.of)};

	for (unsigned i = 0; i < t->nthreads; i++)
		g.of[i] = find_group(&g, group_for(t, by, creators, i));
	return g;
}

void groups_join_processes(struct lane_groups *g, const struct trace *t, const bool *which)
{
	unsigned n = 0;

	for (unsigned p = 0; p < t->nprocesses; p++)
		n += which[p];
	*vector_add(&g->list) =
	    (struct lane_group){t->nprocesses, text_format("%u processes with less than 1 %%", n)};
	g->joined = (unsigned)g->list.n;
	for (unsigned i = 0; i < t->nthreads; i++)
		if (which[process_of(t, i)])
			g->of[i] = g->joined - 1;
}

void groups_free(struct lane_groups *g)
{
	for (size_t i = 0; i < g->list.n; i++)
		free(g->list.at[i].name);
	free(g->list.at);
	free(g->of);
}

char *group_key(enum grouping by, uint32_t number)
{
	static const char letters[] = {
	    [GROUP_NONE] = 'a', [GROUP_PROCESS] = 'p', [GROUP_CREATOR] = 'c', [GROUP_NAME] = 'n'};

	return text_format("%c%u", letters[by], number);
}
