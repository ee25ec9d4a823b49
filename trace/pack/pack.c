#include "trace/pack/pack.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/units.h"
#include "trace/pack/block.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool pack_is(const char *path)
{
	int fd = file_open_given(path);
	struct stat status;
	char magic[8];
	bool is;

	if (fd < 0)
		return false;
	is = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	     pread(fd, magic, sizeof magic, 0) == sizeof magic &&
	     memcmp(magic, PACK_MAGIC, sizeof magic) == 0;
	close(fd);
	return is;
}

/* ---- the index ---- */

/* Lists of a packed file are shorter than itself: its blocks have longer headers than entries. */
static bool list_plausible(const struct pack *p, const struct byte_buffer *list)
{
	return list->size / 8 <= p->file.size + (1u << 17);
}

/* Appends the content of the member's consecutive blocks from at on; returns where they end. */
static uint64_t list_read(const struct pack *p, uint32_t member, uint64_t at,
			  struct byte_buffer *list)
{
	struct block_scratch scratch = {.plain = {NULL, 0, 0}};
	struct pack_block b;

	while (block_read(&b, p->file.bytes, p->file.size, at) && b.member == member &&
	       b.offset == list->size && list_plausible(p, list) &&
	       block_unpack(&b, p->file.bytes, buffer_reserve(list, b.size), &scratch)) {
		list->size += b.size;
		at += BLOCK_HEADER + b.stored;
	}
	block_scratch_free(&scratch);
	return at;
}

static bool index_find(struct pack *p)
{
	const unsigned char *trailer;
	struct byte_buffer list = {NULL, 0, 0};
	struct byte_view view;
	bool good;

	if (p->file.size < PACK_HEADER + PACK_TRAILER)
		return false;
	trailer = p->file.bytes + p->file.size - PACK_TRAILER;
	if (memcmp(trailer + 8, PACK_END_MAGIC, 8) != 0)
		return false;
	list_read(p, MEMBER_INDEX, read_little_64(trailer), &list);
	view = byte_view_of(&list);
	good = list.size > 0 && pack_index_read(&view, &p->index);
	free(list.bytes);
	if (!good)
		pack_index_clear(&p->index);
	return good;
}

/* Returns the next place where a block seems to begin. */
static uint64_t block_next(const struct pack *p, uint64_t at)
{
	static const unsigned char magic[4] = {'G', 'L', 'B', 'K'};
	const unsigned char *found;

	for (size_t i = 0; i <= p->file.nholes && at < p->file.size; i++) {
		const struct file_hole *hole = i < p->file.nholes ? &p->file.holes[i] : NULL;
		uint64_t end = hole ? hole->from : p->file.size;

		if (hole && at >= hole->to)
			continue;
		found = at < end ? memmem(p->file.bytes + at, end - at, magic, sizeof magic) : NULL;
		if (found)
			return (uint64_t)(found - p->file.bytes);
		at = hole ? hole->to : end;
	}
	return p->file.size;
}

/* Makes an index of the list of files at the beginning and of every block that is intact. */
static bool index_recover(struct pack *p)
{
	struct byte_buffer list = {NULL, 0, 0};
	uint64_t at = list_read(p, MEMBER_LIST, PACK_HEADER, &list);
	struct byte_view view = byte_view_of(&list);
	bool good = list.size > 0 && pack_index_read_members(&view, &p->index);
	struct pack_block b;

	free(list.bytes);
	while (good && (at = block_next(p, at)) < p->file.size) {
		bool intact = block_read(&b, p->file.bytes, p->file.size, at) &&
			      block_intact(&b, p->file.bytes);

		if (intact && b.member < p->index.nmembers)
			pack_index_entry(&p->index)->block = b;
		at += intact ? BLOCK_HEADER + b.stored : 1;
	}
	if (good)
		pack_index_sort(&p->index);
	return good;
}

static int name_compare(const void *left, const void *right)
{
	const struct pack_member *const *a = left, *const *b = right;

	return strcmp((*a)->name, (*b)->name);
}

