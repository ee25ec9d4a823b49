/* Conditions and metrics, their values on one pair of records: a table. */
#include "grammar/parse.h"
#include "spec/expr.h"
#include "spec/expr_check.h"
#include "spec/spec.h"
#include "tests/tap.h"
#include <math.h>
#include <stdlib.h>

enum outcome { NO, YES, FAULT };

/*
 * The two records:  i            u     l          ul    d     s       p
 *	a            -1    2^32-1  -2^63       2^64-1  NaN   "abc"   16
 *	b             7         0   2^63-1          0  2.5   "abcd"  2^63
 */
static const struct {
	const char *condition;
	enum outcome outcome;
} conditions[] = {
	/* signed and unsigned, as in mathematics */
	{"a.i < b.u", YES}, {"a.i < a.u", YES}, {"a.u > a.i", YES}, {"a.i == a.u", NO},
	{"a.l < a.ul", YES}, {"a.l < b.l", YES}, {"b.p > b.l", YES}, {"b.p - 1 == b.l", YES},
	{"a.ul == 18446744073709551615", YES}, {"a.ul == 0xffffffffffffffff", YES},
	{"a.l == -9223372036854775808", YES}, {"a.i == -1", YES}, {"a.i == 4294967295", NO},
	/* arithmetic */
	{"b.i + 1 == 8 && b.i - 8 == -1 && b.i * 2 == 14", YES},
	{"b.i / 2 == 3 && b.i % 4 == 3", YES},
	{"-b.i / 2 == -3 && -b.i % 4 == -3", YES},
	{"1 + 2 * 3 == 7 && (1 + 2) * 3 == 9 && 10 - 3 - 2 == 5", YES},
	{"a.ul - 1 == 18446744073709551614", YES}, {"a.ul - a.ul == 0", YES},
	{"a.l + a.ul == 9223372036854775807", YES},
	/* overflow and division by zero make it false, and are counted */
	{"a.ul + 1 > 0", FAULT}, {"a.l - 1 < 0", FAULT}, {"a.ul * a.ul > 0", FAULT},
	{"a.l * a.l > 0", FAULT}, {"-a.ul < 0", FAULT}, {"b.i / b.u == 0", FAULT},
	{"b.i % b.u == 0", FAULT}, {"!(b.i / b.u == 0)", FAULT}, {"b.d / b.u > 0", FAULT},
	{"-a.l == 9223372036854775808", YES}, {"a.l / -1 == 9223372036854775808", YES},
	/* the left operand decides whether the right one is looked at */
	{"b.u != 0 && b.i / b.u == 0", NO}, {"b.u == 0 || b.i / b.u == 0", YES},
	{"b.i / b.u == 0 || b.u == 0", FAULT}, {"b.u == 0 && b.i / b.u == 0", FAULT},
	{"a.i == -1 || a.i == 2 && a.i == 3", YES}, {"(a.i == -1 || a.i == 2) && a.i == 3", NO},
	{"!(a.i == -1) || !(a.i == 0)", YES}, {"!!(a.i == -1)", YES},
	/* doubles: an integer met by one becomes one */
	{"b.d == 2.5", YES}, {"b.d > 2 && b.d < 3", YES}, {"b.i / 2.0 == 3.5", YES},
	{"b.i * b.d == 17.5", YES}, {"b.d - 2.5 == 0", YES}, {"-b.d == -2.5", YES},
	{"1e3 == 1000", YES}, {"b.d * 1e308 * 1e308 > 1e308", YES},
	/* NaN */
	{"a.d == a.d", NO}, {"a.d != a.d", YES}, {"a.d < 1", NO}, {"a.d >= 1", NO},
	{"!(a.d < 1)", YES}, {"a.d + 1 == a.d + 1", NO}, {"a.d != b.d", YES}, {"a.i != a.d", YES},
	/* strings compare byte by byte; the shorter of two is the smaller */
	{"a.s == \"abc\"", YES}, {"a.s != b.s", YES}, {"a.s < b.s", YES}, {"b.s >= \"abcd\"", YES},
	{"a.s < \"b\"", YES}, {"a.s > \"\"", YES}, {"\"abc\" == a.s", YES}, {"a.s == \"ABC\"", NO},
	{"a.s <= \"abc\" && a.s <= b.s", YES}, {"b.d <= 2.5 && b.d <= 3", YES},
	{"a.s < \"\\xc3\\xa4\"", YES}, {"a.t == \"\"", YES}, {"b.t == \"x\\ty\"", YES},
	/* intrinsic attributes, units */
	{"b.time - a.time == 5 ms", YES}, {"b.time - a.time < 0.0051 s", YES},
	{"a.time == 1 us && a.time == 1000", YES}, {"a.thread == 3 && b.thread == 4", YES},
	{"a.owner == \"main\" && b.owner == \"\"", YES}, {"a.owner != b.owner", YES},
	{"1 min == 60 s && 1 s == 1000 ms && 1 ms == 1000 us && 1 us == 1000 ns", YES},
	{"1 KiB == 1024 B && 1 MiB == 1024 KiB && 1 GiB == 1024 MiB", YES},
	{"1 KB == 1000 B && 1 MB == 1000 KB && 1 GB == 1000 MB && 1.5 KiB == 1536 B", YES},
	{"(b.time - a.time) / 1 ms == 5", YES}, {"(b.time - a.time) * 2 == 10 ms", YES},
	{"a.x <-1", NO}, {"a.i <0", YES}, {"a.i <-0", YES},
};

static const struct {
	const char *metric;
	double value;
} metrics[] = {
	{"time", 5e6}, {"time / 1 us", 5000}, {"b.i * 1000.0 / time", 7000 / 5e6},
	{"b.i / 2", 3}, {"b.d * 2", 5}, {"one + one", 2}, {"one / 0", NAN},
};

