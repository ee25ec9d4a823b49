#include "trace/pack/pack_index.h"
#include "base/array.h"
#include <stdlib.h>

struct pack_member *pack_index_member(struct pack_index *x)
{
	x->members = array_grow(x->members, x->nmembers, sizeof *x->members);
	x->members[x->nmembers] = (struct pack_member){0};
	return &x->members[x->nmembers++];
}

struct pack_entry *pack_index_entry(struct pack_index *x)
{
	x->entries = array_grow(x->entries, x->nentries, sizeof *x->entries);
	x->entries[x->nentries] = (struct pack_entry){.from = INT64_MIN, .to = INT64_MAX};
	return &x->entries[x->nentries++];
}

void pack_index_count(struct pack_index *x, struct pack_entry *e, uint32_t id, uint32_t count)
{
	x->counts = array_grow(x->counts, x->ncounts, sizeof *x->counts);
	if (e->ncounts++ == 0)
		e->count = x->ncounts;
	x->counts[x->ncounts++] = (struct event_count){id, count};
}

void pack_index_clear(struct pack_index *x)
{
	for (size_t i = 0; i < x->nmembers; i++)
		free(x->members[i].name);
	free(x->members);
	free(x->entries);
	free(x->counts);
	*x = (struct pack_index){0};
}

/* Copies of a block are in the order of their places. */
static int entry_compare(const void *left, const void *right)
{
	const struct pack_block *a = &((const struct pack_entry *)left)->block;
	const struct pack_block *b = &((const struct pack_entry *)right)->block;

	if (a->member != b->member)
		return a->member < b->member ? -1 : 1;
	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

void pack_index_sort(struct pack_index *x)
{
	if (x->nentries)
		qsort(x->entries, x->nentries, sizeof *x->entries, entry_compare);
	for (size_t i = 0; i < x->nmembers; i++)
		x->members[i].nentries = 0;
	for (size_t i = 0; i < x->nentries; i++) {
		struct pack_member *m = &x->members[x->entries[i].block.member];

		if (m->nentries++ == 0)
			m->entry = i;
	}
}

/* ---- writing ---- */

void pack_index_write_members(struct byte_buffer *to, const struct pack_index *x)
{
	buffer_put_varint(to, x->nmembers);
	for (size_t i = 0; i < x->nmembers; i++) {
		const struct pack_member *m = &x->members[i];

		buffer_put_varint(to, strlen(m->name));
		buffer_put(to, m->name, strlen(m->name));
		buffer_put_varint(to, m->mode);
		buffer_put_varint(to, m->size);
		buffer_put_varint(to, m->parted);
		if (!m->parted)
			continue;
		buffer_put_varint(to, m->first);
		buffer_put_varint(to, m->last);
	}
}

/* Writes times as steps from the entry before. */
static void entry_write(struct byte_buffer *to, const struct pack_index *x,
			const struct pack_entry *e, const struct pack_entry *before)
{
	bool timed = e->from != INT64_MIN;

	buffer_put_varint(to, e->block.member);
	buffer_put_varint(to, e->block.at);
	buffer_put_varint(to, e->block.offset);
	buffer_put_varint(to, e->block.size);
	buffer_put_varint(to, e->block.codec << 1 | timed);
	if (timed) {
		buffer_put_varint(to, (uint64_t)e->from - (uint64_t)before->to);
		buffer_put_varint(to, (uint64_t)e->to - (uint64_t)e->from);
	}
	buffer_put_varint(to, e->ncounts);
	for (size_t i = e->count; i < e->count + e->ncounts; i++) {
		buffer_put_varint(to, x->counts[i].id);
		buffer_put_varint(to, x->counts[i].count);
	}
}

void pack_index_write(struct byte_buffer *to, const struct pack_index *x)
{
	struct pack_entry none = {.to = 0};

	pack_index_write_members(to, x);
	buffer_put_varint(to, x->timed);
	buffer_put_varint(to, (uint64_t)x->origin);
	buffer_put_varint(to, x->nentries);
	for (size_t i = 0; i < x->nentries; i++)
		entry_write(to, x, &x->entries[i], i ? &x->entries[i - 1] : &none);
}

/* ---- reading ---- */

static bool part_good(const char *part, size_t size)
{
	return size > 0 && size < 256 && !memchr(part, '/', size) &&
	       !(size == 1 && part[0] == '.') && !(size == 2 && part[0] == '.' && part[1] == '.');
}

/* The name of a file, or of a directory and a file in it: FILE or DIRECTORY/FILE. */
static bool name_good(const char *name, size_t size)
{
	const char *slash = memchr(name, '/', size);

	if (strlen(name) != size)
		return false;
	if (slash && !part_good(name, (size_t)(slash - name)))
		return false;
	name = slash ? slash + 1 : name;
	return part_good(name, strlen(name));
}

static bool member_read(struct byte_view *from, struct pack_member *m)
{
	uint64_t size = byte_view_varint(from);
	const unsigned char *name = byte_view_take(from, size);

	if (!name)
		return false;
	m->name = array_zero(size + 1, 1);
	memcpy(m->name, name, size);
	m->mode = (uint32_t)byte_view_varint(from) & 0777;
	m->size = byte_view_varint(from);
	m->parted = byte_view_varint(from);
	if (m->parted) {
		m->first = byte_view_varint(from);
		m->last = byte_view_varint(from);
	}
	return !from->bad && name_good(m->name, size) && m->size <= INT64_MAX;
}

bool pack_index_read_members(struct byte_view *from, struct pack_index *x)
{
	uint64_t n = byte_view_varint(from);

	while (x->nmembers < n)
		if (!member_read(from, pack_index_member(x)))
			return false;
	return !from->bad;
}

static bool counts_read(struct byte_view *from, struct pack_index *x, struct pack_entry *e)
{
	uint64_t n = byte_view_varint(from);

	for (; n > 0 && !from->bad; n--) {
		uint32_t id = (uint32_t)byte_view_varint(from);

		pack_index_count(x, e, id, (uint32_t)byte_view_varint(from));
	}
	return !from->bad;
}

static bool entry_read(struct byte_view *from, struct pack_index *x, int64_t before,
		       struct pack_entry *e)
{
	uint64_t member = byte_view_varint(from), size, codec;

	e->block.at = byte_view_varint(from);
	e->block.offset = byte_view_varint(from);
	size = byte_view_varint(from);
	codec = byte_view_varint(from);
	if (codec & 1) {
		e->from = (int64_t)((uint64_t)before + byte_view_varint(from));
		e->to = (int64_t)((uint64_t)e->from + byte_view_varint(from));
	}
	if (member >= x->nmembers || size == 0 || size > BLOCK_MOST || codec >> 1 > UINT32_MAX)
		return false;
	e->block.member = (uint32_t)member;
	e->block.size = (uint32_t)size;
	e->block.codec = (uint32_t)(codec >> 1);
	return counts_read(from, x, e);
}

bool pack_index_read(struct byte_view *from, struct pack_index *x)
{
	int64_t before = 0;

	if (!pack_index_read_members(from, x))
		return false;
	x->timed = byte_view_varint(from);
	x->origin = (int64_t)byte_view_varint(from);
	for (uint64_t n = byte_view_varint(from); n > 0; n--) {
		struct pack_entry *e = pack_index_entry(x);

		if (!entry_read(from, x, before, e))
			return false;
		before = e->to;
	}
	pack_index_sort(x);
	return !from->bad;
}
