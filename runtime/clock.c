#include "runtime/clock.h"
#include "runtime/file.h"
#include "runtime/glimpse.h"
#include "runtime/system.h"
#include "runtime/text.h"
#include "runtime/vdso.h"
#include "runtime/warning.h"
#include <fcntl.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#define KERNEL_SOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define RESET_RATE 2u /* of the counter that steps back: ticks in a nanosecond */

enum clock_source {
	SOURCE_COUNTER,
	SOURCE_MONOTONIC,
	SOURCE_FAKE,
	SOURCE_RESET, /* a counter for tests */
	SOURCE_LEFT   /* the counter was left: ticks are computed from CLOCK_MONOTONIC */
};

/* Atomic: threads that have not logged yet may read it while it is chosen. */
static enum clock_source source;
static bool chosen;
static uint64_t fake_now, fake_step;
static uint64_t reset_begin, reset_after; /* ns */
static char kernel_source[24];
static bool forced; /* GLIMPSE_CLOCK=counter */
static struct clock_pair left_from;
static double left_rate; /* ticks in a nanosecond */

static enum clock_source source_now(void)
{
	return __atomic_load_n(&source, __ATOMIC_ACQUIRE);
}

static void source_set(enum clock_source s)
{
	__atomic_store_n(&source, s, __ATOMIC_RELEASE);
}

static uint64_t nanoseconds(clockid_t id)
{
	struct timespec t;

	gl_vdso_gettime(id, &t);
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

/* Reads the name of the kernel's clock source; where there is none, it is empty. */
static void kernel_source_read(char *name, size_t room)
{
	int fd = gl_file_open_outside(KERNEL_SOURCE, O_RDONLY);
	ssize_t n = 0;

	if (fd >= 0) {
		n = system_read(fd, name, room - 1);
		gl_file_close(fd);
	}
	name[n > 0 ? n : 0] = '\0';
	name[strcspn(name, "\n")] = '\0';
}

/* Returns whether the kernel itself keeps time with the counter, or its host does for it. */
static bool kernel_source_trusts(const char *name)
{
	static const char *const made_of_it[] = { "", "tsc", "kvm-clock",
						  "hyperv_clocksource_tsc_page",
						  "arch_sys_counter" };

	for (size_t i = 0; i < sizeof made_of_it / sizeof *made_of_it; i++)
		if (strcmp(name, made_of_it[i]) == 0)
			return true;
	return false;
}

bool gl_clock_trusted(void)
{
	char name[sizeof kernel_source];

	if (forced || source_now() != SOURCE_COUNTER)
		return true;
	kernel_source_read(name, sizeof name);
	return kernel_source_trusts(name);
}

const char *gl_clock_source(void)
{
	return kernel_source;
}

static enum clock_source reset_choose(const char *s)
{
	uint64_t ms = 100;

	if (*s == ':')
		gl_text_size(s + 1, &s, &ms);
	reset_begin = nanoseconds(CLOCK_MONOTONIC) - 1000000000;
	reset_after = 1000000000 + ms * 1000000;
	return SOURCE_RESET;
}

static uint64_t reset_ticks(uint64_t monotonic)
{
	uint64_t ns = monotonic - reset_begin;

	return RESET_RATE * (ns < reset_after ? ns : ns - reset_after);
}

static enum clock_source fake_choose(const char *s)
{
	fake_now = 0;
	fake_step = 1;
	if (*s == ':')
		gl_text_size(s + 1, &s, &fake_now);
	if (*s == ':')
		gl_text_size(s + 1, &s, &fake_step);
	return SOURCE_FAKE;
}

static enum clock_source source_default(void)
{
	forced = false;
	kernel_source_read(kernel_source, sizeof kernel_source);
	if (kernel_source_trusts(kernel_source))
		*kernel_source = '\0';
	return counter_invariant() && !*kernel_source ? SOURCE_COUNTER : SOURCE_MONOTONIC;
}

static enum clock_source source_choose(const char *setting)
{
	enum clock_source s = source_default();

	if (!setting)
		return s;
	if (strcmp(setting, "monotonic") == 0)
		return SOURCE_MONOTONIC;
	if (strncmp(setting, "fake", 4) == 0)
		return fake_choose(setting + 4);
	if (strncmp(setting, "reset", 5) == 0)
		return reset_choose(setting + 5);
	forced = strcmp(setting, "counter") == 0;
	if (forced)
		return counter_invariant() ? SOURCE_COUNTER : SOURCE_MONOTONIC;
	gl_warning_print(WARNING_SETTING, "GLIMPSE_CLOCK must be counter or monotonic, not",
			 setting, 0, NULL);
	return s;
}

void gl_clock_choose(const char *setting)
{
	source_set(source_choose(setting));
	__atomic_store_n(&chosen, true, __ATOMIC_RELEASE);
}

bool gl_clock_chosen(void)
{
	return __atomic_load_n(&chosen, __ATOMIC_ACQUIRE);
}

enum clock_kind gl_clock_kind(void)
{
	enum clock_source s = source_now();

	return s == SOURCE_MONOTONIC || s == SOURCE_FAKE ? CLOCK_NANOSECONDS : CLOCK_COUNTER;
}

void gl_clock_leave_counter(const struct clock_pair *from, double rate)
{
	left_from = *from;
	left_rate = rate;
	source_set(SOURCE_LEFT);
}

/* Returns the ticks at a time of CLOCK_MONOTONIC, for a clock that is computed from it. */
static uint64_t ticks_at(enum clock_source s, uint64_t monotonic)
{
	switch (s) {
	case SOURCE_RESET:
		return reset_ticks(monotonic);
	case SOURCE_LEFT:
		return left_from.ticks +
		       (uint64_t)((double)(monotonic - left_from.monotonic) * left_rate);
	default:
		return monotonic;
	}
}

bool gl_clock_inline(void)
{
	return source_now() == SOURCE_COUNTER;
}

uint64_t gl_clock_ticks(void)
{
	enum clock_source s = source_now();

	switch (s) {
	case SOURCE_COUNTER:
		return glimpse_ticks();
	case SOURCE_FAKE:
		return __atomic_fetch_add(&fake_now, fake_step, __ATOMIC_RELAXED);
	default:
		return ticks_at(s, nanoseconds(CLOCK_MONOTONIC));
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
	enum clock_source s = source_now();

	if (s == SOURCE_FAKE)
		return fake_pair();
	for (int i = 0; i < 4; i++) {
		uint64_t before = gl_clock_ticks();
		uint64_t monotonic = nanoseconds(CLOCK_MONOTONIC);
		uint64_t after = gl_clock_ticks();

		if (after - before >= least)
			continue;
		least = after - before;
		best.ticks = s == SOURCE_COUNTER ? before + least / 2 : ticks_at(s, monotonic);
		best.monotonic = monotonic;
	}
	best.real = nanoseconds(CLOCK_REALTIME);
	return best;
}
