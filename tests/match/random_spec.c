#include "tests/random.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ATTRIBUTES = 4 };

struct shape {
	unsigned nattributes;
	enum type types[MOST_ATTRIBUTES];
};

struct writer {
	struct random *random;
	FILE *out;
	struct shape shape[2];          /* of the interval's two events, by side */
	unsigned type[2];
};

static const char *const comparisons[] = {"==", "<", "<=", ">", ">=", "!="};
static const char *const type_names[] = {"int",	   "uint",   "long",   "ulong",
					 "double", "string", "address", "code",   "object",
					 "code32"};

static unsigned below(struct writer *w, unsigned n)
{
	return random_below(w->random, n);
}

static bool chance(struct writer *w, unsigned percent)
{
	return random_chance(w->random, percent);
}

/* A numeric attribute of a side, or .time or .thread; any side if side is negative. */
static void write_leaf(struct writer *w, int side)
{
	const struct shape *s;

	if (side < 0)
		side = (int)below(w, 2);
	s = &w->shape[side];
	for (unsigned tries = 0; tries < 4 && s->nattributes; tries++) {
		unsigned i = below(w, s->nattributes);

		if (s->types[i] != TYPE_STRING && !type_is_symbolic(s->types[i])) {
			fprintf(w->out, "%c.x%u", "ab"[side], i);
			return;
		}
	}
	fprintf(w->out, "%c.%s", "ab"[side],
		chance(w, 50) ? "time" : chance(w, 30) ? "process" : "thread");
}

static void write_constant(struct writer *w)
{
	static const char *const rare[] = {
		"2147483647", "-2147483648", "4294967295", "9223372036854775807", "0.5", "-1.5",
		"18446744073709551615", "1e300",
	};

	if (chance(w, 10))
		fprintf(w->out, "%s", rare[below(w, sizeof rare / sizeof *rare)]);
	else
		fprintf(w->out, "%u", below(w, 5));
}

static void write_number(struct writer *w, int side, unsigned depth)
{
	static const char *const operators[] = {"+", "-", "*", "/", "%"};

	if (depth == 0 || chance(w, 60)) {
		if (chance(w, 85))
			write_leaf(w, side);
		else
			write_constant(w);
		return;
	}
	if (chance(w, 10)) {
		fputs("-(", w->out);
		write_number(w, side, depth - 1);
		fputs(")", w->out);
		return;
	}
	fputs("(", w->out);
	write_number(w, side, depth - 1);
	fprintf(w->out, " %s ", operators[chance(w, 70) ? below(w, 2) : below(w, 5)]);
	write_number(w, side, depth - 1);
	fputs(")", w->out);
}

static bool write_string(struct writer *w, unsigned side)
{
	const struct shape *s = &w->shape[side];

	for (unsigned i = 0; i < s->nattributes; i++)
		if (s->types[i] == TYPE_STRING) {
			fprintf(w->out, "%c.x%u", "ab"[side], i);
			return true;
		}
	fprintf(w->out, "%c.owner", "ab"[side]);
	return true;
}

/* Writes a code address or object of a side, or a constant if the side has none. */
static void write_symbolic(struct writer *w, unsigned side)
{
	const struct shape *s = &w->shape[side];

	for (unsigned i = 0; i < s->nattributes; i++)
		if (type_is_symbolic(s->types[i])) {
			fprintf(w->out, "%c.x%u", "ab"[side], i);
			return;
		}
	write_constant(w);
}

static void write_comparison(struct writer *w)
{
	unsigned first = below(w, 2), depth = chance(w, 70) ? 0 : 2;
	const char *operator = comparisons[chance(w, 40) ? 0 : below(w, 6)];

	if (chance(w, 12)) {
		write_string(w, first);
		fprintf(w->out, " %s ", operator);
		write_string(w, !first);
	} else if (chance(w, 12)) {
		write_symbolic(w, first);
		fprintf(w->out, " %s ", operator);
		write_symbolic(w, !first);
	} else if (chance(w, 80)) {
		write_number(w, (int)first, depth);
		fprintf(w->out, " %s ", operator);
		write_number(w, (int)!first, depth);
	} else {
		write_number(w, -1, 2);
		fprintf(w->out, " %s ", operator);
		write_number(w, -1, 2);
	}
}

static void write_condition(struct writer *w, unsigned depth)
{
	if (depth == 0 || chance(w, 40)) {
		write_comparison(w);
	} else if (chance(w, 15)) {
		fputs("!(", w->out);
		write_condition(w, depth - 1);
		fputs(")", w->out);
	} else {
		fputs("(", w->out);
		write_condition(w, depth - 1);
		fputs(chance(w, 80) ? " && " : " || ", w->out);
		write_condition(w, depth - 1);
		fputs(")", w->out);
	}
}

/* Two to four comparisons of numbers at once, for which the engine has searches of their own. */
static void write_several(struct writer *w)
{
	for (unsigned n = 2 + below(w, 3); n > 0; n--) {
		write_leaf(w, SIDE_ANCHOR);
		fprintf(w->out, " %s ", comparisons[1 + below(w, 5)]);
		write_leaf(w, SIDE_PARTNER);
		fputs(n > 1 ? " && " : "", w->out);
	}
}

static void write_event(struct writer *w, unsigned number, const struct shape *s)
{
	fprintf(w->out, "event E%u(", number);
	for (unsigned i = 0; i < s->nattributes; i++)
		fprintf(w->out, "%s%s x%u", i ? ", " : "", type_names[s->types[i]], i);
	fputs(");\n", w->out);
}

static void choose_shape(struct writer *w, struct shape *s)
{
	s->nattributes = below(w, MOST_ATTRIBUTES) + 1;
	for (unsigned i = 0; i < s->nattributes; i++)
		s->types[i] = chance(w, 50) ? TYPE_INT : below(w, TYPE_CODE32 + 1);
}

static void write_interval(struct writer *w, bool match)
{
	bool nested = chance(w, 20), backwards = !nested && chance(w, 40);
	bool expression = chance(w, match ? 40 : 90);

	fprintf(w->out, "interval I [a:E%u %s b:E%u]%s%s%s", w->type[SIDE_ANCHOR],
		backwards ? "<-" : "->", w->type[SIDE_PARTNER], match ? " Match" : "",
		!nested && chance(w, 30) ? " once" : "", nested ? " nested" : "");
	if (expression) {
		fputs(" where ", w->out);
		if (chance(w, 15))
			write_several(w);
		else
			write_condition(w, below(w, 4));
	}
	fputs(";\n", w->out);
}

char *random_spec(struct random *r)
{
	struct writer w = {.random = r};
	struct shape shapes[2];
	bool match;
	size_t size;
	char *text;

	w.out = open_memstream(&text, &size);
	choose_shape(&w, &shapes[0]);
	choose_shape(&w, &shapes[1]);
	match = chance(&w, 35);
	if (match || chance(&w, 30))
		shapes[1] = shapes[0];
	w.type[SIDE_PARTNER] = chance(&w, 85);
	for (unsigned side = 0; side < 2; side++)
		w.shape[side] = shapes[w.type[side]];
	fputs("glimpse random\n", w.out);
	write_event(&w, 0, &shapes[0]);
	write_event(&w, 1, &shapes[1]);
	write_interval(&w, match);
	fputs("end\n", w.out);
	fclose(w.out);
	return text;
}
