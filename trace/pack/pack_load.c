/* From blocks to the bytes of a file. */
#include "base/array.h"
#include "base/parallel.h"
#include "trace/pack/pack.h"
#include "trace/pack/pack_block.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define FEW 4 /* blocks that are not worth a thread */

/* A stretch of the file: a block, of which there may be copies. */
struct stretch {
	const struct pack_entry *entries;
	size_t ncopies;
	bool wanted, intact;
	struct pack_block block; /* the copy that is intact */
};

struct loading {
	const struct pack *pack;
	struct stretch *stretches;
	size_t count;
	unsigned char *bytes;
	struct block_scratch *scratch;
};

/* Of a log: what the rest cannot be read without. */
static bool needed(const struct pack_member *m, const struct pack_entry *e)
{
	return e->block.offset == 0 || e->block.offset + e->block.size >= m->size ||
	       e->block.codec & PACK_NOTES || PACK_CODEC(e->block.codec) == PACK_RAW;
}

/*
 * The blocks in the order of the file; what overlaps the one before, or goes beyond the end, is no
 * part of it.
 */
static void stretches_list(struct loading *l, const struct pack_member *m,
			   const struct pack_filter *filter)
{
	uint64_t end = 0;

	l->stretches = array_zero(m->nentries, sizeof *l->stretches);
	for (size_t i = 0; i < m->nentries; i++) {
		const struct pack_entry *e = &l->pack->index.entries[m->entry + i];
		struct stretch *s = l->count ? &l->stretches[l->count - 1] : NULL;

		if (s && s->entries + s->ncopies == e &&
		    s->entries->block.offset == e->block.offset &&
		    s->entries->block.size == e->block.size) {
			s->ncopies++;
			continue;
		}
		if (e->block.offset < end || e->block.offset > m->size ||
		    e->block.size > m->size - e->block.offset)
			continue;
		l->stretches[l->count++] =
		    (struct stretch){.entries = e,
				     .ncopies = 1,
				     .wanted = !filter || !m->parted || needed(m, e) ||
					       filter->wanted(filter->context, &l->pack->index, e)};
		end = e->block.offset + e->block.size;
	}
}

/* Whether the block that stands there is the one of which the index tells. */
static bool block_found(const struct pack *p, const struct pack_block *told, struct pack_block *b)
{
	return block_read(b, p->file.bytes, p->file.size, told->at) && b->member == told->member &&
	       b->offset == told->offset && b->size == told->size;
}

static void stretch_load(void *context, size_t i, unsigned worker)
{
	struct loading *l = context;
	struct stretch *s = &l->stretches[i];
	unsigned char *to = l->bytes + s->entries->block.offset;

	for (size_t k = 0; s->wanted && !s->intact && k < s->ncopies; k++)
		s->intact = block_found(l->pack, &s->entries[k].block, &s->block) &&
			    block_unpack(&s->block, l->pack->file.bytes, to, &l->scratch[worker]);
	if (s->wanted && !s->intact)
		memset(to, 0xff, s->entries->block.size);
}

static void lost_add(struct unpacked *u, uint64_t from, uint64_t to)
{
	if (to > from && u->lost == 0)
		u->lost_at = from;
	u->lost += to > from ? to - from : 0;
}

static void piece_add(struct unpacked *u, const struct stretch *s, bool lost)
{
	const struct pack_block *b = &s->block;
	struct unpacked_range *before = u->nranges ? &u->ranges[u->nranges - 1] : NULL;

	if (before && before->to == b->offset)
		before->to += b->size;
	else
		u->ranges[u->nranges++] = (struct unpacked_range){
		    b->offset, b->offset + b->size, lost, b->codec & PACK_TIMED, b->upper, b->seq};
}

static void ranges_list(struct unpacked *u, const struct loading *l, uint64_t size)
{
	uint64_t end = 0;
	bool lost = false;

	u->whole = true;
	u->ranges = array_new(l->count, sizeof *u->ranges);
	for (size_t i = 0; i < l->count; i++) {
		const struct stretch *s = &l->stretches[i];
		const struct pack_block *told = &s->entries->block;

		lost |= told->offset > end || (s->wanted && !s->intact);
		lost_add(u, end, told->offset);
		end = told->offset + told->size;
		u->whole &= s->wanted;
		if (s->wanted && !s->intact)
			lost_add(u, told->offset, end);
		if (!s->intact)
			continue;
		piece_add(u, s, lost);
		lost = false;
	}
	lost_add(u, end, size);
}

/* Where the last block ends: however long the file is said to be, there is nothing beyond. */
static size_t loading_size(const struct loading *l)
{
	const struct pack_block *last =
	    l->count ? &l->stretches[l->count - 1].entries->block : NULL;

	return last ? last->offset + last->size : 0;
}

static bool memory_get(struct file *f, size_t size)
{
	void *bytes;

	*f = (struct file){.writable = true};
	if (size == 0)
		return true;
	bytes = mmap(NULL, size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (bytes == MAP_FAILED)
		return false;
	*f = (struct file){.bytes = bytes, .size = size, .mapped = true, .writable = true};
	return true;
}

bool pack_load(const struct pack *p, size_t member, const struct pack_filter *filter,
	       struct unpacked *u)
{
	const struct pack_member *m = &p->index.members[member];
	struct loading l = {.pack = p};
	unsigned workers = parallel_workers();

	*u = (struct unpacked){.lost = 0};
	stretches_list(&l, m, filter);
	if (!memory_get(&u->file, loading_size(&l))) {
		free(l.stretches);
		return false;
	}
	l.bytes = u->file.bytes;
	l.scratch = array_zero(workers, sizeof *l.scratch);
	if (l.count >= FEW)
		parallel_for(l.count, stretch_load, &l);
	for (size_t i = 0; i < l.count && l.count < FEW; i++)
		stretch_load(&l, i, 0);
	ranges_list(u, &l, m->size);
	for (unsigned i = 0; i < workers; i++)
		block_scratch_free(&l.scratch[i]);
	free(l.scratch);
	free(l.stretches);
	return true;
}

void unpacked_clear(struct unpacked *u)
{
	file_unload(&u->file);
	free(u->ranges);
	*u = (struct unpacked){.lost = 0};
}

int pack_descriptor(const struct pack *p, const char *name)
{
	size_t member = pack_find(p, name);
	struct unpacked u;
	int fd = -1;

	errno = ENOENT;
	if (member == SIZE_MAX)
		return -1;
	errno = ENOMEM;
	if (!pack_load(p, member, NULL, &u))
		return -1;
	errno = EIO;
	if (u.lost == 0)
		fd = memfd_create(name, MFD_CLOEXEC);
	if (fd >= 0 &&
	    (!file_write_all(fd, u.file.bytes, u.file.size) || lseek(fd, 0, SEEK_SET) != 0)) {
		close(fd);
		fd = -1;
	}
	unpacked_clear(&u);
	return fd;
}