static const char events[] =
    "event A(int i, uint u, string s, long l, ulong ul, double d, string t,"
    " address p, x);\n"
    "event B(int i, uint u, string s, long l, ulong ul, double d, string t,"
    " address p, x);\n";

static struct spec *spec_with(const char *condition, const char *metric)
{
	char text[2048];
	struct diag diag = {.out = NULL};
	snprintf(
	    text, sizeof text,
	    "glimpse test %s interval I [ a:A -> b:B ] where %s metric one = 1 metric m = %s; end",
	    events, condition, metric);
	return spec_parse("test", text, &diag);
}

#define PUT(value) do { \
	memcpy(at, &(value), sizeof(value)); \
	at += sizeof(value); \
} while (0)

static unsigned char *string_put(unsigned char *at, const char *s)
{
	uint32_t length = (uint32_t)strlen(s);
	PUT(length);
	memcpy(at, s, length);
	return at + (length + 3) / 4 * 4;
}

static void record_put(unsigned char *record, int32_t i, uint32_t u, int64_t l, uint64_t ul,
		       double d, const char *s, const char *t, uint64_t p)
{
	unsigned char *at = record + 4;
	int32_t x = 0;
	PUT(i);
	PUT(u);
	PUT(l);
	PUT(ul);
	PUT(d);
	PUT(p);
	PUT(x);
	string_put(string_put(at, s), t);
}

static unsigned char a_record[128], b_record[128];

static struct binding binding_of(const struct interval *i)
{
	record_put(a_record, -1, UINT32_MAX, INT64_MIN, UINT64_MAX, NAN, "abc", "", 16);
	record_put(b_record, 7, 0, INT64_MAX, 0, 2.5, "abcd", "x\ty", (uint64_t)1 << 63);
	return (struct binding){
		.side = {{i->anchor.event, a_record, 1000, 3, "main"},
			 {i->partner.event, b_record, 5001000, 4, NULL}},
		.duration = 5000000,
	};
}

static enum outcome outcome_of(bool holds, uint64_t faults)
{
	if (holds)
		return YES;
	return faults ? FAULT : NO;
}

static void condition_test(const char *condition, enum outcome wanted)
{
	struct spec *s = spec_with(condition, "1");
	uint64_t faults = 0;
	enum outcome got = FAULT;
	if (s) {
		struct binding b = binding_of(s->intervals[0]);
		bool holds = expr_holds(s->intervals[0]->condition, &b, &faults);
		got = outcome_of(holds, faults);
	}
	ok(got == wanted, condition);
	spec_free(s);
}

static void metric_test(const char *metric, double wanted)
{
	struct spec *s = spec_with("1 == 1", metric);
	struct value v = {.kind = VALUE_REAL, .real = NAN};
	bool defined = false;
	if (s) {
		struct binding b = binding_of(s->intervals[0]);
		defined = expr_value(s->intervals[0]->metrics[1].value, &b, &v);
	}
	double got = !defined ? NAN : v.kind == VALUE_INT ? (double)v.integer : v.real;
	ok(s && (got == wanted || (isnan(got) && isnan(wanted))), metric);
	spec_free(s);
}

static bool count_five(void *context, const struct aggregate *a, struct value *result)
{
	if (a->function == AGGREGATE_QUANTILE)
		return false;
	*result = (struct value){.kind = VALUE_INT, .integer = *(int *)context};
	return true;
}

static void aggregate_test(const char *assertion, enum outcome wanted)
{
	char text[1024];
	struct diag diag = {.out = NULL};
	int five = 5;
	uint64_t faults = 0;
	struct binding b = {.aggregate = count_five, .context = &five};
	snprintf(text, sizeof text, "glimpse t event A; interval I [ A -> A ]; assert %s; end",
		 assertion);
	struct spec *s = spec_parse("test", text, &diag);
	bool holds = s && expr_holds(s->assertions[0]->condition, &b, &faults);
	ok(s && outcome_of(holds, faults) == wanted, assertion);
	spec_free(s);
}

/* Conditions on one event, and on an instance, as selections have them. */
static void selection_test(const char *text, bool of_event, bool wanted)
{
	struct diag diag = {.out = NULL};
	uint64_t faults = 0;
	struct spec *s = spec_with("1 == 1", "a.i + 1");
	struct source *source = source_text("<expression>", text);
	struct ast *tree = parse_series(source, &diag);
	struct binding b = binding_of(s->intervals[0]);
	struct expr *e = of_event ? event_condition(s, s->events[0], tree->series, &diag)
				  : interval_condition(s, s->intervals[0], tree->series, &diag);
	ok(wanted ? e && expr_holds(e, &b, &faults) : !e && diag.errors == 1, text);
	expr_free(e);
	ast_free(tree);
	source_free(source);
	spec_free(s);
}

int main(void)
{
	selection_test("i == -1 && thread == 3 && owner == \"main\" && time == 1 us", true, true);
	selection_test("a.i == -1", true, false);
	selection_test("j == 1", true, false);
	selection_test("i", true, false);
	selection_test("a.i == -1 && b.thread == 4 && time == 5 ms && m == 0 && one == 1", false,
		       true);
	selection_test("i == -1", false, false);
	selection_test("count(A) == 1", false, false);
	for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
		condition_test(conditions[i].condition, conditions[i].outcome);
	for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
		metric_test(metrics[i].metric, metrics[i].value);
	aggregate_test("count(I) == 5", YES);
	aggregate_test("count(I) - unmatched(I) != 0", NO);
	aggregate_test("p99.9(I.time) < 1 s", FAULT);
	aggregate_test("count(A) == 5 || p99.9(I.time) < 1 s", YES);
	return tap_end();
}
