/*
 * questions DIR SPEC...: searches, assertions and statistics are answered from instances as a
 * walk over all matches answers them. The specifications are for the directory's events; questions
 * and windows come by lot. SEED=N repeats a run. Prints TAP.
 */
#include "base/quantile.h"
#include "base/sort.h"
#include "match/stats/assertions.h"
#include "tests/tap.h"
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/logs/memory_budget.h"
#include "viewers/gorge/query/distribution.h"
#include "viewers/gorge/query/find.h"
#include "viewers/gorge/query/violations.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* RESULTS: so many are listed. */
enum { QUESTIONS = 200, WINDOWS = 100, RESULTS = 500 };

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

/* The condition is NULL for all of the interval's instances, or for those without a partner. */
struct question {
	const char *interval;
	bool unmatched;
	char *condition;
};

static struct question some_question(const struct spec *spec)
{
	struct question q = {.interval = spec->intervals[lot(spec->nintervals)]->name};

	if (lot(20) == 0)
		q.unmatched = lot(2);
	else
		q.condition = some_condition(2);
	return q;
}

/* Conditions that no duration fulfils, or all. */
static const char *const edges[] = {"0 ns > time", "time >= 0 ns", "time > 9223372036854775807 ns",
				    "9223372036854775807 ns >= time"};

#define EDGES (sizeof edges / sizeof *edges)

static struct question edge_question(const struct spec *spec, int i)
{
	return (struct question){.interval = spec->intervals[lot(spec->nintervals)]->name,
				 .condition = text_format("%s", edges[i])};
}

static char *text_of_question(const struct question *q)
{
	if (q->condition)
		return text_format("%s where %s", q->interval, q->condition);
	return text_format("%s%s", q->interval, q->unmatched ? " unmatched" : "");
}

/* An answer in the making. */
struct text {
	char *at;
	size_t size;
	FILE *out;
	struct json json;
};

static void text_begin(struct text *t, unsigned indent)
{
	t->out = open_memstream(&t->at, &t->size);
	t->json = json_begin(t->out, indent);
	json_object(&t->json, NULL);
}

static char *text_end(struct text *t)
{
	json_close(&t->json);
	fclose(t->out);
	return t->at;
}

static char *answer(struct trace_index *m, const char *question)
{
	struct diag diag = {.program = "find"};
	struct text t;

	text_begin(&t, 0);
	if (!find_write(m, question, &t.json, &diag))
		json_bool(&t.json, "refused", true);
	return text_end(&t);
}

/* ---- of matches ---- */

struct slow {
	struct trace *trace;
	struct aggregates *all;         /* has the matches */
};

static const struct matches *matches_of(const struct slow *s, const char *interval)
{
	return aggregates_matches(s->all, spec_interval(s->trace->spec, interval));
}

static bool is_hit(const struct question *q, const struct expr *condition, const struct matches *m,
		   size_t anchor)
{
	struct binding b;
	uint64_t faults = 0;

	if (q->unmatched || m->partner_of[anchor] == UNMATCHED)
		return q->unmatched && m->partner_of[anchor] == UNMATCHED;
	if (!condition)
		return true;
	matches_bind(m, anchor, true, &b);
	return expr_holds(condition, &b, &faults);
}

static void write_place(struct json *j, const struct trace *t, const struct matches *m, size_t anchor)
{
	struct instance i;

	matches_get(m, anchor, &i);
	json_array(j, NULL);
	json_uint(j, NULL, anchor);
	json_int(j, NULL, i.start);
	json_int(j, NULL, i.end);
	json_string(j, NULL, trace_thread(t, i.anchor.thread)->label);
	/* no event of these tests has an attribute that is an object */
	json_null(j, NULL);
	json_close(j);
}

static void write_hits(const struct question *q, const struct expr *condition,
		       const struct trace *t, const struct matches *m, struct json *j)
{
	uint64_t count = 0;

	json_string(j, "interval", q->interval);
	json_bool(j, "unmatched", q->unmatched);
	json_array(j, "hits");
	for (size_t a = 0; a < m->count; a++)
		if (is_hit(q, condition, m, a) && count++ < RESULTS)
			write_place(j, t, m, a);
	json_close(j);
	json_uint(j, "count", count);
}

