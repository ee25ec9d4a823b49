/* Bytes as text of 64 digits (RFC 4648). */
#ifndef GLIMPSE_BASE_BASE64_H
#define GLIMPSE_BASE_BASE64_H

#include <stddef.h>
#include <stdio.h>

/* Writes n bytes as text to out. */
void base64_write(FILE *out, const unsigned char *bytes, size_t n);

/*
 * Reads n digits of such a text; to has room for 3 bytes for each 4 digits. Returns how many bytes
 * they are; what is no digit ends them.
 */
size_t base64_read(unsigned char *to, const char *text, size_t n);

#endif
