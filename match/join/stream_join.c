#include "match/join/stream_join.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/spill.h"
#include "match/join/waiting.h"
#include <stdlib.h>
#include <string.h>

enum {
	COUPLES = 512,
	AHEAD = 8, /* rows */
	MOST_LANES = 64,
	FEW = 2, /* workers that one lane is enough for: to make rows takes longer than that they meet */
};

size_t meet_most = 1 << 16;
unsigned meet_lanes = 1;

struct lane {
	struct tickets tickets;
	struct waiting waiting;
	size_t rows;    /* that came */
	size_t shared;
	size_t n;
	struct couple couples[COUPLES];
};

bool meet_can(const struct plan *plan)
{
	return plan->exact && plan->norder == 0 && program_empty(plan->rest);
}

static unsigned lanes_wanted(const struct meet *m)
{
	unsigned workers = parallel_workers(), n = 1;

	while (m->keys && n < MOST_LANES && (n < meet_lanes || (workers > FEW && n < workers)))
		n *= 2;
	return n;
}

void meet_begin(struct meet *m, const struct plan *plan, unsigned nlanes)
{
	*m = (struct meet){
	    .plan = plan,
	    .width = 1 + plan->keys,
	    .keys = plan->keys,
	    .waits = plan->take && !plan->later ? plan->candidates : !plan->candidates,
	    .reversed = !plan->take && !plan->later,
	    .shift = 64,
	};
	m->nlanes = nlanes ? nlanes : lanes_wanted(m);
	for (unsigned n = m->nlanes; n > 1; n /= 2)
		m->shift--;
	m->lanes = array_zero(m->nlanes, sizeof *m->lanes);
	for (unsigned i = 0; i < m->nlanes; i++) {
		tickets_init(&m->lanes[i].tickets);
		waiting_init(&m->lanes[i].waiting);
	}
}

void meet_end(struct meet *m)
{
	for (unsigned i = 0; i < m->nlanes; i++)
		waiting_clear(&m->lanes[i].waiting);
	free(m->lanes);
}

/* ---- in a lane ---- */

static void couples_flush(struct meet *m, struct lane *l)
{
	if (l->n)
		m->take(m->context, l->couples, l->n);
	l->n = 0;
}

static inline void couple_add(struct meet *m, struct lane *l, uint64_t waited, uint64_t came)
{
	l->couples[l->n++] = (struct couple){waited, came};
	if (__builtin_expect(l->n == COUPLES, 0))
		couples_flush(m, l);
}

static inline void take_all(struct meet *m, struct lane *l, uint32_t *link, uint64_t came)
{
	struct waiting *w = &l->waiting;
	uint32_t i = *link;

	*link = w->list[i].next;
	l->shared += w->list[i].below != WAITING_NOBODY;
	while (i != WAITING_NOBODY) {
		uint32_t below = w->list[i].below;

		couple_add(m, l, waiting_drop(w, i), came);
		i = below;
	}
}

enum form { TAKE_ALL, TAKE_NEWEST, TAKE_OLDEST };

/* The rows are n, one behind the other, or in front of it. */
static inline void lane_go(struct meet *m, struct lane *l, const uint64_t *row, size_t n,
			   ptrdiff_t step, unsigned keys, enum form form)
{
	bool waiting_asks = m->waits != m->plan->candidates;
	struct waiting *w = &l->waiting;

	for (; n > 0; n--, row += step) {
		uint64_t key = keys ? row[1] : 0, rest = keys == 2 ? row[2] : 0;
		uint32_t *link;

		if (keys && n > AHEAD)
			waiting_ahead(w, row[AHEAD * step + 1]);
		if (row_is_query(row) == waiting_asks) {
			if (form == TAKE_OLDEST)
				waiting_append(w, key, rest, row_place(row));
			else
				waiting_push(w, key, rest, row_place(row));
			continue;
		}
		link = waiting_find(w, key, rest);
		if (*link == WAITING_NOBODY)
			couple_add(m, l, MEET_NOBODY, row_place(row));
		else if (form == TAKE_ALL)
			take_all(m, l, link, row_place(row));
		else
			couple_add(m, l, waiting_take(w, link), row_place(row));
	}
}

static inline void lane_run(struct meet *m, struct lane *l, const uint64_t *row, size_t n,
			    ptrdiff_t step, unsigned keys)
{
	if (!m->plan->take)
		lane_go(m, l, row, n, step, keys, TAKE_ALL);
	else if (m->plan->later)
		lane_go(m, l, row, n, step, keys, TAKE_OLDEST);
	else
		lane_go(m, l, row, n, step, keys, TAKE_NEWEST);
}

static void lane_put(struct meet *m, struct lane *l, const uint64_t *rows, size_t n)
{
	ptrdiff_t step = m->reversed ? -(ptrdiff_t)m->width : (ptrdiff_t)m->width;
	const uint64_t *row = m->reversed && n ? rows + (n - 1) * m->width : rows;

	if (m->keys == 1)
		lane_run(m, l, row, n, step, 1);
	else
		lane_run(m, l, row, n, step, m->keys);
	couples_flush(m, l);
	l->rows += n;
}

void meet_bucket(struct meet *m, unsigned lane, const uint64_t *rows, size_t n,
		 void (*tell)(void *context, uint64_t value))
{
	struct lane *l = &m->lanes[lane];

	lane_put(m, l, rows, n);
	if (tell)
		waiting_each(&l->waiting, tell, m->context);
	waiting_reset(&l->waiting);
}

/* ---- from pieces to lanes ---- */

static unsigned lane_of(const struct meet *m, const uint64_t *row)
{
	return m->nlanes > 1 ? (unsigned)(row[1] >> m->shift) : 0;
}

/* Parts the rows by lane; where each lane's end. */
static void rows_part(const struct meet *m, const uint64_t *rows, size_t n, uint64_t *to, size_t *ends)
{
	size_t at[MOST_LANES] = {0}, sum = 0;

	for (size_t i = 0; i < n; i++)
		at[lane_of(m, rows + i * m->width)]++;
	for (unsigned k = 0; k < m->nlanes; k++) {
		size_t here = at[k];

		at[k] = sum;
		sum += here;
		ends[k] = sum;
	}
	for (size_t i = 0; i < n; i++, rows += m->width)
		memcpy(to + at[lane_of(m, rows)]++ * m->width, rows, m->width * sizeof *rows);
}

void meet_put(struct meet *m, size_t number, const uint64_t *rows, size_t n, struct parting *p)
{
	size_t ends[MOST_LANES] = {n}, begin = 0;

	if (m->nlanes > 1) {
		p->words = spill_reserve(p->words, &p->room, n * m->width, sizeof *p->words);
		rows_part(m, rows, n, p->words, ends);
		rows = p->words;
	}
	for (unsigned k = 0; k < m->nlanes; k++) {
		struct lane *l = &m->lanes[k];

		tickets_wait(&l->tickets, number);
		if (!m->refused)
			lane_put(m, l, rows + begin * m->width, ends[k] - begin);
		if (l->waiting.count > meet_most && l->waiting.count > l->rows / MEET_SHARE)
			m->refused = true;
		tickets_pass(&l->tickets);
		begin = ends[k];
	}
}

void meet_rest(const struct meet *m, void (*tell)(void *context, uint64_t value))
{
	for (unsigned i = 0; i < m->nlanes; i++)
		waiting_each(&m->lanes[i].waiting, tell, m->context);
}

size_t meet_shared(const struct meet *m)
{
	size_t n = 0;

	for (unsigned i = 0; i < m->nlanes; i++)
		n += m->lanes[i].shared;
	return n;
}