static char *answer_slowly(const struct slow *s, const struct question *q)
{
	struct diag diag = {.program = "find"};
	const struct spec *logged = s->trace->spec;
	char *text = text_format("%s\nglimpse %s assert %s: %s; end\n", logged->text, logged->name,
			     q->interval, q->condition ? q->condition : "true");
	struct spec *spec = q->condition ? spec_parse("search", text, &diag) : NULL;
	struct text t;

	text_begin(&t, 0);
	if (q->condition && !spec)
		json_bool(&t.json, "refused", true);
	else
		write_hits(q, spec ? spec->assertions[logged->nassertions]->condition : NULL,
			   s->trace, matches_of(s, q->interval), &t.json);
	if (spec)
		spec_free(spec);
	free(text);
	return text_end(&t);
}

static void compare_answers(const char *name, const struct slow *slow, struct trace_index *fast)
{
	int wrong = 0;

	for (int i = 0; i < QUESTIONS; i++) {
		struct question q = i < (int)EDGES ? edge_question(slow->trace->spec, i)
						   : some_question(slow->trace->spec);
		char *question = text_of_question(&q);
		char *a = answer_slowly(slow, &q), *b = answer(fast, question);
		if (strcmp(a, b) != 0 && ++wrong == 1)
			printf("# %s\n# %.300s\n# %.300s\n", question, a, b);
		free(q.condition);
		free(question);
		free(a);
		free(b);
	}
	report(name, "searches", wrong);
}

/* ---- assertions ---- */

static char *verdicts(struct trace_index *m)
{
	struct violations *v = violations_new(m);
	struct text t;

	text_begin(&t, 1);
	violations_write(v, &t.json, "assertions");
	for (unsigned i = 0; i < m->trace->spec->nassertions; i++) {
		json_object(&t.json, "worst");
		violations_write_worst(v, i, &t.json);
		json_close(&t.json);
	}
	violations_free(v);
	return text_end(&t);
}

static void write_verdict(const struct verdict *v, struct json *j)
{
	char *text = assertion_text(v->assertion);

	json_object(j, NULL);
	json_string(j, "text", text);
	if (v->assertion->interval)
		json_string(j, "interval", v->assertion->interval->name);
	json_bool(j, "holds", v->holds);
	json_bool(j, "undefined", v->undefined);
	json_uint(j, "instances", v->instances);
	json_uint(j, "violated", v->violated);
	json_close(j);
	free(text);
}

static void write_worst(const struct slow *s, const struct verdict *v, struct json *j)
{
	const struct interval *interval = v->assertion->interval;

	json_object(j, "worst");
	json_string(j, "interval", interval ? interval->name : "");
	json_bool(j, "unmatched", false);
	json_array(j, "hits");
	for (size_t i = 0; i < v->nworst; i++)
		write_place(j, s->trace, matches_of(s, interval->name), v->worst[i].anchor);
	json_close(j);
	json_uint(j, "count", v->violated);
	json_close(j);
}

static char *verdicts_slowly(const struct slow *s)
{
	const struct spec *spec = s->trace->spec;
	struct verdict *all = array_zero(spec->nassertions, sizeof *all);
	struct text t;

	for (unsigned i = 0; i < spec->nassertions; i++)
		all[i] = check_assertion(s->all, spec->assertions[i], RESULTS);
	text_begin(&t, 1);
	json_array(&t.json, "assertions");
	for (unsigned i = 0; i < spec->nassertions; i++)
		write_verdict(&all[i], &t.json);
	json_close(&t.json);
	for (unsigned i = 0; i < spec->nassertions; i++) {
		write_worst(s, &all[i], &t.json);
		verdict_clear(&all[i]);
	}
	free(all);
	return text_end(&t);
}

