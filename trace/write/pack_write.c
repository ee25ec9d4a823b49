#include "trace/write/pack_write.h"
#include "base/array.h"
#include "base/interrupt.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "trace/pack/block.h"
#include <stdlib.h>

#define BATCH 64	 /* blocks that are in memory at a time */
#define SMALL (1u << 16) /* files that are kept twice */

struct writer {
	struct pack_plan *plan;
	FILE *f;
	uint64_t at;  /* how much was written */
	size_t begun; /* the first entry of the batch */
	struct byte_buffer packed[BATCH];
	struct block_scratch *scratch; /* of each worker */
};

static bool write_bytes(struct writer *w, const void *bytes, size_t size)
{
	w->at += size;
	return fwrite(bytes, 1, size, w->f) == size;
}

static void entry_pack(void *context, size_t i, unsigned worker)
{
	struct writer *w = context;
	struct pack_block *b = &w->plan->index.entries[w->begun + i].block;
	const struct packed_file *f = &w->plan->files[b->member];

	w->packed[i].size = 0;
	block_pack(&w->packed[i], b, f->bytes + b->offset,
		   PACK_CODEC(b->codec) == PACK_COLUMNS ? f->layouts : NULL, &w->scratch[worker]);
}

static bool entries_write(struct writer *w)
{
	struct pack_index *x = &w->plan->index;
	bool good = true;

	for (; good && w->begun < x->nentries; w->begun += BATCH) {
		size_t n = x->nentries - w->begun < BATCH ? x->nentries - w->begun : BATCH;

		progress_step(w->begun, x->nentries);
		parallel_for(n, entry_pack, w);
		for (size_t i = 0; good && i < n; i++) {
			x->entries[w->begun + i].block.at = w->at;
			good = write_bytes(w, w->packed[i].bytes, w->packed[i].size);
		}
		good = good && !interrupt_pending();
	}
	return good;
}

/*
 * What much else would be lost with: the heads of logs that are not small, and small files that are
 * no logs.
 */
static bool worth_a_copy(const struct pack_plan *p, const struct pack_entry *e)
{
	const struct packed_file *f = &p->files[e->block.member];

	return (f->size < SMALL) != (f->log != NULL) && e->block.offset == 0 &&
	       e->block.size < SMALL;
}

static bool copies_write(struct writer *w)
{
	struct pack_index *x = &w->plan->index;
	size_t n = x->nentries;
	struct byte_buffer packed = {NULL, 0, 0};
	bool good = true;

	for (size_t i = 0; good && i < n; i++) {
		struct pack_block b = x->entries[i].block;

		if (!worth_a_copy(w->plan, &x->entries[i]))
			continue;
		packed.size = 0;
		b.at = w->at;
		block_pack(&packed, &b, w->plan->files[b.member].bytes + b.offset, NULL,
			   &w->scratch[0]);
		good = write_bytes(w, packed.bytes, packed.size);
		pack_index_entry(x)->block = b;
	}
	free(packed.bytes);
	return good;
}

/* What is no part of a file, in as many blocks as it takes. */
static bool list_write(struct writer *w, uint32_t member, const struct byte_buffer *list)
{
	struct byte_buffer packed = {NULL, 0, 0};
	bool good = true;

	for (size_t at = 0; good && at < list->size; at += BLOCK_SIZE) {
		size_t left = list->size - at;
		struct pack_block b = {.member = member,
				       .size = left < BLOCK_SIZE ? (uint32_t)left : BLOCK_SIZE,
				       .offset = at};

		packed.size = 0;
		block_pack(&packed, &b, list->bytes + at, NULL, &w->scratch[0]);
		good = write_bytes(w, packed.bytes, packed.size);
	}
	free(packed.bytes);
	return good;
}

static bool begin_write(struct writer *w)
{
	unsigned char header[PACK_HEADER] = PACK_MAGIC;
	struct byte_buffer list = {NULL, 0, 0};
	bool good;

	write_little_32(header + 8, PACK_VERSION);
	pack_index_write_members(&list, &w->plan->index);
	good = write_bytes(w, header, sizeof header) && list_write(w, MEMBER_LIST, &list);
	free(list.bytes);
	return good;
}

static bool end_write(struct writer *w)
{
	unsigned char trailer[PACK_TRAILER];
	struct byte_buffer list = {NULL, 0, 0};
	bool good;

	write_little_64(trailer, w->at);
	memcpy(trailer + 8, PACK_END_MAGIC, 8);
	pack_index_sort(&w->plan->index);
	pack_index_write(&list, &w->plan->index);
	good = list_write(w, MEMBER_INDEX, &list) && write_bytes(w, trailer, sizeof trailer);
	free(list.bytes);
	return good;
}

bool pack_write(struct pack_plan *p, FILE *f)
{
	struct writer *w = array_zero(1, sizeof *w);
	unsigned workers = parallel_workers();
	bool good;

	w->plan = p;
	w->f = f;
	w->scratch = array_zero(workers, sizeof *w->scratch);
	progress_begin("packing");
	good = begin_write(w) && entries_write(w) && copies_write(w) && end_write(w);
	progress_end();
	for (unsigned i = 0; i < workers; i++)
		block_scratch_free(&w->scratch[i]);
	for (size_t i = 0; i < BATCH; i++)
		free(w->packed[i].bytes);
	free(w->scratch);
	free(w);
	return good && fflush(f) == 0;
}
