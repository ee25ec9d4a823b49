/*
 * flame_windows DIRECTORY SEED: what is quickly known of random windows and threads, against what is
 * counted from all events for each; and the same of windows that were written as bytes and read.
 */
#include "analysis/flame/memory_window.h"
#include "analysis/flame/time_window.h"
#include "analysis/flame/time_window_store.h"
#include "tests/random.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOWS = 60 };

static struct random numbers;

/* Returns the node of the window's graph that is a node of another one; NULL, if it has none. */
static uint32_t *nodes_match(const struct flame *all, const struct flame *f)
{
	uint32_t *nodes = array_zero(f->nodes.n, sizeof *nodes);
	size_t n = all->nodes.n;

	for (size_t i = 1; i < f->nodes.n; i++) {
		const struct flame_node *x = &f->nodes.at[i];

		nodes[i] = flame_child((struct flame *)all, nodes[x->parent], x->kind, x->name, x->origin);
	}
	if (all->nodes.n == n)
		return nodes;
	free(nodes);
	return NULL;
}

static bool same(const struct flame *all, const struct flame_amounts *is, const struct flame *wanted)
{
	uint32_t *nodes = nodes_match(all, wanted);
	int64_t left = is[0].total;

	for (size_t i = 0; nodes && i < wanted->nodes.n; i++) {
		const struct flame_node *x = &wanted->nodes.at[i];

		if (is[nodes[i]].self != x->self || is[nodes[i]].total != x->total) {
			printf("%s: %" PRId64 ", not %" PRId64 "\n", x->name, is[nodes[i]].total, x->total);
			left = -1;
			break;
		}
		left -= x->self;
	}
	if (nodes && left > 0)
		printf("%" PRId64 " ns too many\n", left);
	free(nodes);
	return nodes && left == 0;
}

static void stretch_add(void *context, int64_t from, int64_t to)
{
	*(int64_t *)context += to - from;
}

/* The stretches of a path are as long as what it has. */
static bool stretches_same(const struct time_window *l, enum flame_kind kind, const struct flame_part *p,
			   const struct flame_amounts *is)
{
	const struct flame *f = time_window_flame(l, kind);
	uint32_t chosen = random_below(&numbers, (uint32_t)f->nodes.n);
	bool *marked = array_zero(f->nodes.n, sizeof *marked);
	int64_t sum = 0;

	for (size_t i = chosen; i < f->nodes.n; i++)
		marked[i] = i == chosen || marked[f->nodes.at[i].parent];
	for (size_t i = 0; i < f->trace->nthreads; i++)
		if (!p->threads || p->threads[i])
			time_window_stretches(l, kind, i, p->from, p->to, marked, stretch_add, &sum);
	free(marked);
	if (sum != is[chosen].total)
		printf("stretches of %s: %" PRId64 ", not %" PRId64 "\n", f->nodes.at[chosen].name, sum,
		       is[chosen].total);
	return sum == is[chosen].total;
}

/* A part of a thread's time, and what its nodes have of it. */
struct node_sums {
	int64_t from, to, fine;
	int64_t before;                 /* where the part before ended */
	int64_t *times;
	bool good;
};

static void node_add(void *context, const struct node_time *n)
{
	struct node_sums *s = context;
	bool whole = n->time == n->to - n->from;

	s->good &= n->from >= s->from && n->to <= s->to && n->time > 0 && n->time <= n->to - n->from &&
		   n->from >= s->before && (whole || n->to - n->from <= s->fine);
	s->before = n->from;
	s->times[n->node] += n->time;
}

static bool is_fine(void *context, int64_t from, int64_t to)
{
	const struct node_sums *s = context;

	return to - from <= s->fine;
}

/*
 * The times of nodes are the same however fine they come; they are those of running, and of a thread
 * that lost its processor as well.
 */
static bool nodes_same(const struct time_window *l, const struct flame_part *p, const struct flame_amounts *ran)
{
	const struct flame *f = time_window_flame(l, FLAME_CPU);
	int64_t fine = (p->to - p->from) >> random_below(&numbers, 12);
	int64_t *each = array_zero(f->nodes.n, sizeof *each), *some = array_zero(f->nodes.n, sizeof *some);
	bool good = true;

	for (size_t i = 0; i < f->trace->nthreads && good; i++) {
		struct node_sums a = {p->from, p->to, 0, p->from, each, true}, b = {p->from, p->to, fine, p->from, some, true};

		if (p->threads && !p->threads[i])
			continue;
		time_window_nodes(l, i, p->from, p->to, &(struct node_visitor){node_add, is_fine, &a});
		time_window_nodes(l, i, p->from, p->to, &(struct node_visitor){node_add, is_fine, &b});
		good = a.good && b.good;
	}
	for (size_t i = 0; i < f->nodes.n; i++)
		good &= each[i] == some[i] && each[i] >= ran[i].self;
	if (!good)
		printf("nodes in steps of %" PRId64 " ns differ\n", fine);
	free(each);
	free(some);
	return good;
}

static bool window_same(struct trace *t, const struct time_window *l, const struct memory_window *memory,
			enum flame_kind kind)
{
	bool time = kind <= FLAME_OFF;
	int64_t from = (int64_t)random_below(&numbers, 1000000) * t->duration / 1000000;
	int64_t length = t->duration >> random_below(&numbers, 14);
	bool *threads = array_zero(t->nthreads, sizeof *threads);
	struct flame_part part = {from, from + length + 1, random_below(&numbers, 2) ? threads : NULL};
	struct diag none = {0};         /* without calls there is no CPU time */
	struct flame_amounts *is;
	struct flame *wanted;
	bool good;

