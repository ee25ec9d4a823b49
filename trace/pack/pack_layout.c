#include "trace/pack/pack_layout.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

struct kinds {
	const struct attribute **list;
	unsigned count;
};

static unsigned kind_of(struct kinds *k, const struct attribute *a)
{
	for (unsigned i = 0; i < k->count; i++)
		if (k->list[i]->type == a->type && strcmp(k->list[i]->name, a->name) == 0)
			return i;
	k->list = array_grow(k->list, k->count, sizeof *k->list);
	k->list[k->count] = a;
	return k->count++;
}

static void layout_fill(struct layout *l, const struct event_type *e, struct kinds *kinds)
{
	*l = (struct layout){.fields = array_new(e->nattributes, sizeof *l->fields)};
	for (unsigned i = 0; i < e->nattributes; i++) {
		const struct attribute *a = &e->attributes[i];

		if (a->type == TYPE_STRING)
			l->nstrings++;
		else
			l->fields[l->nfields++] =
			    (struct field){type_size(a->type) == 8, kind_of(kinds, a)};
	}
}

struct layouts *layouts_make(const struct id_table *ids)
{
	struct layouts *l = array_zero(1, sizeof *l);
	struct kinds kinds = {NULL, 0};

	for (unsigned i = 0; i < ids->nclaims; i++) {
		const struct spec *spec = ids->claims[i].schema->spec;

		for (unsigned k = 0; k < spec->nevents; k++)
			layout_fill(&l->of_id[ids->claims[i].base + k], spec->events[k], &kinds);
	}
	l->nkinds = kinds.count;
	free(kinds.list);
	return l;
}

void layouts_free(struct layouts *l)
{
	if (!l)
		return;
	for (unsigned i = 0; i < RECORD_IDS; i++)
		free(l->of_id[i].fields);
	free(l);
}
