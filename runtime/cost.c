/*
 * Runs the path of an event as a program does, in a tail of its own: in spite of what the linker
 * sees, only glimpse_begin_room() is called, for the TIME records.
 */
#include "runtime/cost.h"
#include "runtime/clock.h"
#include "runtime/tail.h"

#define EVENTS 256u
#define SIZE 12u
#define ROUNDS 5

static union {
	struct tail tail;
	unsigned char bytes[GLIMPSE_TAIL_START + 2 * EVENTS * SIZE];
} scratch __attribute__((aligned(64)));

static uint64_t round_time(struct glimpse_spec *spec)
{
	uint64_t began;

	gl_tail_head_set(&scratch.tail, 0);
	began = gl_clock_pair().monotonic;
	for (uint32_t i = 0; i < EVENTS; i++) {
		struct glimpse_slot r = glimpse_begin(spec, 0, SIZE);

		glimpse_put32(r.at + 4, i);
		glimpse_put32(r.at + 8, i);
		glimpse_end(r, SIZE);
	}
	return gl_clock_pair().monotonic - began;
}

uint64_t gl_cost_measure(void)
{
	uint32_t word = GLIMPSE_FIRST_ID;
	struct glimpse_spec spec = { .words = &word, .nevents = 1 };
	struct glimpse_tail *self = glimpse_self;
	uint64_t least = UINT64_MAX;

	scratch.tail.hot.magic = 1;
	gl_tail_place(&scratch.tail);
	gl_tail_limit_set(&scratch.tail, sizeof scratch - GLIMPSE_TAIL_START);
	scratch.tail.hot.since = GLIMPSE_NEVER;
	scratch.tail.upper = UINT64_MAX;
	glimpse_self = &scratch.tail.hot;
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t time = round_time(&spec);

		least = time < least ? time : least;
	}
	glimpse_self = self;
	return least * 1000 / EVENTS;
}
