#include "viewers/gorge/query/path_pieces.h"

struct short_pieces {
	const struct path_piece *longest;
	int64_t from, to;
	uint64_t count;
};

static void short_add(struct short_pieces *s, const struct path_piece *p)
{
	if (!s->count++) {
		s->longest = p;
		s->from = p->from;
	} else if (p->to - p->from > s->longest->to - s->longest->from) {
		s->longest = p;
	}
	s->to = p->to;
}

/* Returns the first piece that ends behind a time. */
static size_t piece_at(const struct critical_path *c, int64_t time)
{
	size_t low = 0, high = c->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->pieces[middle].to <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void path_pieces(const struct critical_path *c, int64_t from, int64_t to, int64_t pixel,
		 path_visit *visit, void *context)
{
	struct short_pieces few = {0};

	for (size_t i = piece_at(c, from); i < c->n && c->pieces[i].from < to; i++) {
		const struct path_piece *p = &c->pieces[i];

		if (few.count && (p->to - p->from >= pixel || p->from >= few.from + pixel)) {
			visit(context, few.longest, few.from, few.to, few.count);
			few.count = 0;
		}
		if (p->to - p->from >= pixel)
			visit(context, p, p->from, p->to, 1);
		else
			short_add(&few, p);
	}
	if (few.count)
		visit(context, few.longest, few.from, few.to, few.count);
}
