#include "viewers/gorge/style/flame_colours.h"
#include <stdlib.h>

static bool has_colour(const struct flame *f, const struct flame_node *n)
{
	return n->origin && (f->kind != FLAME_OFF || n->kind == FRAME_WAIT);
}

struct origin_sum {
	const char *origin;
	int64_t amount;
};

static int sum_compare(const void *left, const void *right)
{
	const struct origin_sum *a = left, *b = right;

	if (a->amount != b->amount)
		return a->amount < b->amount ? 1 : -1;
	return strcmp(a->origin, b->origin);
}

/* Gives colours to the origins with the most of their own. */
struct flame_colours flame_colours_of(const struct flame *f)
{
	struct flame_colours c = {.n = 0};
	VECTOR(struct origin_sum) sums = {0};
	struct hash_table known = {0};

	for (size_t i = 0; i < f->nodes.n; i++) {
		const struct flame_node *n = &f->nodes.at[i];
		struct hash_slot *slot;

		if (!has_colour(f, n))
			continue;
		slot = hash_table_slot(&known, hash_mix((uintptr_t)n->origin), 0);
		if (slot->head == HASH_NOTHING) {
			slot->head = (uint32_t)sums.n;
			*vector_add(&sums) = (struct origin_sum){n->origin, 0};
		}
		sums.at[slot->head].amount += f->kind == FLAME_OFF ? n->total : n->self;
	}
	if (sums.n)
		qsort(sums.at, sums.n, sizeof *sums.at, sum_compare);
	for (size_t i = 0; i < sums.n && i < FLAME_COLOURS && sums.at[i].amount; i++)
		c.origins[c.n++] = sums.at[i].origin;
	free(sums.at);
	hash_table_free(&known);
	return c;
}

static rgba pale(const struct theme *theme, rgba colour)
{
	return colour_mix(colour, theme->page, 0.42);
}

unsigned flame_origin(const struct flame_colours *c, const struct flame *f,
		      const struct flame_node *n)
{
	unsigned i = 0;

	while (has_colour(f, n) && i < c->n && c->origins[i] != n->origin)
		i++;
	return has_colour(f, n) && i < c->n ? i : FLAME_COLOURS;
}

rgba flame_origin_colour(const struct theme *theme, unsigned origin)
{
	static const unsigned hues[FLAME_COLOURS] = {5, 4, 2, 3, 0, 7};

	if (origin < FLAME_COLOURS)
		return pale(theme, theme->hues[hues[origin]]);
	return colour_mix(theme->muted, theme->page, 0.16);
}

rgba flame_node_colour(const struct flame_colours *c, const struct theme *theme,
		       const struct flame *f, const struct flame_node *n)
{
	if (n->kind == FRAME_READY)
		return pale(theme, theme->hues[1]);
	if (n->kind == FRAME_UNKNOWN)
		return colour_mix(theme->muted, theme->page, 0.4);
	return flame_origin_colour(theme, flame_origin(c, f, n));
}
