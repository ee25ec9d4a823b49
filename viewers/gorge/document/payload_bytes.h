/* Numbers and texts of a parcel, as parcel.h has them. */
#ifndef GLIMPSE_GORGE_DOCUMENT_PAYLOAD_BYTES_H
#define GLIMPSE_GORGE_DOCUMENT_PAYLOAD_BYTES_H

#include <stdint.h>
#include <stdio.h>

void payload_number(FILE *out, uint64_t n);
void payload_signed(FILE *out, int64_t n);
void payload_bytes(FILE *out, const void *bytes, size_t n);
void payload_text(FILE *out, const char *text);
/* Of a column: the difference to the line before. */
void payload_step(FILE *out, uint64_t n, uint64_t *before);

#endif