static void names_sort(struct pack *p)
{
	size_t n = p->index.nmembers;

	p->by_name = array_new(n, sizeof(struct pack_member *));
	for (size_t i = 0; i < n; i++)
		p->by_name[i] = &p->index.members[i];
	if (n)
		qsort(p->by_name, n, sizeof(struct pack_member *), name_compare);
}

static bool version_known(uint32_t version)
{
	return version == PACK_VERSION || version == PACK_VERSION_WITHIN;
}

static bool pack_read(struct pack *p, struct diag *diag)
{
	if (!file_take(&p->file, file_open_given(p->path), false)) {
		diag_error(diag, DIAG_NOWHERE, "%s: %s", p->path, strerror(errno));
		return false;
	}
	if (p->file.size < PACK_HEADER || !version_known(read_little_32(p->file.bytes + 8))) {
		diag_error(diag, DIAG_NOWHERE,
			   "%s: this packed file is of another version than this program reads",
			   p->path);
		return false;
	}
	if (index_find(p))
		return true;
	if (index_recover(p)) {
		diag_warning(
		    diag, "pack", DIAG_NOWHERE,
		    "%s: its index is damaged or cut off; what is intact of %zu files is read",
		    p->path, p->index.nmembers);
		return true;
	}
	diag_error(diag, DIAG_NOWHERE,
		   "%s: neither the index nor the list of files of this packed file is intact",
		   p->path);
	return false;
}

/* Returns how many bytes all its files take together. */
static uint64_t pack_size(const struct pack *p)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < p->index.nmembers; i++) {
		const struct pack_member *m = &p->index.members[i];
		uint64_t end = 0;

		for (size_t k = 0; k < m->nentries; k++) {
			const struct pack_block *b = &p->index.entries[m->entry + k].block;

			if (b->offset <= m->size && b->size <= m->size - b->offset &&
			    b->offset + b->size > end)
				end = b->offset + b->size;
		}
		if (__builtin_add_overflow(bytes, end, &bytes))
			return UINT64_MAX;
	}
	return bytes;
}

static bool pack_fits(const struct pack *p, uint64_t limit, struct diag *diag)
{
	uint64_t size = pack_size(p);
	char unpacked[UNITS_TEXT], packed[UNITS_TEXT], most[UNITS_TEXT];

	if (size <= limit)
		return true;
	diag_error(diag, DIAG_NOWHERE,
		   "%s: its %s unpack to %s, more than the limit of %s; glimpse unpack "
		   "--limit=SIZE unpacks up to SIZE",
		   p->path, units_bytes(packed, p->file.size), units_bytes(unpacked, size),
		   units_bytes(most, limit));
	return false;
}

/* limit: 0 for the usual one. */
static struct pack *pack_open_any(const char *path, uint64_t limit, struct diag *diag)
{
	struct pack *p = array_zero(1, sizeof *p);
	uint64_t usual;

	p->path = path;
	p->holders = 1;
	if (pack_read(p, diag)) {
		usual =
		    p->file.size > PACK_LIMIT / PACK_RATIO ? p->file.size * PACK_RATIO : PACK_LIMIT;
		if (pack_fits(p, limit ? limit : usual, diag)) {
			names_sort(p);
			return p;
		}
	}
	pack_close(p);
	return NULL;
}

struct pack *pack_open(const char *path, struct diag *diag)
{
	return pack_open_any(path, 0, diag);
}

struct pack *pack_open_limited(const char *path, uint64_t limit, struct diag *diag)
{
	return pack_open_any(path, limit ? limit : 1, diag);
}

struct pack *pack_hold(struct pack *p)
{
	if (p)
		p->holders++;
	return p;
}

void pack_close(struct pack *p)
{
	if (!p || --p->holders)
		return;
	file_unload(&p->file);
	pack_index_clear(&p->index);
	free(p->by_name);
	free(p);
}

size_t pack_find(const struct pack *p, const char *name)
{
	const struct pack_member wanted = {.name = (char *)name}, *key = &wanted, **found = NULL;

	if (p->index.nmembers)
		found = bsearch(&key, p->by_name, p->index.nmembers, sizeof key, name_compare);
	return found ? (size_t)(*found - p->index.members) : SIZE_MAX;
}

