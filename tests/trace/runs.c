/* Merged runs against sorting them: random sizes, many equal numbers, the least and the greatest.
 * tested: oracles with random cases, ROUNDS sets of lists: merged lists, and sorting.
 */
#include "tests/random.h"
#include "tests/tap.h"
#include "trace/stream/merge_runs.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 4000, RUNS = 40, MANY = 600 };

struct made {
	struct sorted_run runs[RUNS];
	size_t nruns, room, n;
	uint64_t *words, *spare, *sorted;
};

static int compare(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static uint64_t random_number(struct random *r)
{
	switch (random_below(r, 10)) {
	case 0:
		return UINT64_MAX - 1 - random_below(r, 2);
	case 1:
		return random_below(r, 2);
	case 2:
		return random_below(r, 50);
	default:
		return random_next(r);
	}
}

/* Some runs have one number, some many; in some rounds each run begins after the one before. */
static void runs_make(struct random *r, struct made *m)
{
	bool apart = random_chance(r, 20);
	size_t greatest = random_below(r, RUNS);

	m->nruns = 1 + random_below(r, RUNS);
	m->room = m->n = 0;
	for (size_t i = 0; i < m->nruns; i++) {
		size_t n = 1 + random_below(r, random_chance(r, 50) ? 3 : MANY);

		m->runs[i] = (struct sorted_run){m->room, n};
		for (size_t k = 0; k < n; k++)
			m->words[m->room + k] =
			    apart ? i << 40 | random_below(r, 1000) : random_number(r);
		if (i == greatest)
			m->words[m->room] = UINT64_MAX;
		qsort(m->words + m->room, n, sizeof *m->words, compare);
		memcpy(m->sorted + m->n, m->words + m->room, n * sizeof *m->words);
		m->n += n;
		m->room += n + 1 + random_below(r, 3);
	}
	qsort(m->sorted, m->n, sizeof *m->sorted, compare);
}

static bool test_round(struct random *r, struct made *m)
{
	uint64_t *to = random_chance(r, 50) ? malloc(m->n * sizeof *to) : NULL, *result;
	bool good;

	result = runs_merge(m->runs, m->nruns, m->words, m->spare, to);
	good = (!to || result == to) && memcmp(result, m->sorted, m->n * sizeof *result) == 0;
	free(to);
	return good;
}

int main(void)
{
	const char *seed = getenv("SEED");
	struct random r = {seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL)};
	size_t bytes = RUNS * (MANY + 3) * sizeof(uint64_t);
	struct made m = {.words = malloc(bytes), .spare = malloc(bytes), .sorted = malloc(bytes)};
	bool good = m.words && m.spare && m.sorted;

	printf("# SEED=%llu\n", (unsigned long long)r.state);
	for (int i = 0; good && i < ROUNDS; i++) {
		runs_make(&r, &m);
		good = test_round(&r, &m);
	}
	ok(good, "merged runs are what sorting gives");
	free(m.words);
	free(m.spare);
	free(m.sorted);
	return tap_end();
}
