/* Bytes as text of 64 digits (RFC 4648). */
#ifndef GLIMPSE_BASE_BASE64_H
#define GLIMPSE_BASE_BASE64_H

#include <stddef.h>
#include <stdio.h>

/* Writes n bytes as text to out. */
void base64_write(FILE *out, const unsigned char *bytes, size_t n);

#endif
