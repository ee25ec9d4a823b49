/* One block of a packed file: bytes of a file, deflated, as they are or as columns. */
#ifndef GLIMPSE_TRACE_PACK_PACK_BLOCK_H
#define GLIMPSE_TRACE_PACK_PACK_BLOCK_H

#include "trace/pack/pack_format.h"
#include "trace/pack/records.h"

/* What a thread that packs or unpacks needs again and again. All zeros at first. */
struct block_scratch {
	struct records_scratch records;
	struct blob plain;
	struct blob check;
};

void block_scratch_free(struct block_scratch *s);

/*
 * Fills the rest of *b and appends header and content to to. layouts: of the records that the bytes are, intact every one;
 * NULL: they are any bytes. What would not come back the same from columns is deflated as it is.
 */
void block_pack(struct blob *to, struct pack_block *b, const unsigned char *bytes, const struct layouts *layouts,
		struct block_scratch *scratch);

/* Reads the header at file + at; false when there is none whole, or it cannot be true. */
bool block_read(struct pack_block *b, const unsigned char *file, uint64_t size, uint64_t at);
/* Whether its content is as it was written. */
bool block_intact(const struct pack_block *b, const unsigned char *file);
/* Its b->size bytes; false when it is damaged. */
bool block_unpack(const struct pack_block *b, const unsigned char *file, unsigned char *to, struct block_scratch *scratch);

#endif
