#include "viewers/gorge/index/event_index_room.h"
#include "base/address_space.h"
#include "base/array.h"
#include "trace/open/grow.h"
#include <stdatomic.h>
#include <stdlib.h>

/* As many as an event's unit tells apart. */
#define MOST ((size_t)UINT32_MAX / INDEX_BLOCK)
/* What arrays take beyond their entries, since each begins with a page. */
enum { PAGES = 8 * 4096 };

struct index_room {
	atomic_uint holders;
	struct address_space *space;
	size_t blocks;
};

static size_t blocks_in(size_t share, unsigned nkinds)
{
	size_t block = sizeof(int64_t) + sizeof(uint32_t) + sizeof(struct index_stop) +
		       nkinds * (sizeof(uint16_t) + 1);
	size_t blocks = share > PAGES ? (share - PAGES) / block : 0;

	return blocks < MOST ? blocks : MOST;
}

struct index_room *index_room_new(const struct trace *t, unsigned nkinds)
{
	struct address_space *space = trace_can_grow(t) ? address_space_new() : NULL;
	struct index_room *r = space ? array_zero(1, sizeof *r) : NULL;

	if (!r)
		return NULL;
	r->holders = 1;
	r->space = space;
	/* three times as many threads may come */
	r->blocks = blocks_in(address_space_size(space) / (4 * ((size_t)t->nthreads + 64)), nkinds);
	return r;
}

struct index_room *index_room_hold(struct index_room *r)
{
	r->holders++;
	return r;
}

void index_room_release(struct index_room *r)
{
	if (!r || --r->holders)
		return;
	address_space_free(r->space);
	free(r);
}

size_t index_room_blocks(const struct index_room *r)
{
	return r->blocks;
}

void *index_room_take(struct index_room *r, size_t n, size_t size)
{
	return address_space_take(r->space, n * size);
}