static void compare_verdicts(const char *name, const struct slow *slow, struct trace_index *fast)
{
	char *a = verdicts_slowly(slow), *b = verdicts(fast);

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

static int64_t cut_length(const struct instance *i, const struct window *w)
{
	return (i->end < w->to ? i->end : w->to) - (i->start > w->from ? i->start : w->from);
}

static void take_lengths(const struct matches *m, const struct duration_query *q, struct all *all)
{
	const struct window *w = q->window;
	struct instance i;

	for (size_t a = 0; a < m->count; a++) {
		matches_get(m, a, &i);
		if (i.partner.record && i.end >= w->from && i.start <= w->to)
			*vector_add(&all->lengths) = q->cut ? cut_length(&i, w) : i.end - i.start;
	}
}

static uint64_t count_in(const struct all *all, int64_t from, int64_t to)
{
	uint64_t n = 0;

	for (size_t i = 0; i < all->lengths.n; i++)
		n += all->lengths.at[i] >= from && all->lengths.at[i] < to;
	return n;
}

static bool is_right(const struct all *all, const struct duration_histogram *s)
{
	const double wanted[QUANTILES] = {(double)lot(1001) / 1000, 0.99};
	struct distribution_bins bins = {0};
	int64_t quantiles[QUANTILES];
	uint64_t picked;
	bool right = s->n == all->lengths.n;

	if (s->n == 0)
		return right;
	for (int i = 0; i <= DISTRIBUTION_BINS; i++)
		bins.edges[i] = s->shortest + (int64_t)((double)(s->longest + 1 - s->shortest) * i / DISTRIBUTION_BINS);
	distribution_look(s, wanted, quantiles, &picked, lot(2) ? &bins : NULL);
	for (int i = 0; i < QUANTILES; i++)
		right &= quantiles[i] == all->lengths.at[quantile_place(s->n, wanted[i])];
	right &= s->shortest == all->lengths.at[0] && s->longest == all->lengths.at[s->n - 1];
	right &= picked == count_in(all, s->query->least, s->query->most + 1);
	for (int i = 0; i < DISTRIBUTION_BINS && bins.counts[0]; i++)
		right &= bins.counts[i] == count_in(all, bins.edges[i], bins.edges[i + 1]);
	return right;
}

static void compare_durations(const char *name, const struct slow *slow, struct trace_index *fast)
{
	const struct spec *spec = fast->trace->spec;
	uint64_t length = (uint64_t)fast->trace->duration + 1;
	int wrong = 0;

	for (int i = 0; i < WINDOWS; i++) {
		unsigned interval = (unsigned)lot(spec->nintervals);
		int64_t from = lot(3) ? (int64_t)lot(length) : 0;
		struct window w = {from, from + 1 + (int64_t)some_duration() * 4};
		struct duration_query of = {&w, NULL, lot(2), (int64_t)some_duration(), (int64_t)some_duration()};
		struct duration_histogram *s = distribution_new(fast, spec->intervals[interval], &of);
		struct all all = {0};
		take_lengths(matches_of(slow, spec->intervals[interval]->name), &of, &all);
		if (all.lengths.n)
			sort_words(all.lengths.at, all.lengths.n);
		if (!is_right(&all, s) && ++wrong == 1)
			printf("# %s from %" PRId64 " to %" PRId64 "%s\n", spec->intervals[interval]->name, w.from, w.to,
			       of.cut ? ", cut" : "");
		free(s);
		free(all.lengths.at);
	}
	report(name, "durations", wrong);
}

/* ---- a specification ---- */

static void compare(const char *directory, const char *spec)
{
	struct diag diag = {.program = "questions"};
	struct trace *t = trace_open(&directory, 1, spec, &diag);
	struct slow slow = {t, aggregates_new(t)};
	struct trace_index *fast = trace_index_new(trace_open(&directory, 1, spec, &diag), &diag);

	for (unsigned i = 0; i < fast->trace->spec->nintervals; i++) {
		trace_index_use(fast, fast->trace->spec->intervals[i]);
		trace_index_used();
	}
	compare_answers(spec, &slow, fast);
	compare_verdicts(spec, &slow, fast);
	compare_durations(spec, &slow, fast);
	aggregates_free(slow.all);
	trace_close(t);
	trace_index_free(fast);
}

int main(int argc, char **argv)
{
	uint64_t seed = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 10) : (uint64_t)time(NULL);

	printf("# SEED=%" PRIu64 "\n", seed);
	state = seed * 2 + 1;
	for (int i = 2; i < argc; i++) {
		/* all in memory; or in files, and event lists made anew for each interval */
		instances_fan_threads = lot(2) ? 64 : 1;
		memory_budget_least = lot(2) ? UINT64_C(64) << 20 : 0;
		compare(argv[1], argv[i]);
	}
	return tap_end();
}
