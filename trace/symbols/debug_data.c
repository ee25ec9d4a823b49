#include "trace/symbols/debug_data.h"

#ifdef HAVE_LIBLZMA
#include "base/array.h"
#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>

/* A few bytes can be made to unpack to very many. */
enum { UNPACKED_MOST = 1 << 28, UNPACKER_MOST = 1 << 28, PART = 1 << 16 };

/* Unpacks all that fits; returns false if something is wrong or left. */
static bool stream_unpack(lzma_stream *s, unsigned char **unpacked)
{
	size_t room = PART;
	lzma_ret state = LZMA_OK;

	*unpacked = array_new(room, 1);
	s->next_out = *unpacked;
	s->avail_out = room;
	while ((state = lzma_code(s, LZMA_FINISH)) == LZMA_OK) {
		if (s->avail_out > 0)
			continue;
		if (room >= UNPACKED_MOST)
			return false;
		*unpacked = array_resize(*unpacked, room * 2, 1);
		s->next_out = *unpacked + room;
		s->avail_out = room;
		room *= 2;
	}
	return state == LZMA_STREAM_END;
}

unsigned char *debug_data_unpack(const unsigned char *bytes, size_t n, size_t *size)
{
	lzma_stream s = LZMA_STREAM_INIT;
	unsigned char *unpacked = NULL;
	bool good;

	if (lzma_stream_decoder(&s, UNPACKER_MOST, 0) != LZMA_OK)
		return NULL;
	s.next_in = bytes;
	s.avail_in = n;
	good = stream_unpack(&s, &unpacked);
	*size = s.total_out;
	lzma_end(&s);
	if (good)
		return unpacked;
	free(unpacked);
	return NULL;
}
#else
unsigned char *debug_data_unpack(const unsigned char *bytes, size_t n, size_t *size)
{
	(void)bytes, (void)n, (void)size;
	return NULL;
}
#endif
