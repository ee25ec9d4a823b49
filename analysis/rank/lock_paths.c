#include "analysis/rank/lock_paths.h"
#include "analysis/rank/measures.h"
#include "analysis/rank/subjects.h"
#include <stdlib.h>
#include <string.h>

struct summing {
	struct measures *measures;
	struct lock_path *locks;
	const struct lock_part *part;
};

static void time_sum(void *context, size_t subject, uint32_t thread, int64_t from, int64_t to)
{
	const struct summing *s = context;
	struct worth w = {0};

	if (!lock_part_cut(s->part, thread, &from, &to))
		return;
	measures_add(s->measures, &w, thread, from, to);
	s->locks[subject].time += w.path;
}

static int by_name(const void *a, const void *b)
{
	const struct lock_path *x = a, *y = b;

	return strcmp(x->name, y->name);
}

struct lock_paths *lock_paths_of(struct trace *t, const struct lock_part *part)
{
	struct lock_paths *p = array_zero(1, sizeof *p);
	struct graph *g = graph_of(t);
	struct critical_path *path = critical_path_of(g);
	struct subjects *s = subjects_of(g, t, 1u << SUBJECT_LOCK);
	struct summing summing = {measures_of(g, path), NULL, part};
	int64_t from = 0, to = t->duration;

	p->n = s->all.n;
	if (lock_part_cut(&(struct lock_part){part->from, part->to, NULL}, 0, &from, &to))
		p->duration = to - from;
	p->locks = summing.locks = array_zero(p->n, sizeof *p->locks);
	for (size_t i = 0; i < p->n; i++)
		p->locks[i].name = s->all.at[i].name;
	subjects_each(s, NULL, time_sum, &summing);
	qsort(p->locks, p->n, sizeof *p->locks, by_name);
	measures_free(summing.measures);
	subjects_free(s);
	critical_path_free(path);
	graph_free(g);
	return p;
}

int64_t lock_path_time(const struct lock_paths *p, const char *name)
{
	const struct lock_path *found =
	    bsearch(&(struct lock_path){.name = name}, p->locks, p->n, sizeof *p->locks, by_name);

	return found ? found->time : 0;
}

void lock_paths_free(struct lock_paths *p)
{
	free(p->locks);
	free(p);
}
