#include "trace/open/process_state.h"
#include "base/monotonic.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef CLOCK_BOOTTIME /* in a document, which has no processes to ask */
#define CLOCK_BOOTTIME CLOCK_MONOTONIC
#endif

static bool boot_is_this(const unsigned char *boot)
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
	unsigned char own[16] = {0};
	char text[40] = "", *at = text;
	bool read = f && fgets(text, sizeof text, f);

	if (f)
		fclose(f);
	for (size_t i = 0; read && i < sizeof own; i++, at += 2) {
		unsigned value;

		at += *at == '-';
		if (sscanf(at, "%2x", &value) != 1)
			return false;
		own[i] = (unsigned char)value;
	}
	return read && memcmp(boot, own, sizeof own) == 0;
}

static bool pid_space_is_this(uint64_t space)
{
	struct stat status;

	return space && stat("/proc/self/ns/pid", &status) == 0 && status.st_ino == space;
}

/*
 * Reads the state of a process, and when it was started (ns since boot, suspends included), from
 * /proc/PID/stat (proc(5)); returns false if there is none of that number.
 */
static bool stat_read(uint32_t pid, char *state, int64_t *started)
{
	char path[32], text[1024] = "";
	const char *name_end = NULL;
	unsigned long long ticks;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%u/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	if (fgets(text, sizeof text, f))
		name_end = strrchr(text, ')');
	fclose(f);
	if (!name_end || sscanf(name_end + 1,
				" %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
				"%*s %*s %*s %llu",
				state, &ticks) != 2)
		return false;
	*started = (int64_t)((double)ticks * 1e9 / (double)sysconf(_SC_CLK_TCK));
	return true;
}

enum process_state process_state(const struct process_info *p)
{
	int64_t started, first, tick = 1000000000 / sysconf(_SC_CLK_TCK);
	char state;

	if (p->ended)
		return p->filtered ? PROCESS_FILTERED : PROCESS_ENDED;
	if (p->executed)
		return PROCESS_EXECUTED;
	if (!p->present || !boot_is_this(p->boot) || !pid_space_is_this(p->pid_space))
		return PROCESS_UNKNOWN;
	if (!stat_read(p->pid, &state, &started) || state == 'Z' || state == 'X')
		return PROCESS_DIED;
	first = p->samples[0].monotonic + clock_now(CLOCK_BOOTTIME) - clock_now(CLOCK_MONOTONIC);
	return started <= first + tick ? PROCESS_RUNS : PROCESS_DIED; /* another of its number */
}
