/* Which definitions of an interval are recognised as the same: each of some against each, and constants that cannot be written. */
#include "spec/equal.h"
#include "tests/tap.h"
#include <math.h>
#include <stdlib.h>

/* No two mean the same. */
static const char *const definitions[] = {
	"[ a:A -> b:B ]", "[ a:A <- b:B ]", "[ a:B -> b:A ]", "[ a:A -> b:B ] Match", "[ a:C -> b:C ] Match",
	"[ a:A -> b:B ] once", "[ a:A -> b:B ] nested",
	"[ a:A -> b:B ] where a.i < b.i", "[ a:A -> b:B ] where a.i <= b.i", "[ a:A -> b:B ] where b.i < a.i",
	"[ a:A -> b:B ] where a.i < 1", "[ a:A -> b:B ] where a.i < 2", "[ a:A -> b:B ] where a.i < 1.0",
	"[ a:A -> b:B ] where a.i < -1", "[ a:A -> b:B ] where a.i < 1.5", "[ a:A -> b:B ] where a.i < -1.5",
	"[ a:A -> b:B ] where a.i < 1.5000000000000002", "[ a:A -> b:B ] where b.i < 1.5",
	"[ a:A -> b:B ] where a.d < 0", "[ a:A -> b:B ] where a.d < 0.0", "[ a:A -> b:B ] where a.d < -0.0",
	"[ a:A -> b:B ] where a.d * 0.5 < 1e300", "[ a:A -> b:B ] where a.d * 0.25 < 1e300",
	"[ a:A -> b:B ] where a.d / 0.5 < 1e300", "[ a:A -> b:B ] where -a.d < 1.5", "[ a:A -> b:B ] where a.d < 1.5",
	"[ a:A -> b:B ] where a.s == \"\"", "[ a:A -> b:B ] where a.s == \"x\"", "[ a:A -> b:B ] where a.s == \"X\"",
	"[ a:A -> b:B ] where a.s == \"xy\"", "[ a:A -> b:B ] where a.s == \"1\"", "[ a:A -> b:B ] where a.s != \"x\"",
	"[ a:A -> b:B ] where b.s == \"x\"", "[ a:A -> b:B ] where a.owner == \"x\"", "[ a:A -> b:B ] where \"x\" == a.s",
	"[ a:A -> b:B ] where a.s == \"x\" && a.i < 1.5", "[ a:A -> b:B ] where a.s == \"x\" || a.i < 1.5",
	"[ a:A -> b:B ] where b.time - a.time < 1.5 ns", "[ a:A -> b:B ] where b.time - a.time < 1.5 us",
};

enum { N = sizeof definitions / sizeof *definitions };

/* Among others, with another name and other looks. */
static struct spec *spec_with(const char *definition, const char *name, const char *before)
{
	char text[1024];

	snprintf(text, sizeof text,
		 "glimpse test event A(i, double d, string s) = box; event B(i, double d, string s); event C;"
		 " %s interval %s %s = line metric m = 1; end", before, name, definition);
	return spec_parse("test", text, &(struct diag){.out = NULL});
}

static bool alike(const struct spec *a, const struct spec *b)
{
	return events_equal(a, b) && intervals_equal(a->intervals[a->nintervals - 1], b->intervals[b->nintervals - 1]);
}

static void compare(void)
{
	struct spec *one[N], *other[N];

	for (int i = 0; i < N; i++) {
		one[i] = spec_with(definitions[i], "One", "");
		other[i] = spec_with(definitions[i], "Other", "interval Before [ C -> C ];");
	}
	for (int i = 0; i < N; i++) {
		int wrong = -1;
		for (int k = 0; k < N; k++)
			if (!one[i] || !other[k] || alike(one[i], other[k]) != (i == k))
				wrong = k;
		ok(wrong < 0, definitions[i]);
		if (wrong >= 0)
			printf("# compared with %s\n", definitions[wrong]);
	}
	for (int i = 0; i < N; i++) {
		spec_free(one[i]);
		spec_free(other[i]);
	}
}

static bool same_reals(double a, double b)
{
	struct expr *x = expr_new(EXPR_CONSTANT, VALUE_REAL, (struct span){0}),
		    *y = expr_new(EXPR_CONSTANT, VALUE_REAL, (struct span){0});
	bool same;

	x->constant = (struct value){.kind = VALUE_REAL, .real = a};
	y->constant = (struct value){.kind = VALUE_REAL, .real = b};
	same = expr_equal(x, y);
	expr_free(x);
	expr_free(y);
	return same;
}

int main(void)
{
	compare();
	ok(same_reals(NAN, NAN), "a NaN is the same as itself");
	ok(!same_reals(NAN, 1) && !same_reals(NAN, -NAN), "and as nothing else");
	ok(same_reals(-0.0, -0.0) && !same_reals(-0.0, 0.0), "-0.0 is not 0.0");
	ok(same_reals(INFINITY, INFINITY) && !same_reals(INFINITY, -INFINITY), "infinity");
	return tap_end();
}
