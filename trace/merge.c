/*
 * The merge: a tree of losers over one cursor for each log. A node holds a key of 128 bits, the
 * time above the log's index, so that one comparison without a branch decides the total order;
 * threads are in the order of their numbers.
 *
 * Each cursor is one event ahead of the tree. So the key that takes the winner's place is known
 * before there is a winner: the next match does not wait for a record to be read, which the
 * processor does meanwhile.
 */
#include "trace/cursor.h"
#include "trace/opened.h"
#include "trace/section.h"
#include <stdlib.h>

typedef unsigned __int128 key;

#define EXHAUSTED (~(key)0)

/* The event of a leaf; its time is in the key. */
struct found {
	const unsigned char *record;
	uint64_t seq;
	uint32_t type;
	uint32_t log;
};

struct merge {
	const struct opened *opened;
	struct cursor *cursors;
	struct found *found; /* by cursor: what stands in the tree */
	key *ahead;	     /* by cursor: the event behind that, which the cursor is at */
	key *tree;	     /* tree[1..n-1]: losers; the leaf of cursor i is n + i */
	key winner;
	uint32_t n;
	bool running; /* the winner's event was handed out: its leaf is to go on */
};

static inline key key_make(int64_t time, uint32_t index)
{
	return (key)((uint64_t)time ^ UINT64_C(1) << 63) << 64 | index;
}

static inline int64_t key_time(key k)
{
	return (int64_t)((uint64_t)(k >> 64) ^ UINT64_C(1) << 63);
}

static inline key cursor_key(struct cursor *c, uint32_t index)
{
	return cursor_next(c) ? key_make(c->time, index) : EXHAUSTED;
}

/*
 * The cursor's event becomes its leaf's, and the cursor goes on. Inlined by force: the compiler would
 * not, and a merge is 2 % slower then.
 */
static inline __attribute__((always_inline)) void leaf_fill(struct merge *m, uint32_t index)
{
	struct cursor *c = &m->cursors[index];
	struct found *f = &m->found[index];

	f->record = c->record;
	f->seq = c->event_seq;
	f->type = c->type;
	m->ahead[index] = cursor_key(c, index);
}

static key leaf_first(struct merge *m, uint32_t index)
{
	key first = cursor_key(&m->cursors[index], index);

	leaf_fill(m, index);
	return first;
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
		return leaf_first(m, node - m->n);
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
	m->found = malloc((n + 1) * sizeof *m->found);
	m->ahead = malloc((n + 1) * sizeof *m->ahead);
	m->tree = malloc((n + 1) * sizeof *m->tree);
	if (m->cursors && m->found && m->ahead && m->tree)
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
		m->found[m->n].log = m->n;
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
			m->found[m->n++].log = i;
	m->winner = m->n ? tree_build(m, 1) : EXHAUSTED;
	return m;
}

void merge_close(struct merge *m)
{
	if (!m)
		return;
	free(m->cursors);
	free(m->found);
	free(m->ahead);
	free(m->tree);
	free(m);
}

/* The event that is next, whose time the winner has; NULL: there is none. */
static inline const struct found *merge_step(struct merge *m)
{
	uint32_t index = (uint32_t)m->winner;

	if (m->running) {
		m->winner = tree_replay(m->tree, m->n + index, m->ahead[index]);
		leaf_fill(m, index);
	}
	m->running = m->winner != EXHAUSTED;
	return m->running ? &m->found[(uint32_t)m->winner] : NULL;
}

bool merge_next(struct merge *m, struct event *e)
{
	const struct opened *o = m->opened;
	const struct found *f = merge_step(m);

	if (!f)
		return false;
	e->time = key_time(m->winner) - o->trace.origin;
	e->type = o->trace.spec->events[f->type];
	e->record = f->record;
	e->thread = o->threads[f->log].number;
	e->seq = f->seq;
	return true;
}

size_t merge_numbers(struct merge *m, const struct section *s, const bool *wanted,
		     uint64_t *numbers, uint16_t *types)
{
	const struct found *f;
	size_t n = 0;

	while ((f = merge_step(m))) {
		const struct log *log = &m->opened->logs[f->log];
		uint64_t unit;

		if (!wanted[f->type])
			continue;
		unit = log->sorted ? f->seq : log_place(log, f->record) >> 2;
		numbers[n] = section_number(s, f->log, key_time(m->winner), unit);
		types[n++] = (uint16_t)f->type;
	}
	return n;
}