	for (unsigned i = 0; i < t->nthreads; i++)
		threads[i] = random_below(&numbers, 2);
	is = time ? time_window_amounts(l, kind, &part) : memory_window_amounts(memory, kind, &part);
	wanted = flame_of(t, kind, &part, &none);
	good = wanted ? same(time ? time_window_flame(l, kind) : memory_window_flame(memory, FLAME_BYTES), is, wanted) &&
				(!time || stretches_same(l, kind, &part, is)) &&
				(kind != FLAME_CPU || nodes_same(l, &part, is))
		      : is[0].total == 0;
	if (!good)
		printf("%s from %" PRId64 " to %" PRId64 "\n", flame_kind_name(kind), part.from, part.to);
	free(threads);
	free(is);
	if (wanted)
		flame_free(wanted);
	return good;
}

/* ---- windows as bytes ---- */

/* Returns the window that is read from the bytes that a part of one is written as. */
static struct time_window *stored(struct trace *t, const struct time_window *l, const struct flame_part *part)
{
	char *bytes;
	size_t size;
	FILE *out = open_memstream(&bytes, &size);
	struct time_window *read, *damaged;
	const unsigned char *at, *end;

	time_window_write(l, part, out);
	fclose(out);
	at = (const unsigned char *)bytes;
	end = at + random_below(&numbers, (unsigned)size);
	damaged = time_window_read(t, &at, end);
	time_window_free(damaged);
	at = (const unsigned char *)bytes;
	end = at + size;
	read = time_window_read(t, &at, end);
	if (damaged || at != end) {
		printf("what is cut off is read, or not all of the bytes is\n");
		time_window_free(read);
		read = NULL;
	}
	free(bytes);
	return read;
}

/* The nodes that have time, and their order, are the same. */
static bool amounts_same(const struct time_window *l, const struct time_window *read, enum flame_kind kind,
			 const struct flame_part *part)
{
	const struct flame *f = time_window_flame(l, kind), *g = time_window_flame(read, kind);
	struct flame_amounts *a = time_window_amounts(l, kind, part), *b = time_window_amounts(read, kind, part);
	size_t i = 0, k = 0;
	bool good = true;

	for (; good; i++, k++) {
		while (i < f->nodes.n && !a[i].total)
			i++;
		while (k < g->nodes.n && !b[k].total)
			k++;
		if (i == f->nodes.n || k == g->nodes.n)
			break;
		good = a[i].self == b[k].self && a[i].total == b[k].total && f->nodes.at[i].kind == g->nodes.at[k].kind &&
		       strcmp(f->nodes.at[i].name, g->nodes.at[k].name) == 0 &&
		       (!f->nodes.at[i].parent == !g->nodes.at[k].parent);
	}
	good = good && i == f->nodes.n && k == g->nodes.n && stretches_same(read, kind, part, b) &&
	       (kind != FLAME_CPU || nodes_same(read, part, b));
	free(a);
	free(b);
	return good;
}

static bool store_same(struct trace *t, const struct time_window *l)
{
	int64_t from = (int64_t)random_below(&numbers, 1000) * t->duration / 1000;
	bool *threads = array_zero(t->nthreads, sizeof *threads);
	struct flame_part part = {from, from + (t->duration >> random_below(&numbers, 10)) + 1,
				  random_below(&numbers, 2) ? threads : NULL};
	struct time_window *all, *some;
	bool good;

	for (unsigned i = 0; i < t->nthreads; i++)
		threads[i] = random_below(&numbers, 2);
	all = stored(t, l, NULL);
	some = stored(t, l, &part);
	good = all && some;
	for (int kind = FLAME_CPU; kind <= FLAME_OFF && good; kind++)
		good = time_window_flame(all, (enum flame_kind)kind)->nodes.n ==
			   time_window_flame(l, (enum flame_kind)kind)->nodes.n &&
		       amounts_same(l, all, (enum flame_kind)kind, &part) &&
		       amounts_same(l, some, (enum flame_kind)kind, &part);
	if (!good)
		printf("stored from %" PRId64 " to %" PRId64 ": it differs\n", part.from, part.to);
	time_window_free(all);
	time_window_free(some);
	free(threads);
	return good;
}

int main(int argc, char **argv)
{
	struct diag diag = {.program = "flame_windows"};
	const char *directory = argc > 1 ? argv[1] : ".";
	struct trace *t = trace_open(&directory, 1, NULL, &diag);
	struct time_window *l;
	struct memory_window *memory;
	bool good = true;

	if (!t)
		return 2;
	numbers.state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	time_window_block_moments = 1 + random_below(&numbers, 20);
	memory_window_block = 1 + random_below(&numbers, 20);
	l = time_window_of(t);
	memory = memory_window_of(t);
	for (int i = 0; i < WINDOWS / 4 && good; i++)
		good = store_same(t, l);
	for (int i = 0; i < WINDOWS && good; i++)
		good = window_same(t, l, memory, (enum flame_kind)(i % (memory ? NFLAME_KINDS : FLAME_BYTES)));
	time_window_free(l);
	memory_window_free(memory);
	trace_close(t);
	return !good;
}
