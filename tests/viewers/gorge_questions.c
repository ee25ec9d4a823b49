/*
 * gorge_questions DIR SPEC...: searches, assertions and statistics are answered from instances as a
 * walk over all matches answers them. The specifications are for the directory's events; questions
 * and windows come by lot. SEED=N repeats a run. Prints TAP.
 */
#include "match/stats/series.h"
#include "tests/viewers/tap.h"
#include "viewers/gorge/index/memory_budget.h"
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/query/find.h"
#include "viewers/gorge/query/lookup.h"
#include "viewers/gorge/query/spread.h"
#include "viewers/gorge/query/violations.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { QUESTIONS = 200, WINDOWS = 100 };

static uint64_t state;

static uint64_t lot(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

/* Of any magnitude. */
static uint64_t some_duration(void)
{
	return lot(UINT64_C(2) << lot(42));
}

static void report(const char *name, const char *what, int wrong)
{
	char *text = text_format("%s: %s", name, what);

	ok(wrong == 0, text);
	free(text);
}

/* ---- questions ---- */

static char *some_term(void)
{
	static const char *const comparisons[] = {"<", "<=", ">", ">=", "==", "!="};
	const char *op = comparisons[lot(6)];

	switch (lot(7)) {
	case 0:
		return text_format("%" PRIu64 " ns %s time", some_duration(), op);
	case 1:
		return text_format("b.key %% %" PRIu64 " %s 1", 1 + lot(5), op);
	case 2:
		return text_format("b.load + e.load %s %" PRIu64, op, lot(200));
	case 3:
		return text_format("e.time %s %" PRIu64 " ns", op, some_duration());
	case 4:
		return text_format("b.thread %s e.thread", op);
	default:
		return text_format("time %s %" PRIu64 " ns", op, some_duration());
	}
}

static char *some_condition(unsigned depth)
{
	static const char *const joins[] = {"&&", "&&", "||"};
	char *left, *right, *whole;

	if (depth == 0 || lot(3) == 0)
		return some_term();
	left = some_condition(depth - 1);
	right = some_condition(depth - 1);
	whole = text_format("%s(%s %s %s)", lot(5) ? "" : "!", left, joins[lot(3)], right);
	free(left);
	free(right);
	return whole;
}

static char *some_question(const struct spec *spec)
{
	const char *name = spec->intervals[lot(spec->nintervals)]->name;
	char *condition, *question;

	if (lot(20) == 0)
		return text_format("%s%s", name, lot(2) ? " unmatched" : "");
	condition = some_condition(2);
	question = text_format("%s where %s", name, condition);
	free(condition);
	return question;
}

static char *answer(struct model *m, const char *question)
{
	struct diag diag = {.program = "find"};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct json j = json_begin(out, 0);

	json_object(&j, NULL);
	if (!find_write(m, question, &j, &diag))
		json_string(&j, "refused by", m->pyramid ? "instances" : "matches");
	json_close(&j);
	fclose(out);
	return text;
}

static void compare_answers(const char *name, struct model *slow, struct model *fast)
{
	int wrong = 0;

	for (int i = 0; i < QUESTIONS; i++) {
		char *question = some_question(slow->trace->spec);
		char *a = answer(slow, question), *b = answer(fast, question);
		if (strcmp(a, b) != 0 && ++wrong == 1)
			printf("# %s\n# %.300s\n# %.300s\n", question, a, b);
		free(question);
		free(a);
		free(b);
	}
	report(name, "searches", wrong);
}

/* ---- assertions ---- */

static char *verdicts(struct model *m)
{
	const struct violations *v = model_violations(m);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct json j = json_begin(out, 1);

	json_object(&j, NULL);
	violations_write(v, &j, "assertions");
	for (unsigned i = 0; i < m->trace->spec->nassertions; i++) {
		json_object(&j, "worst");
		violations_write_worst(v, i, &j);
		json_close(&j);
	}
	json_close(&j);
	fclose(out);
	return text;
}

static void compare_verdicts(const char *name, struct model *slow, struct model *fast)
{
	char *a = verdicts(slow), *b = verdicts(fast);

	if (strcmp(a, b) != 0)
		printf("# %.2000s\n# %.2000s\n", a, b);
	report(name, "assertions", strcmp(a, b) != 0);
	free(a);
	free(b);
}

/* ---- durations ---- */

struct all {
	VECTOR(int64_t) lengths;
};

static void take(void *context, const struct lengths *l, unsigned worker)
{
	struct all *all = context;

	(void)worker;
	for (size_t i = 0; i < l->n; i++)
		*vector_add(&all->lengths) = length_at(l, i);
}

static uint64_t count_in(const struct all *all, int64_t from, int64_t to)
{
	uint64_t n = 0;

	for (size_t i = 0; i < all->lengths.n; i++)
		n += all->lengths.at[i] >= from && all->lengths.at[i] < to;
	return n;
}

static bool is_right(const struct all *all, const struct spread *s)
{
	const double wanted[QUANTILES] = {(double)lot(1001) / 1000, 0.99};
	struct spread_bins bins = {0};
	int64_t quantiles[QUANTILES];
	uint64_t picked;
	bool right = s->n == all->lengths.n;

	if (s->n == 0)
		return right;
	for (int i = 0; i <= SPREAD_BINS; i++)
		bins.edges[i] = s->shortest + (int64_t)((double)(s->longest + 1 - s->shortest) * i / SPREAD_BINS);
	spread_look(s, wanted, quantiles, &picked, lot(2) ? &bins : NULL);
	for (int i = 0; i < QUANTILES; i++)
		right &= quantiles[i] == all->lengths.at[quantile_place(s->n, wanted[i])];
	right &= s->shortest == all->lengths.at[0] && s->longest == all->lengths.at[s->n - 1];
	right &= picked == count_in(all, s->of->least, s->of->most + 1);
	for (int i = 0; i < SPREAD_BINS && bins.counts[0]; i++)
		right &= bins.counts[i] == count_in(all, bins.edges[i], bins.edges[i + 1]);
	return right;
}

static void compare_durations(const char *name, struct model *slow, struct model *fast)
{
	const struct spec *spec = fast->trace->spec;
	uint64_t length = (uint64_t)fast->trace->duration + 1;
	int wrong = 0;

	for (int i = 0; i < WINDOWS; i++) {
		unsigned interval = (unsigned)lot(spec->nintervals);
		int64_t from = lot(3) ? (int64_t)lot(length) : 0;
		struct window w = {from, from + 1 + (int64_t)some_duration() * 4};
		struct durations_of of = {&w, NULL, (int64_t)some_duration(), (int64_t)some_duration()};
		struct spread *s = spread_new(fast, spec->intervals[interval], &of);
		struct all all = {0};
		lookup_lengths(slow, slow->trace->spec->intervals[interval], &w, NULL, take, &all);
		if (all.lengths.n)
			sort_words(all.lengths.at, all.lengths.n);
		if (!is_right(&all, s) && ++wrong == 1)
			printf("# %s from %" PRId64 " to %" PRId64 "\n", spec->intervals[interval]->name, w.from, w.to);
		free(s);
		free(all.lengths.at);
	}
	report(name, "durations", wrong);
}

/* ---- a specification ---- */

static void compare(const char *directory, const char *spec)
{
	struct diag diag = {.program = "gorge_questions"};
	struct model *slow = model_new(trace_open(&directory, 1, spec, &diag), false);
	struct model *fast = model_new(trace_open(&directory, 1, spec, &diag), true);

	for (unsigned i = 0; i < fast->trace->spec->nintervals; i++) {
		pyramid_use(fast->pyramid, fast->trace->spec->intervals[i]);
		pyramid_used(fast->pyramid);
	}
	compare_answers(spec, slow, fast);
	compare_verdicts(spec, slow, fast);
	compare_durations(spec, slow, fast);
	model_free(slow);
	model_free(fast);
}

int main(int argc, char **argv)
{
	uint64_t seed = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 10) : (uint64_t)time(NULL);

	printf("# SEED=%" PRIu64 "\n", seed);
	state = seed * 2 + 1;
	for (int i = 2; i < argc; i++) {
		/* all in memory; or in files, and event lists made anew for each interval */
		instances_many = lot(2) ? 64 : 1;
		search_room_least = lot(2) ? UINT64_C(64) << 20 : 0;
		compare(argv[1], argv[i]);
	}
	return tap_end();
}
