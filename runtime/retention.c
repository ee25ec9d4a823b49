#include "runtime/retention.h"
#include "runtime/text.h"
#include "runtime/warning.h"
#include <stdbool.h>
#include <string.h>

#define BLOCK_LARGE (64u << 10)
#define BLOCK_SMALL (16u << 10) /* holds four of the longest strings */
#define RING_MOST (UINT64_C(2) << 30)

static struct retention retention;
static uint64_t budget; /* what is left for the process */

static bool size_after(const char **s, const char *word, uint64_t *bytes)
{
	size_t n = strlen(word);

	return strncmp(*s, word, n) == 0 && gl_text_size(*s + n, s, bytes);
}

/*
 * A ring has at least four blocks, also where the shared budget does not let it grow: the block
 * that is overwritten next is at most a quarter of the ring.
 */
static void ring_choose(uint64_t bytes, bool limited)
{
	if (bytes > RING_MOST)
		bytes = RING_MOST;
	retention.block = limited || bytes < 8 * BLOCK_LARGE ? BLOCK_SMALL : BLOCK_LARGE;
	retention.ring = (uint32_t)(bytes / retention.block) * retention.block;
	if (retention.ring < 4 * retention.block)
		retention.ring = 4 * retention.block;
}

static bool setting_read(const char *s)
{
	uint64_t bytes;

	if (size_after(&s, "oldest:", &bytes)) {
		retention.kind = RETENTION_OLDEST;
		retention.most = bytes;
	} else if (size_after(&s, "newest:", &bytes)) {
		retention.kind = RETENTION_NEWEST;
		ring_choose(bytes, *s == ',');
	} else if (strncmp(s, "all:", 4) == 0) {
		retention.kind = RETENTION_OLDEST;
		return size_after(&s, "all:", &budget) && !*s;
	}
	if (*s == ',')
		s++;
	return !*s || (size_after(&s, "all:", &budget) && !*s);
}

static void keep_all(void)
{
	retention = (struct retention){ .kind = RETENTION_ALL, .most = UINT64_MAX };
	budget = UINT64_MAX;
}

/* Writes what may have been meant; returns false if there is no telling. */
static bool setting_guess(char *out, size_t size, const char *setting)
{
	const char *value = strpbrk(setting, ":= "), *end;
	uint64_t bytes;

	*out = '\0';
	return value && strchr("nlof", *setting) && gl_text_size(value + 1, &end, &bytes) &&
	       !*end && gl_text_add(out, size, "did you mean ") &&
	       gl_text_add(out, size, strchr("nl", *setting) ? "newest:" : "oldest:") &&
	       gl_text_add(out, size, value + 1) && gl_text_add(out, size, "? All events are kept");
}

void gl_retention_choose(const char *setting)
{
	char guess[96];

	keep_all();
	if (!setting || !*setting || strcmp(setting, "all") == 0 || setting_read(setting))
		return;
	keep_all();
	gl_warning_print(
	    WARNING_SETTING, "GLIMPSE_KEEP must be all, oldest:SIZE or newest:SIZE, not", setting,
	    0, setting_guess(guess, sizeof guess, setting) ? guess : "all events are kept");
}

const struct retention *gl_retention(void)
{
	return &retention;
}

uint32_t gl_budget_take(uint32_t bytes)
{
	uint64_t left = __atomic_load_n(&budget, __ATOMIC_RELAXED);
	uint32_t taken;

	if (left == UINT64_MAX)
		return bytes;
	do
		taken = left < bytes ? (uint32_t)left : bytes;
	while (!__atomic_compare_exchange_n(&budget, &left, left - taken, true, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED));
	return taken;
}

void gl_budget_return(uint32_t bytes)
{
	if (__atomic_load_n(&budget, __ATOMIC_RELAXED) != UINT64_MAX)
		__atomic_fetch_add(&budget, bytes, __ATOMIC_RELAXED);
}
