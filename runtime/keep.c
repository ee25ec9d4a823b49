#include "runtime/keep.h"
#include "runtime/fault.h"
#include "runtime/text.h"
#include <stdbool.h>
#include <string.h>

#define BLOCK_LARGE (64u << 10)
#define BLOCK_SMALL (16u << 10)         /* holds four of the longest strings */
#define RING_MOST (UINT64_C(2) << 30)

static struct keep keep;
static uint64_t together;       /* what is left for the process */

static bool size_after(const char **s, const char *word, uint64_t *bytes)
{
	size_t n = strlen(word);

	return strncmp(*s, word, n) == 0 && gl_text_size(*s + n, s, bytes);
}

/*
 * A ring has at least four blocks, so that one that is about to be overwritten is a quarter at
 * most; also where a limit for all threads keeps it as small as it begins.
 */
static void ring_choose(uint64_t bytes, bool limited)
{
	if (bytes > RING_MOST)
		bytes = RING_MOST;
	keep.block = limited || bytes < 8 * BLOCK_LARGE ? BLOCK_SMALL : BLOCK_LARGE;
	keep.ring = (uint32_t)(bytes / keep.block) * keep.block;
	if (keep.ring < 4 * keep.block)
		keep.ring = 4 * keep.block;
}

static bool setting_read(const char *s)
{
	uint64_t bytes;

	if (size_after(&s, "oldest:", &bytes))
		keep.most = bytes;
	else if (size_after(&s, "newest:", &bytes))
		ring_choose(bytes, *s == ',');
	else if (strncmp(s, "all:", 4) == 0)
		return size_after(&s, "all:", &together) && !*s;
	if (*s == ',')
		s++;
	return !*s || (size_after(&s, "all:", &together) && !*s);
}

static void keep_all(void)
{
	keep = (struct keep){ .most = UINT64_MAX };
	together = UINT64_MAX;
}

void gl_keep_choose(const char *setting)
{
	keep_all();
	if (!setting || !*setting || strcmp(setting, "all") == 0 || setting_read(setting))
		return;
	keep_all();
	gl_fault(FAULT_SETTING, "GLIMPSE_KEEP is neither oldest:SIZE nor newest:SIZE:", setting, 0,
		 "all events are kept");
}

const struct keep *gl_keep(void)
{
	return &keep;
}

uint32_t gl_keep_take(uint32_t bytes)
{
	uint64_t left = __atomic_load_n(&together, __ATOMIC_RELAXED);
	uint32_t taken;

	if (left == UINT64_MAX)
		return bytes;
	do
		taken = left < bytes ? (uint32_t)left : bytes;
	while (!__atomic_compare_exchange_n(&together, &left, left - taken, true, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED));
	return taken;
}

void gl_keep_return(uint32_t bytes)
{
	if (__atomic_load_n(&together, __ATOMIC_RELAXED) != UINT64_MAX)
		__atomic_fetch_add(&together, bytes, __ATOMIC_RELAXED);
}
