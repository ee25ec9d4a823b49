#include "viewers/gorge/index/stacking_merge.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

/* At one time they lie by their lengths, and not by their units; but a walk only goes on. */
static int64_t *starts_of(const struct sheaf *s, const struct census *c)
{
	int64_t *starts = array_zero(s->n, sizeof *starts);
	struct census_walk w;

	for (size_t i = 0; i < s->n; i++) {
		if (i == 0 || s->start[i] < w.at.unit)
			walk_begin(&w, c, s->from, NULL);
		walk_to_unit(&w, s->start[i]);
		starts[i] = w.at.time;
	}
	return starts;
}

static bool starts_before(const struct feed *a, const struct feed *b)
{
	if (a->start != b->start)
		return a->start < b->start;
	if (a->length != b->length)
		return a->length > b->length;
	if (a->key != b->key)
		return a->key < b->key;
	return a->sheaf->start[a->i] < b->sheaf->start[b->i];
}

/* The place in the order may be wrong, but only too early. */
static void settle(struct merging *m, unsigned i)
{
	struct feed *f = m->order[i];

	for (; i + 1 < m->left && starts_before(m->order[i + 1], f); i++)
		m->order[i] = m->order[i + 1];
	m->order[i] = f;
}

static void look_at_next(struct feed *f)
{
	f->start = f->starts[f->i];
	f->length = sheaf_length(f->sheaf, f->i);
}

struct merging merging_new(unsigned n)
{
	return (struct merging){.feeds = array_zero(n, sizeof(struct feed)),
				.order = array_zero(n, sizeof(struct feed *))};
}

void merging_add(struct merging *m, const struct sheaf *sheaf, unsigned key, const struct census *c)
{
	if (sheaf->n)
		m->feeds[m->n++] = (struct feed){.sheaf = sheaf, .key = key, .starts = starts_of(sheaf, c)};
}

void merging_begin(struct merging *m)
{
	m->left = m->n;
	for (unsigned i = m->n; i-- > 0;) {
		look_at_next(&m->feeds[i]);
		m->order[i] = &m->feeds[i];
		settle(m, i);
	}
}

void merging_step(struct merging *m)
{
	struct feed *first = m->order[0];

	if (++first->i < first->sheaf->n) {
		look_at_next(first);
		settle(m, 0);
	} else if (--m->left) {
		memmove(m->order, m->order + 1, m->left * sizeof(struct feed *));
	}
}

void merging_end(struct merging *m)
{
	for (unsigned i = 0; i < m->n; i++)
		free(m->feeds[i].starts);
	free(m->feeds);
	free(m->order);
}
