#include "base/array.h"
#include "cli/memory.h"
#include "spec/layout.h"
#include <stdlib.h>

void memory_frames_clear(struct memory_frames *f)
{
	for (size_t i = 0; i < f->texts.n; i++)
		free(f->texts.at[i]);
	free(f->texts.at);
}

struct memory_frames memory_frames(const struct memory *m, const struct heap_site *s)
{
	const struct heap *h = m->heap;
	struct memory_frames all = {0};
	struct frame f = {.parent = s->stack};

	if (h->by == SITE_CODE)
		*vector_add(&all.texts) = code_name(
		    h->trace, s->process, s->stack,
		    h->role->start.event->attributes[h->site_attribute].type == TYPE_CODE32,
		    s->time);
	while (h->by == SITE_STACK && all.texts.n < CALL_PATH_MOST &&
	       call_path_frame(m->paths, s->process, f.parent, &f))
		*vector_add(&all.texts) = code_name(h->trace, s->process, f.address, f.low, f.time);
	if (!all.texts.n)
		*vector_add(&all.texts) =
		    text_format("%s", h->by == SITE_ONE ? h->role->interval->name : "(unknown)");
	return all;
}

static uint64_t site_weight(const struct heap_site *s, enum memory_order by)
{
	switch (by) {
	case BY_COUNT:
		return s->taken.n;
	case BY_PEAK:
		return s->peak.bytes;
	case BY_LEFT:
		return s->alive.bytes;
	default:
		return s->taken.bytes;
	}
}

static enum memory_order sorting;

static int site_compare(const void *left, const void *right)
{
	const struct heap_site *a = *(struct heap_site *const *)left;
	const struct heap_site *b = *(struct heap_site *const *)right;
	uint64_t x = site_weight(a, sorting), y = site_weight(b, sorting);

	if (x == y && sorting == BY_LEFT) {
		x = a->alive.n;
		y = b->alive.n;
	}
	if (x == y)
		return (a > b) - (a < b);
	return x < y ? 1 : -1;
}

void memory_sort(struct memory *m, enum memory_order by)
{
	sorting = by;
	qsort(m->sites, m->heap->nsites, sizeof *m->sites, site_compare);
}

uint64_t memory_block_address(const struct heap *h, const struct event *e)
{
	int object = h->role->start.object;

	return object < 0 ? 0
			  : (uint64_t)record_value(e->type, (unsigned)object, e->record).integer;
}

uint64_t memory_unmatched_address(const struct heap *h, const struct event *e)
{
	int object = h->role->end.object;

	return object < 0 ? 0
			  : (uint64_t)record_value(e->type, (unsigned)object, e->record).integer;
}
