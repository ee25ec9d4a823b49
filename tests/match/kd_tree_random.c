/* The k-d tree against looking at every row: random words, many of them equal, with rows that are
 * activated and deactivated. Prints its seed; SEED=N repeats. */
/* tested: oracles with random cases, ROUNDS trees: the k-d tree, and every row. */
#include "match/comparisons/kd_tree.h"
#include "tests/random.h"
#include "tests/tap.h"
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 3000, CHANGES = 40, TOGETHER = 16, MOST = 4, MANY = 140000 };
/* From so many rows on, threads share the cutting; the last box has few rows, or one. */
enum { BORDER = 1 << 16 };

struct made {
	size_t n;
	unsigned ncolumns, spread;
	uint32_t differs;
	int32_t *words;
	bool *active;
	struct kd_tree tree;
};

static int32_t random_word(struct random *r, unsigned spread)
{
	if (random_chance(r, 2))
		return random_chance(r, 50) ? KD_LEAST + 1 : KD_MOST - 1;
	return (int32_t)random_below(r, spread) - (int32_t)(spread / 2);
}

/* Two columns that are an inequality have a word and its mirror. */
static void random_words(struct random *r, const struct made *m, int32_t *words)
{
	for (unsigned c = 0; c < m->ncolumns; c++) {
		words[c] = random_word(r, m->spread);
		if (m->differs >> c & 1) {
			words[c + 1] = -words[c];
			c++;
		}
	}
}

/* The tree may be cut for the queries that will be asked, or not. */
static struct kd_queries queries_of(struct random *r, const struct made *m)
{
	return (struct kd_queries){m->words,
				   random_chance(r, 30) ? 0 : random_next(r) % (m->n + 1)};
}

static void made_init(struct random *r, struct made *m)
{
	bool active = random_chance(r, 50);
	int32_t *rows;

	*m =
	    (struct made){.n = 1 + random_below(r, 2) * random_below(r, 6000) + random_below(r, 40),
			  .ncolumns = 1 + random_below(r, MOST),
			  .spread = random_chance(r, 50) ? 1 + random_below(r, 20) : 1u << 30};
	if (random_chance(r, 2))
		m->n =
		    random_chance(r, 50) ? 1 + random_below(r, MANY) : BORDER + random_below(r, 40);
	for (unsigned c = 0; c + 1 < m->ncolumns; c++)
		if (random_chance(r, 15))
			m->differs |= 1u << c++;
	m->words = malloc(m->n * m->ncolumns * sizeof *m->words);
	m->active = malloc(m->n * sizeof *m->active);
	rows = malloc(m->n * (m->ncolumns + 1) * sizeof *rows);
	for (size_t i = 0; i < m->n; i++) {
		int32_t *row = rows + i * (m->ncolumns + 1);

		random_words(r, m, m->words + i * m->ncolumns);
		memcpy(row, m->words + i * m->ncolumns, m->ncolumns * sizeof *row);
		row[m->ncolumns] = (int32_t)i;
		m->active[i] = active;
	}
	kd_tree_init(&m->tree, rows, m->n, m->ncolumns, m->differs, active, queries_of(r, m));
	free(rows);
}

static void made_drop(struct made *m)
{
	kd_tree_clear(&m->tree);
	free(m->words);
	free(m->active);
}

static bool is_odd(void *context, uint32_t query, uint32_t position)
{
	(void)context;
	return query == 0 || position % 2;
}

static bool meets(const struct made *m, const int32_t *words, const int32_t *wanted)
{
	for (unsigned c = 0; c < m->ncolumns; c++)
		if (m->differs >> c & 1) {
			if (words[c] == wanted[c] && words[c + 1] == wanted[c + 1])
				return false;
			c++;
		} else if (words[c] < wanted[c]) {
			return false;
		}
	return true;
}

static int32_t look_everywhere(const struct made *m, const struct kd_search *s, int32_t limit)
{
	for (int32_t i = s->from; i < limit; i++)
		if (m->active[i] && meets(m, m->words + (size_t)i * m->ncolumns, s->wanted) &&
		    is_odd(NULL, s->query, (uint32_t)i))
			return i;
	return limit;
}

static void change(struct random *r, struct made *m)
{
	for (unsigned k = 0; k < CHANGES; k++) {
		uint32_t position = (uint32_t)(random_next(r) % m->n);

		kd_tree_prefetch(&m->tree, (uint32_t)(random_next(r) % m->n));
		if (m->active[position])
			kd_tree_deactivate(&m->tree, position);
		else
			kd_tree_activate(&m->tree, position);
		m->active[position] ^= true;
	}
}

static bool test_searches(struct random *r, const struct made *m)
{
	struct kd_search searches[TOGETHER] = {{0}};
	int32_t wanted[TOGETHER][MOST], limits[TOGETHER];
	size_t n = 1 + random_below(r, TOGETHER);
	bool good = true;

	for (size_t i = 0; i < n; i++) {
		random_words(r, m, wanted[i]);
		limits[i] = (int32_t)(m->n - random_next(r) % m->n / (1 + random_below(r, 4)));
		searches[i] = (struct kd_search){
		    .wanted = wanted[i],
		    .from = random_chance(r, 50) ? 0 : (int32_t)(random_next(r) % m->n),
		    .limit = limits[i],
		    .query = random_below(r, 2),
		    .test = is_odd,
		};
		good = good && kd_cell(&m->tree.cuts, wanted[i]) < KD_CELLS;
	}
	kd_tree_find(&m->tree, searches, n);
	for (size_t i = 0; i < n; i++)
		good = good && searches[i].limit == look_everywhere(m, &searches[i], limits[i]);
	return good;
}

int main(void)
{
	const char *seed = getenv("SEED");
	struct random r = {seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL)};
	bool good = true;

	printf("# SEED=%llu\n", (unsigned long long)r.state);
	for (int i = 0; good && i < ROUNDS; i++) {
		struct made m;

		made_init(&r, &m);
		for (int k = 0; good && k < 10; k++) {
			good = test_searches(&r, &m);
			change(&r, &m);
		}
		made_drop(&m);
	}
	ok(good, "what the k-d tree finds is what looking everywhere finds");
	return tap_end();
}
