/*
 * The pairing of a stream against the oracle: random intervals, random logs, the same instances; and
 * if only few events may be kept, the same unless it says that it is unsure. Prints its seed; SEED=N
 * in the environment starts from case N, CASES=N does that many.
 * tested: oracles with random cases, CASES specifications with traces (CASES=1000000): pairs in a
 * stream, and a quadratic search.
 */
#include "base/array.h"
#include "match/join/match.h"
#include "match/join/pair_stream.h"
#include "tests/random.h"
#include "tests/sanitized.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct pair {
	const unsigned char *earlier, *later;
};

struct found {
	VECTOR(struct pair) pairs;
};

/* ---- specifications ---- */

/* Intervals as the probes have them: they compare few values, and all, some or none of these are the key. */
static char *random_causes(struct random *r)
{
	static const char *const forms[][2] = {{"->", "nested"}, {"->", "once"}, {"->", ""},
					       {"<-", "once"},   {"<-", ""},     {"<-", ""}};
	static const char *const conditions[] = {
	    "",
	    " && a.x2 / 2 == b.x2 / 2",
	    " && a.x1 / 2 == b.x1 / 2 && (a.x1 % 2 == 0 || b.x1 % 2 == 0)",
	    " && a.x1 > b.x1",
	    " && a.x1 <= b.x1 && a.x2 != b.x2",
	    " && b.x2 > a.time / 10",
	    " && a.x1 != b.x1",
	    " && a.x2 == b.x2 && a.x1 == b.x1",
	    " && a.x1 == 0",
	    " && b.x1 == 0 && a.thread != b.thread",
	};
	const char *const *form = forms[random_below(r, 6)];

	if (random_chance(r, 40))
		return random_spec(r);
	return text_format("glimpse random\nevent E0(int x0, int x1, long x2);\n"
			   "event E1(int x0, uint x1, long x2);\n"
			   "interval I [a:E0 %s b:E%u] %s where a.x0 == b.x0%s;\nend\n",
			   form[0], random_chance(r, 80), form[1],
			   conditions[random_below(r, sizeof conditions / sizeof *conditions)]);
}

/* ---- what the two find ---- */

static void pair_add(void *context, unsigned interval, const struct event *earlier,
		     const struct event *later)
{
	struct found *f = context;

	*vector_add(&f->pairs) = (struct pair){earlier->record, later->record};
	(void)interval;
}

static uint64_t stream_find(struct found *f, const struct interval *interval, const struct log *l)
{
	struct pair_stream *s = pair_stream_new(&l->trace, &interval, 1, pair_add, f);
	uint64_t unsure;

	for (size_t i = 0; i < l->n; i++)
		pair_stream_put(s, &l->events[i]);
	unsure = pair_stream_unsure(s);
	pair_stream_free(s);
	return unsure;
}

static void oracle_find(struct found *f, const struct interval *interval, const struct log *l)
{
	struct moments anchors = log_moments(l, interval->anchor.event);
	struct moments partners = log_moments(l, interval->partner.event);
	struct matches *m = oracle_moments(interval, anchors, partners);

	for (size_t i = 0; i < m->count; i++) {
		struct event a, p;

		if (m->partner_of[i] == UNMATCHED)
			continue;
		moments_look(&m->anchors, i, &a);
		moments_look(&m->partners, m->partner_of[i], &p);
		if (interval->direction == FORWARDS)
			pair_add(f, 0, &a, &p);
		else
			pair_add(f, 0, &p, &a);
	}
	matches_free(m);
	log_moments_free(&anchors);
	log_moments_free(&partners);
}

/* ---- the comparison ---- */

static int pair_order(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct pair));
}

static void pairs_sort(struct found *f)
{
	if (f->pairs.n)
		qsort(f->pairs.at, f->pairs.n, sizeof *f->pairs.at, pair_order);
}

enum result { SAME, UNSURE, DIFFERENT, REFUSED };

static enum result compare(const struct interval *interval, const struct log *l)
{
	struct found stream = {.pairs = {0}}, oracle = {.pairs = {0}};
	uint64_t unsure = stream_find(&stream, interval, l);
	bool same;

	oracle_find(&oracle, interval, l);
	pairs_sort(&stream);
	pairs_sort(&oracle);
	same = stream.pairs.n == oracle.pairs.n;
	for (size_t i = 0; same && i < stream.pairs.n; i++)
		same = pair_order(&stream.pairs.at[i], &oracle.pairs.at[i]) == 0;
	free(stream.pairs.at);
	free(oracle.pairs.at);
	return unsure ? UNSURE : same ? SAME : DIFFERENT;
}

static enum result try_case(uint64_t seed)
{
	struct random r = {seed};
	struct diag diag = {.program = "pair_stream_random"};
	char *text = random_causes(&r);
	struct spec *spec = spec_parse("random.spec", text, &diag);
	enum result result = REFUSED;

	if (spec) {
		struct log *l =
		    random_log(&r, spec, random_below(&r, random_chance(&r, 5) ? 1000 : 60));

		pair_stream_most = random_chance(&r, 70) ? 2000 : 1 + random_below(&r, 40);
		result = compare(spec->intervals[0], l);
		if (result == DIFFERENT || (result == UNSURE && pair_stream_most == 2000)) {
			printf(
			    "# SEED=%llu CASES=1 repeats this, with %zu events kept at most:\n%s",
			    (unsigned long long)seed, pair_stream_most, text);
			log_print(l);
			result = DIFFERENT;
		}
		log_free(l);
		spec_free(spec);
	}
	free(text);
	return result;
}

int main(void)
{
	uint64_t seed = random_number_from("SEED", (uint64_t)time(NULL) * 1000003);
	uint64_t cases = random_number_from("CASES", SANITIZED ? 2000 : 10000),
		 count[REFUSED + 1] = {0};

	printf("1..2\n# SEED=%llu\n", (unsigned long long)seed);
	/* those that are refused do not count */
	for (uint64_t i = 0; i < cases + count[REFUSED] && count[DIFFERENT] < 3; i++)
		count[try_case(seed + i)]++;
	printf("%sok 1 - the stream has the pairs that the oracle finds, in %llu cases\n",
	       count[DIFFERENT] ? "not " : "",
	       (unsigned long long)(count[SAME] + count[DIFFERENT]));
	printf("%sok 2 - few cases are unsure (%llu) or refused (%llu)\n",
	       count[REFUSED] + count[UNSURE] > cases / 2 + 1 ? "not " : "",
	       (unsigned long long)count[UNSURE], (unsigned long long)count[REFUSED]);
	return 0;
}
