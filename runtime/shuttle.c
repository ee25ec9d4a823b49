#include "runtime/shuttle.h"
#include "runtime/file.h"
#include "runtime/keep.h"
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define SEND_FROM (UINT64_C(1) << 20)   /* smaller logs stay in the page cache, for who reads them */
#define AHEAD_MOST (UINT64_C(32) << 20)

void gl_shuttle_begin(struct tail *t, uint32_t size)
{
	t->pending.base = t->hot.base;
	t->shuttle = size;
}

static unsigned char *shuttle_bytes(struct tail *t)
{
	return (unsigned char *)t + GLIMPSE_TAIL_START + t->shuttle;
}

/* Whether it may be loaded again. What the disk refused is written once more. */
static bool shuttle_free(struct tail *t)
{
	enum flight_state state;

	if (!t->pending.used)
		return true;
	state = gl_direct_state(&t->flight);
	if (state == FLIGHT_UNDER_WAY)
		return false;
	if (state == FLIGHT_FAILED) {
		t->direct_fails = true;
		if (!gl_tail_write(t, shuttle_bytes(t), t->flight.size, t->pending.base))
			return false;
	}
	__atomic_store_n(&t->pending.used, 0, __ATOMIC_RELEASE);
	return true;
}

/*
 * A log that grows gets its room an eighth of its size ahead, so that a direct write neither asks
 * for blocks nor moves the end of the file, for either of which it would have to wait. What is
 * left over is given back when the log ends.
 */
static bool log_reaches(struct tail *t, uint64_t begin, uint64_t end)
{
	uint64_t most = gl_keep()->most, step = end / 8, ahead;

	if (end <= t->extended)
		return true;
	if (end < t->extend_retry)
		return false;
	step = step < t->shuttle ? t->shuttle : step > AHEAD_MOST ? AHEAD_MOST : step;
	ahead = most - end < step ? most : end + step;
	if (gl_tail_extend(t, begin, ahead)) {
		t->extended = ahead;
		return true;
	}
	t->extend_retry = end + step;
	return false;
}

/*
 * The device reads these lines from another processor's cache. Stores that go past the caches do
 * not wait to get them back: a tail that was itself written from cost up to twice as much.
 */
static void bytes_load(unsigned char *to, const unsigned char *from, size_t size)
{
#ifdef __SSE2__
	for (size_t i = 0; i < size; i += 16)
		_mm_stream_si128((__m128i *)(to + i), _mm_load_si128((const __m128i *)(from + i)));
	_mm_sfence();
#else
	memcpy(to, from, size);
#endif
}

bool gl_shuttle_send(struct tail *t, uint32_t size)
{
	const unsigned char *records = (unsigned char *)t + GLIMPSE_TAIL_START;
	uint64_t base = t->hot.base;

	if (!t->shuttle || t->direct_fails || base < SEND_FROM || base % GL_DIRECT_ALIGN ||
	    size % GL_DIRECT_ALIGN)
		return false;
	if (!shuttle_free(t) || !log_reaches(t, base, base + size))
		return false;
	__atomic_exchange_n(&t->pending.base, base, __ATOMIC_ACQ_REL);  /* before what follows */
	bytes_load(shuttle_bytes(t), records, size);
	__atomic_store_n(&t->pending.used, size, __ATOMIC_RELEASE);
	t->flight.size = size;
	if (gl_direct_write(&t->flight, t->path, shuttle_bytes(t), base))
		return true;
	__atomic_store_n(&t->pending.used, 0, __ATOMIC_RELEASE);
	return false;
}

bool gl_shuttle_settle(struct tail *t)
{
	gl_direct_wait(&t->flight);
	return shuttle_free(t);
}
