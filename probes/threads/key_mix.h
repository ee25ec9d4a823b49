/* Mixes numbers into keys, which several processes have for one thing. */
#ifndef GLIMPSE_PROBES_THREADS_KEY_MIX_H
#define GLIMPSE_PROBES_THREADS_KEY_MIX_H

#include <stdint.h>

static inline uint64_t key_mix(uint64_t key, uint64_t more)
{
	key = (key ^ more) * UINT64_C(0x9e3779b97f4a7c15);
	return key ^ key >> 29;
}

#endif
