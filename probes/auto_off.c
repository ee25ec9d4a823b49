#include "probes/auto_off.h"
#include "runtime/glimpse.h"
#include "runtime/system.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PLACES 65536u /* a power of two */
#define SITES 60000u
#define TABLE_SIZE (PLACES * sizeof(struct auto_off_site))

/* The mean is looked at once in so many calls. */
#define CALLS_PER_LOOK 256u
#define CALLS_FOR_MEAN 1024u
#define RATE_NS 100000 /* the clock's rate is known after this time */

uint64_t auto_off_calls, auto_off_shorter;

static struct auto_off_site *table;
static uint32_t sites;

/* ---- Limits ---------------------------------------------------------------------------------- */

/* Reads "10us" into nanoseconds; without a unit they are. Returns false if it is none. */
static bool auto_off_time(const char *text, size_t length, uint64_t *ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"", 1}, {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	char *end;
	double number = strtod(text, &end);

	if (end == text || number < 0)
		return false;
	while (*end == ' ')
		end++;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		size_t n = strlen(units[i].name);

		if (end + n == text + length && memcmp(end, units[i].name, n) == 0) {
			*ns = (uint64_t)(number * units[i].ns);
			return *ns > 0;
		}
	}
	return false;
}

static bool auto_off_number(const char *text, size_t length, uint64_t *number)
{
	char *end;

	*number = strtoull(text, &end, 10);
	return end == text + length && length && *text != '-' && *number > 0;
}

static bool auto_off_item(const char *item, size_t length)
{
	if (length > 6 && memcmp(item, "calls=", 6) == 0)
		return auto_off_number(item + 6, length - 6, &auto_off_calls);
	if (length > 8 && memcmp(item, "shorter=", 8) == 0)
		return auto_off_time(item + 8, length - 8, &auto_off_shorter);
	return false;
}

void auto_off_read(void)
{
	const char *s = secure_getenv("GLIMPSE_DROP");

	while (s && *s) {
		size_t length = strcspn(s, ",");

		if (!auto_off_item(s, length))
			fprintf(stderr,
				"glimpse: GLIMPSE_DROP: unknown condition '%.*s' (expected calls=N "
				"or shorter=TIME, such as shorter=10us); ignored\n",
				(int)length, s);
		s += length + (s[length] == ',');
	}
}

/* ---- The table ------------------------------------------------------------------------------- */

static struct auto_off_site *table_make(void)
{
	struct auto_off_site *made = glimpse_map(TABLE_SIZE);
	struct auto_off_site *there = NULL;

