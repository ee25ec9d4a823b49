/*
 * Checks and inflates one block of a packed file: bytes of a file unchanged, deflated, or as
 * columns.
 */
#ifndef GLIMPSE_TRACE_PACK_BLOCK_H
#define GLIMPSE_TRACE_PACK_BLOCK_H

#include "trace/pack/pack_format.h"
#include "trace/pack/records.h"

/* Memory that a thread reuses for all blocks. All zeros at first. */
struct block_scratch {
	struct records_scratch records;
	struct byte_buffer plain;
	struct byte_buffer check;
};

void block_scratch_free(struct block_scratch *s);

/*
 * Fills the rest of *b and appends its header and content. layouts: of the records that the bytes
 * are, all intact; NULL: the bytes are anything. Bytes that columns would not restore exactly are
 * deflated as they are.
 */
void block_pack(struct byte_buffer *to, struct pack_block *b, const unsigned char *bytes,
		const struct record_layouts *layouts, struct block_scratch *scratch);

/* Reads the header at file + at; returns false if there is no whole one, or it is impossible. */
bool block_read(struct pack_block *b, const unsigned char *file, uint64_t size, uint64_t at);
/* Returns whether the checksum of the block is right. */
bool block_intact(const struct pack_block *b, const unsigned char *file);
/* Unpacks the block's b->size bytes; returns false if it is damaged. */
bool block_unpack(const struct pack_block *b, const unsigned char *file, unsigned char *to,
		  struct block_scratch *scratch);

#endif
