#include "runtime/clock.h"
#include "runtime/glimpse.h"
#include "runtime/text.h"
#include "runtime/warning.h"
#include <string.h>
#include <time.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

enum clock_source { SOURCE_COUNTER, SOURCE_MONOTONIC, SOURCE_FAKE };

/* Atomic: threads that have not logged yet may read it while it is chosen. */
static enum clock_source source;
static uint64_t fake_now, fake_step;

static enum clock_source source_now(void)
{
	return __atomic_load_n(&source, __ATOMIC_RELAXED);
}

static void source_set(enum clock_source s)
{
	__atomic_store_n(&source, s, __ATOMIC_RELAXED);
}

static uint64_t nanoseconds(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Returns whether the counter always runs at one rate, the same on all processors. */
static bool counter_invariant(void)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
#elif defined(__aarch64__)
	return true;
#else
	return false;
#endif
}

static void fake_choose(const char *s)
{
	fake_now = 0;
	fake_step = 1;
	if (*s == ':')
		gl_text_size(s + 1, &s, &fake_now);
	if (*s == ':')
		gl_text_size(s + 1, &s, &fake_step);
	source_set(SOURCE_FAKE);
}

void gl_clock_choose(const char *setting)
{
	source_set(counter_invariant() ? SOURCE_COUNTER : SOURCE_MONOTONIC);
	if (!setting || strcmp(setting, "counter") == 0)
		return;
	if (strcmp(setting, "monotonic") == 0)
		source_set(SOURCE_MONOTONIC);
	else if (strncmp(setting, "fake", 4) == 0)
		fake_choose(setting + 4);
	else
		gl_warning_print(WARNING_SETTING, "GLIMPSE_CLOCK is neither counter nor monotonic:",
				 setting, 0, NULL);
}

enum clock_kind gl_clock_kind(void)
{
	return source_now() == SOURCE_COUNTER ? CLOCK_COUNTER : CLOCK_NANOSECONDS;
}

bool gl_clock_inline(void)
{
	return source_now() == SOURCE_COUNTER;
}

uint64_t gl_clock_ticks(void)
{
	switch (source_now()) {
	case SOURCE_COUNTER:
		return glimpse_ticks();
	case SOURCE_FAKE:
		return __atomic_fetch_add(&fake_now, fake_step, __ATOMIC_RELAXED);
	default:
		return nanoseconds(CLOCK_MONOTONIC);
	}
}

static struct clock_pair fake_pair(void)
{
	uint64_t now = __atomic_load_n(&fake_now, __ATOMIC_RELAXED);

	return (struct clock_pair){ now, now, now };
}

struct clock_pair gl_clock_pair(void)
{
	struct clock_pair best = { 0, 0, 0 };
	uint64_t least = UINT64_MAX;

	if (source_now() == SOURCE_FAKE)
		return fake_pair();
	for (int i = 0; i < 4; i++) {
		uint64_t before = gl_clock_ticks();
		uint64_t monotonic = nanoseconds(CLOCK_MONOTONIC);
		uint64_t after = gl_clock_ticks();

		if (after - before >= least)
			continue;
		least = after - before;
		best.ticks = source_now() == SOURCE_COUNTER ? before + least / 2 : monotonic;
		best.monotonic = monotonic;
	}
	best.real = nanoseconds(CLOCK_REALTIME);
	return best;
}
