/*
 * Reads messages of protocol buffers in place, field by field, without their descriptions:
 * "Encoding", protobuf.dev.
 */
#ifndef GLIMPSE_FORMATS_PROTO_READ_H
#define GLIMPSE_FORMATS_PROTO_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a message, or of a text. */
struct proto {
	const unsigned char *at;
	size_t n;
};

struct proto_field {
	uint32_t number;
	bool is_bytes;
	uint64_t word;      /* if it is no bytes */
	struct proto bytes; /* a message, a text, or packed numbers */
};

/* Takes a number of up to 10 bytes. Returns false if it does not end. */
bool proto_varint(struct proto *p, uint64_t *number);

/*
 * Takes the next field of a message. Returns false at its end; what is damaged is the end, too:
 * then p->n is not 0, and p->at is where the damaged field begins.
 */
bool proto_next(struct proto *p, struct proto_field *f);

/* Returns the word of the last field of a number that is no bytes; otherwise if there is none. */
uint64_t proto_word(struct proto p, uint32_t number, uint64_t otherwise);
/* Returns the last field of a number that is bytes; at: NULL if there is none. */
struct proto proto_bytes(struct proto p, uint32_t number);

/*
 * Takes the next number of a repeated field, whose next occurrence is f: several if it is packed.
 * fixed: they have 8 bytes each. Returns false when there are no more.
 */
bool proto_number(struct proto_field *f, bool fixed, uint64_t *number);

#endif
