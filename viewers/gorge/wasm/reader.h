/* Reads what viewers/gorge/document/payload_bytes.h writes. */
#ifndef GLIMPSE_GORGE_WASM_READER_H
#define GLIMPSE_GORGE_WASM_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reader {
	const unsigned char *at, *end;
	bool damaged;                   /* something was not there: zeros were given for it */
};

uint64_t read_number(struct reader *r);
int64_t read_signed(struct reader *r);
/* How many items follow, each of which has a byte or more. */
size_t read_count(struct reader *r);
/* Points into what is read. */
const unsigned char *read_bytes(struct reader *r, size_t *n);
/* To be freed. */
char *read_text(struct reader *r);
/* Of a column. */
uint64_t read_step(struct reader *r, uint64_t *before);

#endif