	if (!made)
		return NULL;
	if (__atomic_compare_exchange_n(&table, &there, made, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		return made;
	system_munmap(made, TABLE_SIZE);
	return there;
}

static struct auto_off_site *place_take(struct auto_off_site *place, uintptr_t key)
{
	uintptr_t found = __atomic_load_n(&place->key, __ATOMIC_RELAXED);

	if (!found && __atomic_load_n(&sites, __ATOMIC_RELAXED) < SITES &&
	    __atomic_compare_exchange_n(&place->key, &found, key, false, __ATOMIC_RELAXED,
					__ATOMIC_RELAXED)) {
		__atomic_fetch_add(&sites, 1, __ATOMIC_RELAXED);
		return place;
	}
	return found == key ? place : NULL;
}

static uint32_t place_of(uintptr_t key)
{
	return (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 48);
}

struct auto_off_site *auto_off_find(uintptr_t key)
{
	struct auto_off_site *t = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
	uint32_t at = place_of(key);

	if (!t)
		t = table_make();
	for (uint32_t i = 0; t && i < PLACES; i++, at = (at + 1) % PLACES) {
		struct auto_off_site *place = place_take(&t[at], key);

		if (place)
			return place;
		if (!__atomic_load_n(&t[at].key, __ATOMIC_RELAXED))
			return NULL;
	}
	return NULL;
}

struct auto_off_site *auto_off_known(uintptr_t key)
{
	struct auto_off_site *t = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
	uint32_t at = place_of(key);

	for (uint32_t i = 0; t && i < PLACES; i++, at = (at + 1) % PLACES) {
		uintptr_t found = __atomic_load_n(&t[at].key, __ATOMIC_RELAXED);

		if (found == key)
			return &t[at];
		if (!found)
			return NULL;
	}
	return NULL;
}

void auto_off_forget(uintptr_t key)
{
	struct auto_off_site *site = auto_off_known(key);

	if (!site)
		return;
	__atomic_store_n(&site->calls, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&site->ticks, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&site->chosen, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&site->off, AUTO_OFF_NOT, __ATOMIC_RELAXED);
}

void auto_off_forget_all(void)
{
	if (table && system_madvise(table, TABLE_SIZE, MADV_DONTNEED) == 0)
		sites = 0;
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* The first clock pair by which the rate is found, and the rate; all 0 until they are known. */
static uint64_t first_ticks, first_ns;

static uint64_t monotonic_ns(void)
{
	struct timespec t;

	system_clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

double auto_off_tick_ns(void)
{
	uint64_t ticks = glimpse_now(), ns = monotonic_ns();
	uint64_t since = __atomic_load_n(&first_ns, __ATOMIC_ACQUIRE);
	uint64_t from = __atomic_load_n(&first_ticks, __ATOMIC_RELAXED);

	if (!since) {
		__atomic_store_n(&first_ticks, ticks, __ATOMIC_RELAXED);
		__atomic_store_n(&first_ns, ns, __ATOMIC_RELEASE);
		return 0;
	}
	if (ns < since + RATE_NS || ticks <= from)
		return 0;
	return (double)(ns - since) / (double)(ticks - from);
}

uint64_t auto_off_mean(const struct auto_off_site *site)
{
	uint64_t calls = __atomic_load_n(&site->calls, __ATOMIC_RELAXED);
	uint64_t ticks = __atomic_load_n(&site->ticks, __ATOMIC_RELAXED);

	return calls ? (uint64_t)((double)ticks * auto_off_tick_ns() / (double)calls) : 0;
}

static bool is_short(const struct auto_off_site *site, uint64_t calls)
{
	uint64_t mean;

	if (!auto_off_shorter || calls < CALLS_FOR_MEAN || calls % CALLS_PER_LOOK)
		return false;
	if (auto_off_tick_ns() <= 0)
		return false;
	mean = auto_off_mean(site);
	return mean < auto_off_shorter;
}

enum auto_off_why auto_off_count(struct auto_off_site *site, uint64_t ticks)
{
	uint64_t calls = __atomic_load_n(&site->calls, __ATOMIC_RELAXED) + 1;
	uint64_t sum = __atomic_load_n(&site->ticks, __ATOMIC_RELAXED) + ticks;
	uint32_t none = AUTO_OFF_NOT, why = AUTO_OFF_NOT;

	if (!__atomic_load_n(&first_ns, __ATOMIC_RELAXED))
		auto_off_tick_ns();
	__atomic_store_n(&site->calls, calls, __ATOMIC_RELAXED);
	__atomic_store_n(&site->ticks, sum, __ATOMIC_RELAXED);
	if (auto_off_calls && calls >= auto_off_calls)
		why = AUTO_OFF_CALLS;
	else if (is_short(site, calls))
		why = AUTO_OFF_SHORTER;
	if (why && __atomic_compare_exchange_n(&site->off, &none, why, false, __ATOMIC_RELAXED,
					       __ATOMIC_RELAXED))
		return (enum auto_off_why)why;
	return AUTO_OFF_NOT;
}

const char *auto_off_why_text(enum auto_off_why why)
{
	return why == AUTO_OFF_CALLS ? "calls" : why == AUTO_OFF_SHORTER ? "shorter" : "";
}
