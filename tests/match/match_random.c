/*
 * The engine against the oracle: random specifications, random logs, the same intervals. Prints its
 * seed; SEED=N in the environment starts from case N, CASES=N does that many.
 * tested: oracles with random cases, CASES specifications with traces (CASES=1000000): the
 * matching engine, and a quadratic search.
 */
#include "base/spill.h"
#include "match/comparisons/kd_batch.h"
#include "match/join/row_reader.h"
#include "match/join/group.h"
#include "tests/random.h"
#include "tests/sanitized.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Whether both find the same; says where not, when asked. */
static bool agree(const struct interval *interval, const struct log *l, bool say)
{
	struct moments anchors = log_moments(l, interval->anchor.event);
	struct moments partners = log_moments(l, interval->partner.event);
	struct matches *fast = match_moments(interval, anchors, partners);
	struct matches *right = oracle_moments(interval, anchors, partners);
	bool same = fast->matched == right->matched && fast->not_asked == right->not_asked;

	if (say && fast->count != right->count)
		printf("# anchors: engine %zu, oracle %zu\n", fast->count, right->count);
	for (size_t i = 0; i < fast->count && i < right->count; i++) {
		if (fast->partner_of[i] == right->partner_of[i] &&
		    moments_place(&fast->anchors, i) == moments_place(&right->anchors, i))
			continue;
		same = false;
		if (say)
			printf("# anchor %zu: engine %zd, oracle %zd\n", i,
			       (ssize_t)fast->partner_of[i], (ssize_t)right->partner_of[i]);
	}
	matches_free(fast);
	matches_free(right);
	log_moments_free(&anchors);
	log_moments_free(&partners);
	return same;
}

static void log_remove(struct log *l, size_t i, struct event *removed)
{
	*removed = l->events[i];
	memmove(l->events + i, l->events + i + 1, (--l->n - i) * sizeof *l->events);
}

static void log_restore(struct log *l, size_t i, const struct event *removed)
{
	memmove(l->events + i + 1, l->events + i, (l->n++ - i) * sizeof *l->events);
	l->events[i] = *removed;
}

/* Takes out every event without which the two still differ. */
static void log_shrink(const struct interval *interval, struct log *l)
{
	for (size_t i = l->n; i-- > 0; ) {
		struct event removed;

		log_remove(l, i, &removed);
		if (agree(interval, l, false))
			log_restore(l, i, &removed);
		else
			free((void *)removed.record);
	}
}

static void report(uint64_t seed, const char *text, const struct interval *interval, struct log *l)
{
	log_shrink(interval, l);
	printf("# SEED=%llu CASES=1 repeats this:\n", (unsigned long long)seed);
	for (const char *line = text; *line; ) {
		size_t length = strcspn(line, "\n");

		printf("#   %.*s\n", (int)length, line);
		line += length + (line[length] == '\n');
	}
	log_print(l);
	agree(interval, l, true);
}

/* Most are small, a few so large that questions are asked in batches that grow. */
static size_t random_size(struct random *r)
{
	if (random_below(r, 500) == 0)
		return 2000 + random_below(r, 2000);
	return random_below(r, random_chance(r, 10) ? 400 : 50);
}

enum result { SAME, DIFFERENT, REFUSED };

static enum result try_case(uint64_t seed)
{
	struct random r = {seed};
	struct diag diag = {.program = "match_random"};
	char *text = random_spec(&r);
	struct spec *spec = spec_parse("random.spec", text, &diag);
	enum result result = REFUSED;

	if (spec) {
		size_t n = random_size(&r);
		struct log *l = random_log(&r, spec, n);

		partition_chunk = random_chance(&r, 10) ? 1 + random_below(&r, 20) : 1 << 15;
		partition_bucket = random_chance(&r, 10) ? 1 + random_below(&r, 20) : 1 << 13;
		join_chunk = random_chance(&r, 50) ? 1 + random_below(&r, 20) : 1 << 14;
		join_most = random_chance(&r, 20) ? random_below(&r, 8) : 1 << 16;
		join_shards = random_chance(&r, 20) ? 4 : 1;
		group_chunk = random_chance(&r, 10) ? 1 + random_below(&r, 20) : 1 << 14;
		max_tree_patience = random_chance(&r, 50) ? random_below(&r, 3) : 256;
		kd_batch_chunk = random_chance(&r, 20) ? 1 + random_below(&r, 20) : 1 << 10;
		spill_small = random_chance(&r, 2) ? 0 : 1 << 12;
		spill_set_limit(spill_small ? UINT64_MAX : 1);
		result = agree(spec->intervals[0], l, false) ? SAME : DIFFERENT;
		if (result == DIFFERENT)
			report(seed, text, spec->intervals[0], l);
		log_free(l);
		spec_free(spec);
	} else if (getenv("SHOW")) {
		diag.out = stdout;
		spec_parse("random.spec", text, &diag);
	}
	free(text);
	return result;
}

int main(void)
{
	uint64_t seed = random_number_from("SEED", (uint64_t)time(NULL) * 1000003);
	uint64_t cases = random_number_from("CASES", SANITIZED ? 4040 : 20200), count[3] = {0};

	/* Nobody looks at the temporary files: they need not wait for a disk. */
	if (access("/dev/shm", W_OK) == 0)
		setenv("TMPDIR", "/dev/shm", 0);
	printf("1..2\n# SEED=%llu\n", (unsigned long long)seed);
	/* those that are refused do not count */
	for (uint64_t i = 0; i < cases + count[REFUSED] && count[DIFFERENT] < 3; i++)
		count[try_case(seed + i)]++;
	printf("%sok 1 - the engine finds what the oracle finds, in %llu cases\n",
	       count[DIFFERENT] ? "not " : "",
	       (unsigned long long)(count[SAME] + count[DIFFERENT]));
	printf("%sok 2 - few of the random specifications are refused (%llu)\n",
	       count[REFUSED] > cases / 4 ? "not " : "", (unsigned long long)count[REFUSED]);
	return 0;
}
