#include "viewers/gorge/style/flame_colours.h"
#include <stdlib.h>

static bool has_colour(const struct flame *f, const struct flame_node *n)
{
	return n->origin && (f->kind != FLAME_OFF || n->kind == FRAME_WAIT);
}

static const char kernel_name[] = "[kernel]";

static bool is_kernels(const struct flame_node *n)
{
	return strcmp(n->origin, kernel_name) == 0;
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
		if (is_kernels(n)) {
			c.kernel |= n->self > 0;
			continue;
		}
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

	if (!has_colour(f, n))
		return FLAME_OTHER;
	if (is_kernels(n))
		return FLAME_KERNEL;
	while (i < c->n && c->origins[i] != n->origin)
		i++;
	return i < c->n ? i : FLAME_OTHER;
}

const char *flame_origin_name(const struct flame_colours *c, unsigned origin)
{
	if (origin == FLAME_KERNEL)
		return kernel_name;
	return origin < c->n ? c->origins[origin] : "other";
}

rgba flame_origin_colour(const struct theme *theme, unsigned origin)
{
	static const unsigned hues[FLAME_COLOURS + 1] = {5, 4, 2, 3, 0, 7, [FLAME_KERNEL] = 1};

	if (origin <= FLAME_KERNEL)
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
