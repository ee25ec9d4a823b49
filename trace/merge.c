/*
 * The merge: a tree of losers over one cursor for each log. A node holds a key of 128 bits, the
 * time above the log's index, so that one comparison without a branch decides the total order;
 * threads are in the order of their numbers.
 */
#include "trace/cursor.h"
#include "trace/opened.h"
#include "trace/section.h"
#include <stdlib.h>

typedef unsigned __int128 key;

#define EXHAUSTED (~(key)0)

struct merge {
	const struct opened *opened;
	struct cursor *cursors;
	uint32_t *logs; /* of which log each cursor is */
	key *tree;	/* tree[1..n-1]: losers; the leaf of cursor i is n + i */
	key winner;
	uint32_t n;
	bool running; /* the winner's event was handed out: its cursor is to go on */
};

static inline key key_make(int64_t time, uint32_t index)
{
	return (key)((uint64_t)time ^ UINT64_C(1) << 63) << 64 | index;
}

static inline key cursor_key(struct cursor *c, uint32_t index)
{
	return cursor_next(c) ? key_make(c->time, index) : EXHAUSTED;
}

/* Plays the leaf's way up to the root. */
static inline key tree_replay(key *tree, uint32_t leaf, key winner)
{
	for (uint32_t node = leaf >> 1; node > 0; node >>= 1) {
		key other = tree[node];
		bool wins = winner < other;

		tree[node] = wins ? other : winner;
		winner = wins ? winner : other;
	}
	return winner;
}

/* The winner of the subtree at node, whose losers are then in place. */
static key tree_build(struct merge *m, uint32_t node)
{
	key left, right;

	if (node >= m->n)
		return cursor_key(&m->cursors[node - m->n], node - m->n);
	left = tree_build(m, 2 * node);
	right = tree_build(m, 2 * node + 1);
	m->tree[node] = left < right ? right : left;
	return left < right ? left : right;
}

static struct merge *merge_new(const struct trace *t)
{
	struct merge *m = calloc(1, sizeof *m);
	size_t n;

	if (!m)
		return NULL;
	m->opened = opened_of(t);
	n = m->opened->nlogs;
	m->cursors = malloc((n + 1) * sizeof *m->cursors);
	m->logs = malloc((n + 1) * sizeof *m->logs);
	m->tree = malloc((n + 1) * sizeof *m->tree);
	if (m->cursors && m->logs && m->tree)
		return m;
	merge_close(m);
	return NULL;
}

struct merge *merge_open(const struct trace *t)
{
	struct merge *m = merge_new(t);

	if (!m)
		return NULL;
	for (; m->n < m->opened->nlogs; m->n++) {
		cursor_open(&m->cursors[m->n], &m->opened->logs[m->n]);
		m->logs[m->n] = m->n;
	}
	m->winner = m->n ? tree_build(m, 1) : EXHAUSTED;
	return m;
}

struct merge *merge_open_section(const struct trace *t, const struct section *s)
{
	struct merge *m = merge_new(t);

	if (!m)
		return NULL;
	for (uint32_t i = 0; i < m->opened->nlogs; i++)
		if (section_cursor(s, &m->opened->logs[i], i, &m->cursors[m->n]))
			m->logs[m->n++] = i;
	m->winner = m->n ? tree_build(m, 1) : EXHAUSTED;
	return m;
}

void merge_close(struct merge *m)
{
	if (!m)
		return;
	free(m->cursors);
	free(m->logs);
	free(m->tree);
	free(m);
}

/* The cursor whose event is next; NULL: there is none. */
static inline const struct cursor *merge_step(struct merge *m)
{
	uint32_t index = (uint32_t)m->winner;

	if (m->running)
		m->winner =
		    tree_replay(m->tree, m->n + index, cursor_key(&m->cursors[index], index));
	m->running = m->winner != EXHAUSTED;
	return m->running ? &m->cursors[(uint32_t)m->winner] : NULL;
}

bool merge_next(struct merge *m, struct event *e)
{
	const struct opened *o = m->opened;
	const struct cursor *c = merge_step(m);

	if (!c)
		return false;
	e->time = c->time - o->trace.origin;
	e->type = o->trace.spec->events[c->type];
	e->record = c->record;
	e->thread = o->threads[m->logs[(uint32_t)m->winner]].number;
	e->seq = c->event_seq;
	return true;
}

size_t merge_numbers(struct merge *m, const struct section *s, const bool *wanted,
		     uint64_t *numbers, uint16_t *types)
{
	const struct cursor *c;
	size_t n = 0;

	while ((c = merge_step(m))) {
		uint32_t log = m->logs[(uint32_t)m->winner];
		uint64_t unit;

		if (!wanted[c->type])
			continue;
		unit = c->log->sorted ? c->next - 1 : log_place(c->log, c->record) >> 2;
		numbers[n] = section_number(s, log, c->time, unit);
		types[n++] = (uint16_t)c->type;
	}
	return n;
}
