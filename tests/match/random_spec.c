#include "tests/random.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ATTRIBUTES = 4, MOST_INTERVALS = 3 };

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

static void write_head(struct writer *w, const struct shape shapes[2])
{
	fputs("glimpse random\n", w->out);
	write_event(w, 0, &shapes[0]);
	write_event(w, 1, &shapes[1]);
}

static char *write_end(struct writer *w, char **text)
{
	fputs("end\n", w->out);
	fclose(w->out);
	return *text;
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
	write_head(&w, shapes);
	write_interval(&w, match);
	return write_end(&w, &text);
}

/* ---- intervals by keys and by time, over one another, with metrics ---- */

/* An interval that has been written: the event types at its start and its end. */
struct written {
	unsigned start, end;
};

/* An equality of an attribute of the anchor with one of the same kind of the partner, if there is one. */
static void write_equality(struct writer *w)
{
	static const char *const own[] = {"thread", "thread", "process", "owner"};
	const struct shape *a = &w->shape[SIDE_ANCHOR], *b = &w->shape[SIDE_PARTNER];
	unsigned i = below(w, a->nattributes), k = below(w, b->nattributes);

	if (chance(w, 60) && (a->types[i] == TYPE_STRING) == (b->types[k] == TYPE_STRING)) {
		fprintf(w->out, "a.x%u == b.x%u", i, k);
	} else {
		const char *name = own[below(w, 4)];

		fprintf(w->out, "a.%s == b.%s", name, name);
	}
}

/* A limit to the time between the two events, as people write it. */
static void write_bound(struct writer *w, bool backwards)
{
	const char *later = backwards ? "a" : "b", *earlier = backwards ? "b" : "a";
	const char *operator = chance(w, 50) ? "<" : "<=";

	if (chance(w, 60))
		fprintf(w->out, "%s.time - %s.time %s %u", later, earlier, operator, below(w, 12));
	else if (chance(w, 50))
		fprintf(w->out, "%s.time %s %s.time + %u ns", later, operator, earlier,
			below(w, 12));
	else
		fprintf(w->out, "%u > %s.time - %s.time", below(w, 12), later, earlier);
}

/* A comparison of one side with a constant. */
static void write_filter(struct writer *w)
{
	unsigned side = below(w, 2);

	if (chance(w, 20)) {
		write_string(w, side);
		fprintf(w->out, " %s \"%s\"", comparisons[below(w, 6)], chance(w, 50) ? "a" : "");
		return;
	}
	write_number(w, (int)side, chance(w, 70) ? 0 : 1);
	fprintf(w->out, " %s ", comparisons[below(w, 6)]);
	write_constant(w);
}

/* taken: a partner that one anchor has is nobody else's, so that a database can compare nothing but keys. */
static void write_keyed_condition(struct writer *w, bool match, bool backwards, bool taken)
{
	bool keys = taken && chance(w, 85);
	unsigned equalities = match ? below(w, 2) : keys || chance(w, 80) ? 1 + below(w, 2) : 0;
	bool bound = !keys && (equalities + match == 0 || chance(w, 20));
	const char *glue = " where ";

	for (; equalities > 0; equalities--, glue = " && ") {
		fputs(glue, w->out);
		write_equality(w);
	}
	if (bound) {
		fputs(glue, w->out);
		write_bound(w, backwards);
		glue = " && ";
	}
	for (unsigned n = chance(w, 60) ? 0 : 1 + below(w, 2); n > 0; n--, glue = " && ") {
		fputs(glue, w->out);
		write_filter(w);
	}
	for (unsigned n = keys || chance(w, 60) ? 0 : 1 + below(w, 2); n > 0; n--, glue = " && ") {
		fputs(glue, w->out);
		if (chance(w, 70))
			write_comparison(w);
		else
			write_condition(w, 1);
	}
}

static void write_metrics(struct writer *w)
{
	unsigned n = chance(w, 50) ? 0 : 1 + below(w, 3);

	for (unsigned i = 0; i < n; i++) {
		fprintf(w->out, "\n\tmetric m%u = ", i);
		if (i > 0 && chance(w, 40))
			fprintf(w->out, "m%u + ", below(w, i));
		else if (chance(w, 30))
			fprintf(w->out, "time %s ", chance(w, 50) ? "*" : "-");
		write_number(w, -1, 2);
	}
}

/* One end: an event, or a moment of one of the n intervals before. Returns the type of its event. */
static unsigned write_moment(struct writer *w, const struct written *before, unsigned n)
{
	unsigned i = n ? below(w, n) : 0, type = chance(w, 60);
	bool start = chance(w, 50);

	if (n == 0 || chance(w, 50)) {
		fprintf(w->out, "E%u", type);
		return type;
	}
	fprintf(w->out, "I%u.%s", i, start ? "start" : "end");
	return start ? before[i].start : before[i].end;
}

static void write_keyed_interval(struct writer *w, const struct shape shapes[2],
				 struct written *written, unsigned n)
{
	bool nested = chance(w, 25), once = !nested && chance(w, 35),
	     backwards = !nested && chance(w, 40), match;

	fprintf(w->out, "interval I%u [a:", n);
	w->type[SIDE_ANCHOR] = write_moment(w, written, n);
	fprintf(w->out, " %s b:", backwards ? "<-" : "->");
	w->type[SIDE_PARTNER] = write_moment(w, written, n);
	written[n].start = w->type[backwards ? SIDE_PARTNER : SIDE_ANCHOR];
	written[n].end = w->type[backwards ? SIDE_ANCHOR : SIDE_PARTNER];
	for (unsigned side = 0; side < 2; side++)
		w->shape[side] = shapes[w->type[side]];
	match = w->type[0] == w->type[1] && chance(w, 20);
	fprintf(w->out, "]%s%s%s", match ? " Match" : "", !nested && chance(w, 35) ? " once" : "",
		nested ? " nested" : "");
	if (chance(w, 90))
		write_keyed_condition(w, match, backwards, once || nested);
	write_metrics(w);
	fputs(";\n", w->out);
}

char *random_keyed_spec(struct random *r)
{
	struct writer w = {.random = r};
	struct written written[MOST_INTERVALS];
	struct shape shapes[2];
	size_t size;
	char *text;

	w.out = open_memstream(&text, &size);
	choose_shape(&w, &shapes[0]);
	if (chance(&w, 50))
		shapes[1] = shapes[0];
	else
		choose_shape(&w, &shapes[1]);
	write_head(&w, shapes);
	for (unsigned n = 1 + below(&w, MOST_INTERVALS), i = 0; i < n; i++)
		write_keyed_interval(&w, shapes, written, i);
	return write_end(&w, &text);
}
