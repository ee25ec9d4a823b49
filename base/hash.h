/* A word whose every bit depends on every bit of another: for hash tables. */
#ifndef GLIMPSE_BASE_HASH_H
#define GLIMPSE_BASE_HASH_H

#include <stdint.h>

static inline uint64_t word_mix(uint64_t x)
{
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	return x ^ x >> 32;
}

/* The word that it was made of. */
static inline uint64_t word_unmix(uint64_t x)
{
	x = (x ^ x >> 32) * 0xcfee444d8b59a89b;
	x = (x ^ x >> 32) * 0xcfee444d8b59a89b;
	return x ^ x >> 32;
}

#endif
