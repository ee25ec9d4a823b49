/* Computes the hash SHA-256 (FIPS 180-4). */
#ifndef GLIMPSE_BASE_SHA256_H
#define GLIMPSE_BASE_SHA256_H

#include <stddef.h>

enum { SHA256_BYTES = 32 };

/* Computes the hash of size bytes. */
void sha256_compute(unsigned char hash[SHA256_BYTES], const void *bytes, size_t size);

#endif
