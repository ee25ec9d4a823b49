/*
 * What objects of waits are called, against a plain second implementation, on random declarations
 * and stacks; and what is agreed on, one by one. Prints its seed; SEED=N begins with another.
 */
#include "tests/random.h"
#include "tests/tap.h"
#include "trace/symbols/wait_objects.h"
#include <stdlib.h>
#include <time.h>

enum { CASES = 20000, MOST_FRAMES = 12 };

struct stack {
	const char *functions[MOST_FRAMES];
	unsigned n, asked;
	bool in_turn;
};

static bool frame_of(void *context, unsigned frame, const char **function)
{
	struct stack *s = context;

	s->in_turn &= frame == s->asked++;
	if (frame >= s->n)
		return false;
	*function = s->functions[frame];
	return true;
}

/* ---- the second implementation: a pattern is a name, or a prefix and a star ---- */

static bool fits(const char *pattern, const char *name)
{
	size_t n = strcspn(pattern, "*");

	return pattern[n] ? strncmp(pattern, name, n) == 0 : strcmp(pattern, name) == 0;
}

/* Returns the number of the declaration that decides for a function, or -1. */
static int decides(const struct spec *spec, const char *name)
{
	for (unsigned i = 0; i < spec->nobject_words; i++)
		for (unsigned k = 0; k < spec->object_words[i]->nfunctions; k++)
			if (fits(spec->object_words[i]->functions[k], name))
				return (int)i;
	return -1;
}

static struct wait_object plain_find(const struct spec *spec, const struct stack *s)
{
	struct wait_object object = {NULL, 0};
	unsigned first = 0, last, end, unmatched = 0;

	while (first < s->n && (!s->functions[first] || decides(spec, s->functions[first]) < 0))
		unmatched += s->functions[first++] != NULL;
	if (first == s->n || unmatched > 3)
		return object;
	end = first;
	while (end < s->n && (!s->functions[end] || decides(spec, s->functions[end]) >= 0))
		end++;
	last = end - 1;
	while (!s->functions[last])
		last--;
	object.site = end < s->n ? end : last + 1;
	for (unsigned i = first; i <= last; i++)
		if (s->functions[i] && spec->object_words[decides(spec, s->functions[i])]->name)
			object.words = spec->object_words[decides(spec, s->functions[i])];
	return object;
}

/* ---- random declarations and stacks ---- */

static const char *random_name(struct random *r)
{
	static const char *const names[] = {"a",    "a::b", "a::b::c", "a::c", "b",
					    "b::a", "b::c", "c",       "c::a", "d"};

	return names[random_below(r, sizeof names / sizeof *names)];
}

static struct spec *spec_random(struct random *r)
{
	static struct diag silent = {.out = NULL};
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	struct spec *spec;

	fputs("glimpse t\n", f);
	for (unsigned i = random_below(r, 5); i; i--) {
		fprintf(f, random_chance(r, 60) ? "object \"%u\" in" : "object in", i);
		for (unsigned k = random_below(r, 3) + 1; k; k--) {
			const char *name = random_name(r);

			fprintf(f, " \"%s%s\"%s", name, random_chance(r, 30) ? "*" : "",
				k > 1 ? "," : ";\n");
		}
	}
	fputs("end\n", f);
	fclose(f);
	spec = spec_parse("t", text, &silent);
	free(text);
	return spec;
}

static bool equal(struct wait_object a, struct wait_object b)
{
	return a.words == b.words && a.site == b.site;
}

static bool case_holds(struct random *r)
{
	struct spec *spec = spec_random(r);
	struct stack s = {.n = random_below(r, MOST_FRAMES + 1), .in_turn = true};
	bool good;

	for (unsigned i = 0; i < s.n; i++)
		s.functions[i] = random_chance(r, 20) ? NULL : random_name(r);
	good =
	    spec && equal(wait_object_find(spec, frame_of, &s), plain_find(spec, &s)) && s.in_turn;
	spec_free(spec);
	return good;
}

/* ---- one by one ---- */

static void finds(const struct spec *spec, struct stack s, const char *name, unsigned site,
		  const char *what)
{
	struct wait_object object = wait_object_find(spec, frame_of, &s);

	is(object.words ? object.words->name : "-", name, what);
	if (!ok(object.site == site, what))
		printf("# site %u, not %u\n", object.site, site);
}

static void agreed(void)
{
	static struct diag silent = {.out = NULL};
	struct spec *spec = spec_parse("t",
				       "glimpse t object \"park\" in \"std::park*\";"
				       "object \"mpsc\" in \"std::mpsc::*\";"
				       "object \"all\" in \"own::[ab]\";"
				       "object in \"std::*\"; end",
				       &silent);

	finds(spec,
	      (struct stack){.functions = {"syscall", "std::park", "std::mpsc::recv", "main"},
			     .n = 4},
	      "mpsc", 3, "the outermost name");
	finds(
	    spec,
	    (struct stack){.functions = {"std::park", "std::x", "main", "std::mpsc::recv"}, .n = 4},
	    "park", 2, "only up to the first that matches none");
	finds(spec, (struct stack){.functions = {"x", "y", "z", "std::park", "main"}, .n = 5},
	      "park", 4, "three functions of the C library");
	finds(spec, (struct stack){.functions = {"w", "x", "y", "z", "std::park", "main"}, .n = 6},
	      "-", 0, "but not four");
	finds(
	    spec,
	    (struct stack){.functions = {NULL, "std::park", NULL, "std::x", NULL, "main"}, .n = 6},
	    "park", 5, "frames without a name are passed over");
	finds(spec, (struct stack){.functions = {"std::park", NULL, NULL}, .n = 3}, "park", 1,
	      "a caller without a name");
	finds(spec, (struct stack){.functions = {"std::park", "std::x"}, .n = 2}, "park", 2,
	      "no caller");
	finds(spec, (struct stack){.functions = {"std::x", "main"}, .n = 2}, "-", 1,
	      "no name of its own");
	finds(spec, (struct stack){.functions = {"own::b", "own::c"}, .n = 2}, "all", 1,
	      "a set of characters");
	finds(spec,
	      (struct stack){.functions = {"void std::mpsc::f<int (*)(x y)>(int const*)",
					   "std::x<(a)1> std::operator< <a>(b c)", "x std::y",
					   "main"},
			     .n = 4},
	      "mpsc", 3, "the returned type is no part of a name");
	finds(spec,
	      (struct stack){.functions = {"std::mpsc::f(a std::b)", "a own::a<fn() -> std::x>",
					   "std::x::operator std::y() const", "main"},
			     .n = 4},
	      "mpsc", 1, "nor are types of parameters a name");
	finds(spec, (struct stack){.functions = {NULL}, .n = 0}, "-", 0, "no stack");
	spec_free(spec);
}

int main(void)
{
	const char *given = getenv("SEED");
	uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
	struct random r = {seed};
	bool good = true;

	printf("# SEED=%llu\n", (unsigned long long)seed);
	agreed();
	for (int i = 0; i < CASES && good; i++)
		good = case_holds(&r);
	ok(good, "20000 random stacks have the objects of the plain search");
	return tap_end();
}
