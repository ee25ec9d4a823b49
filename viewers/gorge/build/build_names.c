/* Gives calls the names of their functions, where bars are wide enough to tell. */
#include "base/hash.h"
#include "base/parallel.h"
#include "spec/layout.h"
#include "viewers/gorge/build/building.h"
#include "viewers/gorge/query/call_name.h"
#include "viewers/gorge/style/function_colour.h"
#include <stdlib.h>
#include <string.h>

/* Columns of a bar that has a name, or at least the colour of its function. */
enum { NAMED = 3 };

/* The calls of a scene that have names. */
struct named_calls {
	const struct building *g;
	struct scene *scene;
	int *functions;                  /* by key: the attribute that is the function, or -1 */
	const struct event_type **types; /* by key: of the anchors */
	uint64_t *values;                /* by bar: the function's address */
};

static bool is_named(const struct named_calls *n, const struct bar *b)
{
	return n->functions[b->key] >= 0 && !b->level && b->x1 - b->x0 >= NAMED;
}

static void read_lane(void *context, size_t lane, unsigned worker)
{
	const struct named_calls *n = context;
	size_t end = scene_bars(n->scene, (uint32_t)lane + 1);

	(void)worker;
	for (size_t i = scene_bars(n->scene, (uint32_t)lane); i < end; i++) {
		const struct bar *b = &n->scene->bars.at[i];
		const unsigned char *record;
		if (!is_named(n, b))
			continue;
		record = event_index_record(n->g->index->events, b->anchor);
		n->values[i] =
		    (uint64_t)record_value(n->types[b->key], (unsigned)n->functions[b->key], record)
			.integer;
	}
}

/* Returns the name of a bar's function; the scene keeps it. */
static struct bar_name *find_name(struct named_calls *n, struct hash_table *known, size_t i)
{
	const struct bar *b = &n->scene->bars.at[i];
	struct scene *all = n->g->scene;
	unsigned thread = event_id_thread(b->anchor);
	uint64_t process = n->g->trace->threads[thread].process;
	struct hash_slot *slot = hash_table_slot(known, hash_mix(n->values[i]), process);
	struct bar_name *name;
	struct event e;

	if (slot->head != HASH_NOTHING)
		return all->names.at[slot->head];
	slot->head = (uint32_t)all->names.n;
	*vector_add(&all->names) = array_zero(1, sizeof(struct bar_name));
	name = all->names.at[slot->head];
	if (event_index_event(n->g->index->events, b->anchor, &e)) {
		name->text = call_name(n->g->trace, &e, n->functions[b->key]);
		name->hue = (uint8_t)function_hue(name->text);
	}
	return name;
}

static void name_bars(struct building *g, struct scene *s, struct hash_table *known)
{
	const struct spec *spec = g->trace->spec;
	struct named_calls n = {.g = g,
				.scene = s,
				.functions = array_zero(s->nintervals, sizeof *n.functions),
				.types = array_zero(s->nintervals, sizeof *n.types),
				.values = array_zero(s->bars.n, sizeof *n.values)};
	bool any = false;

	for (unsigned i = 0, key = 0; i < spec->nintervals; i++) {
		if (!g->intervals[i])
			continue;
		n.functions[key] = call_function(spec->intervals[i]);
		any |= n.functions[key] >= 0;
		n.types[key++] = end_event(&spec->intervals[i]->anchor);
	}
	if (any)
		parallel_for(s->nlanes, read_lane, &n);
	for (size_t i = 0; any && i < s->bars.n; i++)
		if (is_named(&n, &s->bars.at[i]))
			s->bars.at[i].name = find_name(&n, known, i);
	free(n.functions);
	free(n.types);
	free(n.values);
}

void building_names(struct building *g)
{
	struct hash_table known = {0};

	name_bars(g, g->scene, &known);
	if (g->scene->picked)
		name_bars(g, g->scene->picked, &known);
	hash_table_free(&known);
}
