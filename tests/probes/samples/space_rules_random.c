/*
 * Rules for the frames of processes that map this program's own modules at random places, over one another, fork, and
 * execute others: with the memory of rules that were found before and without it they are the same.
 * SEED repeats a run.
 */
#include "recorder/samples/spaces.h"
#include "tests/random.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 3000, QUESTIONS = 40, PROCESSES = 5, MODULES_MOST = 32, PLACES = 12, PAGE = 4096 };
#define FIRST_PID 0x7ff00000u /* no process has it: pids are less */

static unsigned tests;
static struct mapping modules[MODULES_MOST];
static unsigned nmodules;

static void check(bool good, const char *what)
{
	printf("%s %u - %s\n", good ? "ok" : "not ok", ++tests, what);
}

static void modules_look(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	static char paths[MODULES_MOST][4096];
	char line[4096], *path = paths[0], mode[5];
	uint64_t to;

	while (f && nmodules < MODULES_MOST && fgets(line, sizeof line, f)) {
		struct mapping m = {.path = NULL};

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %4095s",
			   &m.from, &to, mode, &m.offset, &m.major, &m.minor, &m.inode, path) < 8 ||
		    !strchr(mode, 'x') || *path != '/')
			continue;
		m.size = to - m.from;
		m.path = path;
		modules[nmodules++] = m;
		path = paths[nmodules % MODULES_MOST];
	}
	if (f)
		fclose(f);
}

static uint64_t any_place(struct random *r)
{
	return (UINT64_C(0x7f00) << 32) + (uint64_t)random_below(r, PLACES) * 64 * PAGE;
}

/* One change of what processes have mapped, at a time. */
static void step_take(struct random *r, int64_t time)
{
	uint32_t pid = FIRST_PID + random_below(r, PROCESSES);
	struct mapping m = modules[random_below(r, nmodules)];

	switch (random_below(r, 20)) {
	case 0:
		space_fork(pid, FIRST_PID + random_below(r, PROCESSES), time);
		break;
	case 1:
		space_execute(pid, time);
		break;
	case 2:
		space_end(pid, time);
		break;
	default:
		m.from = any_place(r);
		space_map(pid, time, &m);
	}
}

static bool rules_equal(struct random *r, int64_t time, unsigned *rules)
{
	for (int i = 0; i < QUESTIONS; i++) {
		struct space *s = space_at(FIRST_PID + random_below(r, PROCESSES), time);
		/* few places, so that most were asked for before */
		uint64_t pc = any_place(r) + random_below(r, 50) * 64;
		struct cfi_rule got = {0}, want = {0};
		enum space_code code = space_rule(s, pc, &got);

		if (code != space_rule_searched(s, pc, &want) ||
		    memcmp(&got, &want, sizeof got) != 0)
			return false;
		*rules += code == SPACE_MODULE && got.kind > CFI_END;
	}
	return true;
}

static void rules_compare(struct random *r)
{
	unsigned rules = 0;
	bool good = true;

	spaces_open("");
	for (int i = 1; i <= STEPS && good; i++) {
		step_take(r, i);
		good = rules_equal(r, i, &rules);
		if (i % 100 == 0)
			spaces_sweep(i - 50, &(struct space_files){0});
	}
	spaces_free(&(struct space_files){0});
	check(good && rules > STEPS,
	      "rules are the same with the memory of those that were found and without it");
	printf("# %u rules\n", rules);
}

int main(void)
{
	const char *given = getenv("SEED");
	struct random r = {given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL)};

	printf("# SEED=%" PRIu64 "\n", r.state);
	modules_look();
	if (nmodules)
		rules_compare(&r);
	images_free();
	printf("1..%u\n", tests);
	return 0;
}
