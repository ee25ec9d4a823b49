/* How much memory large arrays may take. */
#include "base/spill.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Of twice the logs so many hundredths are for large arrays, and the rest for what is small. */
enum { USED = 96 };
/* Less than so many bytes are not worth a file. */
enum { LEAST = 64 << 20 };

static atomic_uint_fast64_t limit; /* 0: not known yet */
static atomic_uint_fast64_t utmost; /* 0: the limit */

/* The number behind a name in a file of /proc or of the control groups; UINT64_MAX: there is none.
 */
static uint64_t number_in(const char *path, const char *name)
{
	FILE *f = fopen(path, "r");
	uint64_t number = UINT64_MAX;
	char line[256];

	while (f && number == UINT64_MAX && fgets(line, sizeof line, f))
		if (strncmp(line, name, strlen(name)) == 0 &&
		    sscanf(line + strlen(name), "%" SCNu64, &number) != 1)
			number = UINT64_MAX;
	if (f)
		fclose(f);
	return number;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t kilobytes(uint64_t n)
{
	return n > UINT64_MAX / 1024 ? UINT64_MAX : n * 1024;
}

/* What a limit of the process leaves it. */
static uint64_t left_of(int resource, const char *used)
{
	struct rlimit r;
	uint64_t has = kilobytes(number_in("/proc/self/status", used));

	if (getrlimit(resource, &r) || r.rlim_cur == RLIM_INFINITY || has == UINT64_MAX)
		return UINT64_MAX;
	return r.rlim_cur > has ? r.rlim_cur - has : 0;
}

/* What the process's control group may have; UINT64_MAX: as much as there is. */
static uint64_t group_limit(void)
{
	FILE *f = fopen("/proc/self/cgroup", "r");
	char line[2048], path[2200];
	uint64_t most = UINT64_MAX;

	while (f && fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "0::", 3) != 0)
			continue;
		snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.max", line + 3);
		most = number_in(path, "");
	}
	if (f)
		fclose(f);
	return most;
}

static uint64_t limit_find(void)
{
	uint64_t bytes = kilobytes(number_in("/proc/meminfo", "MemAvailable:"));

	bytes = least(bytes, group_limit());
	bytes = least(bytes, left_of(RLIMIT_DATA, "VmData:"));
	bytes = least(bytes, left_of(RLIMIT_AS, "VmSize:"));
	return bytes / 4 * 3;
}

void large_set_limit(uint64_t bytes)
{
	limit = bytes ? bytes : 1;
}

/* What the environment says, or UINT64_MAX. */
static uint64_t limit_wanted(void)
{
	const char *wanted = getenv("GLIMPSE_MEMORY");
	uint64_t bytes;

	if (!wanted || !*wanted)
		return UINT64_MAX;
	if (large_read_size(wanted, &bytes))
		return bytes;
	fprintf(stderr,
		"%s: error: GLIMPSE_MEMORY is '%s', which is no size; write 512MiB or 4GB\n",
		program_invocation_short_name, wanted);
	exit(2);
}

uint64_t large_limit(void)
{
	uint64_t bytes;

	if (limit)
		return limit;
	bytes = limit_wanted();
	large_set_limit(bytes != UINT64_MAX ? bytes : limit_find());
	return limit;
}

uint64_t large_share(uint64_t logs)
{
	return logs / 100 * 2 * USED;
}

void large_suit(uint64_t logs)
{
	uint64_t bytes = large_share(logs);

	if (limit || limit_wanted() != UINT64_MAX)
		return;
	utmost = limit_find();
	large_set_limit(least(utmost, bytes > LEAST ? bytes : LEAST));
}

uint64_t large_utmost(void)
{
	return utmost ? utmost : large_limit();
}

/* 1024 to the power that "KiB", "MiB", "GiB" or "TiB" stands for; 1000 without the "i". */
static bool unit_factor(const char *unit, uint64_t *factor)
{
	static const char letters[] = "KMGT";
	const char *letter = *unit ? strchr(letters, toupper((unsigned char)*unit)) : NULL;
	uint64_t base = 1000;

	*factor = 1;
	if (!letter)
		return *unit == '\0' || strcasecmp(unit, "B") == 0;
	unit++;
	if (*unit == 'i' || *unit == '\0')
		base = 1024;
	unit += *unit == 'i';
	for (const char *l = letters; l <= letter; l++)
		*factor *= base;
	return *unit == '\0' || strcasecmp(unit, "B") == 0;
}

bool large_read_size(const char *text, uint64_t *bytes)
{
	uint64_t number, factor;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	number = strtoull(text, &end, 10);
	while (*end == ' ')
		end++;
	return unit_factor(end, &factor) && !__builtin_mul_overflow(number, factor, bytes);
}
