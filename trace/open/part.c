#include "trace/open/part.h"
#include <string.h>

/* When the trace began, which only the indices say before all is read; false when one does not. */
static bool origin_find(const struct opened *o, int64_t *origin)
{
	*origin = INT64_MAX;
	for (size_t i = 0; i < o->ndirectories; i++) {
		const struct pack *p = o->directories[i].pack;

		if (!p || !p->index.timed)
			return false;
		if (p->index.origin < *origin)
			*origin = p->index.origin;
	}
	return true;
}

static int64_t time_add(int64_t a, int64_t b)
{
	int64_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		return b < 0 ? INT64_MIN : INT64_MAX;
	return sum;
}

bool part_begin(const struct opened *o, const struct directory *d, struct part_filter *w)
{
	int64_t origin;

	if (!o->part || !origin_find(o, &origin))
		return false;
	*w = (struct part_filter){.opened = o,
				.ids = d->ids,
				.from = time_add(o->part->from, origin),
				.to = time_add(o->part->to, origin)};
	return true;
}

static bool event_wanted(const struct part_filter *w, uint32_t id)
{
	const struct trace_part *part = w->opened->part;
	uint16_t type;

	if (!w->ids || id >= RECORD_IDS || w->ids->rows[id].size == 0)
		return true;
	type = w->ids->rows[id].type;
	for (unsigned i = 0; type != NO_TYPE && i < part->nevents; i++)
		if (strcmp(w->opened->trace.spec->events[type]->name, part->events[i]) == 0)
			return true;
	return false;
}

bool part_wanted(const void *context, const struct pack_index *x, const struct pack_entry *e)
{
	const struct part_filter *w = context;

	if (e->to < w->from || e->from > w->to)
		return false;
	if (w->opened->part->nevents == 0 || e->ncounts == 0)
		return true;
	for (size_t i = 0; i < e->ncounts; i++)
		if (event_wanted(w, x->counts[e->count + i].id))
			return true;
	return false;
}
