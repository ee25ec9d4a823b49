/* One piece of the input on its way from the reader through a worker to the writer. */
#ifndef PGZ_BLOCK_H
#define PGZ_BLOCK_H

#include <stdbool.h>
#include <stddef.h>

/* What stands before a block in the file, as far back as deflate can refer. */
struct window {
	size_t size;
	unsigned char bytes[32 * 1024];
};

struct block {
	struct block *next;             /* in a queue */
	int number;                     /* from 0, in the order of the file */
	bool last;
	struct window before;
	unsigned char *bytes;           /* room for capacity bytes */
	size_t capacity, size;
	unsigned char *packed;          /* the block compressed */
	size_t packed_capacity, packed_size;
	unsigned long crc;              /* of bytes */
};

/* A block with room for capacity bytes; NULL when there is no memory. */
struct block *block_new(size_t capacity);
void block_free(struct block *b);

/* Fills the block from fd; a short block is the last. False on an error: see errno. */
bool block_read(struct block *b, int fd);

/* The end of the block is what stands before the next one. */
void block_window(const struct block *b, struct window *w);

#endif