/* ---- from blocks to the bytes of a file ---- */

#define FEW 4 /* blocks that are not worth a thread */

/* A block of the file, of which there may be copies. */
struct block_copies {
	const struct pack_entry *entries;
	size_t ncopies;
	bool wanted, intact;
	struct pack_block block; /* the copy that is intact */
};

struct loading {
	const struct pack *pack;
	struct block_copies *blocks;
	size_t count;
	unsigned char *bytes;
	struct block_scratch *scratch;
};

/* Returns whether a log cannot be read without the block. */
static bool block_needed(const struct pack_member *m, const struct pack_entry *e)
{
	return e->block.offset == 0 || e->block.offset + e->block.size >= m->size ||
	       e->block.codec & PACK_NOTES || PACK_CODEC(e->block.codec) == PACK_RAW;
}

/* Lists the blocks in the order of the file, but for those that overlap or go beyond its end. */
static void blocks_list(struct loading *l, const struct pack_member *m,
			const struct pack_filter *filter)
{
	uint64_t end = 0;

	l->blocks = array_zero(m->nentries, sizeof *l->blocks);
	for (size_t i = 0; i < m->nentries; i++) {
		const struct pack_entry *e = &l->pack->index.entries[m->entry + i];
		struct block_copies *before = l->count ? &l->blocks[l->count - 1] : NULL;

		if (before && before->entries + before->ncopies == e &&
		    before->entries->block.offset == e->block.offset &&
		    before->entries->block.size == e->block.size) {
			before->ncopies++;
			continue;
		}
		if (e->block.offset < end || e->block.offset > m->size ||
		    e->block.size > m->size - e->block.offset)
			continue;
		l->blocks[l->count++] = (struct block_copies){
		    .entries = e,
		    .ncopies = 1,
		    .wanted = !filter || !m->parted || block_needed(m, e) ||
			      filter->wanted(filter->context, &l->pack->index, e)};
		end = e->block.offset + e->block.size;
	}
}

/* Reads the header of a block; returns whether it is the one that the index has there. */
static bool block_found(const struct pack *p, const struct pack_block *indexed,
			struct pack_block *b)
{
	return block_read(b, p->file.bytes, p->file.size, indexed->at) &&
	       b->member == indexed->member && b->offset == indexed->offset &&
	       b->size == indexed->size;
}

static void block_load(void *context, size_t i, unsigned worker)
{
	struct loading *l = context;
	struct block_copies *s = &l->blocks[i];
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

static void range_append(struct unpacked *u, const struct block_copies *s, bool lost)
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
		const struct block_copies *s = &l->blocks[i];
		const struct pack_block *indexed = &s->entries->block;

		lost |= indexed->offset > end || (s->wanted && !s->intact);
		lost_add(u, end, indexed->offset);
		end = indexed->offset + indexed->size;
		u->whole &= s->wanted;
		if (s->wanted && !s->intact)
			lost_add(u, indexed->offset, end);
		if (!s->intact)
			continue;
		range_append(u, s, lost);
		lost = false;
	}
	lost_add(u, end, size);
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
	size_t size = 0;

	*u = (struct unpacked){.lost = 0};
	blocks_list(&l, m, filter);
	/* the index may promise more, but after the last block there is nothing */
	if (l.count) {
		const struct pack_block *last = &l.blocks[l.count - 1].entries->block;

		size = last->offset + last->size;
	}
	if (!memory_get(&u->file, size)) {
		free(l.blocks);
		return false;
	}
	l.bytes = u->file.bytes;
	l.scratch = array_zero(workers, sizeof *l.scratch);
	if (l.count >= FEW)
		parallel_for(l.count, block_load, &l);
	for (size_t i = 0; i < l.count && l.count < FEW; i++)
		block_load(&l, i, 0);
	ranges_list(u, &l, m->size);
	for (unsigned i = 0; i < workers; i++)
		block_scratch_free(&l.scratch[i]);
	free(l.scratch);
	free(l.blocks);
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
