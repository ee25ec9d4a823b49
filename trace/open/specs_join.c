/* Several specifications as one. */
#include "trace/open/specs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell_twice(struct diag *diag, const char *what, const char *name, struct span where,
		       struct span other)
{
	diag_error(diag, where,
		   "two specifications of the trace have an %s %s; give the one to use with -s FILE",
		   what, name);
	diag_note(diag, other, "the other one is here");
}

static bool names_differ(const struct spec *joined, const struct spec *spec, struct diag *diag)
{
	for (unsigned i = 0; i < spec->nevents; i++) {
		const struct event_type *e = spec->events[i], *other = spec_event(joined, e->name);

		if (!other)
			continue;
		tell_twice(diag, "event", e->name, e->where, other->where);
		return false;
	}
	for (unsigned i = 0; i < spec->nintervals; i++) {
		const struct interval *n = spec->intervals[i], *other = spec_interval(joined, n->name);

		if (!other)
			continue;
		tell_twice(diag, "interval", n->name, n->where, other->where);
		return false;
	}
	return true;
}

/* Appends pointers to a list whose room was reserved. */
static void pointers_append(void *list, unsigned *count, void *more, unsigned nmore)
{
	if (nmore)
		memcpy((void **)list + *count, more, nmore * sizeof(void *));
	*count += nmore;
}

static bool joined_reserve(struct opened *o, struct spec *joined)
{
	size_t events = 0, intervals = 0, assertions = 0;

	for (size_t i = 0; i < o->nspecs; i++) {
		events += o->specs[i]->nevents;
		intervals += o->specs[i]->nintervals;
		assertions += o->specs[i]->nassertions;
	}
	joined->events = calloc(events + 1, sizeof *joined->events);
	joined->intervals = calloc(intervals + 1, sizeof *joined->intervals);
	joined->assertions = calloc(assertions + 1, sizeof *joined->assertions);
	return joined->events && joined->intervals && joined->assertions;
}

/*
 * The parts are ours alone, and nobody has seen them yet: their indices may become those in the
 * whole.
 */
static void joined_append(struct spec *joined, const struct spec *spec)
{
	for (unsigned i = 0; i < spec->nevents; i++)
		spec->events[i]->index += joined->nevents;
	for (unsigned i = 0; i < spec->nintervals; i++)
		spec->intervals[i]->index += joined->nintervals;
	pointers_append(joined->events, &joined->nevents, spec->events, spec->nevents);
	pointers_append(joined->intervals, &joined->nintervals, spec->intervals, spec->nintervals);
	pointers_append(joined->assertions, &joined->nassertions, spec->assertions,
			spec->nassertions);
}

static void names_print(FILE *f, const struct opened *o, char between)
{
	fputs(o->specs[0]->name, f);
	for (size_t i = 1; i < o->nspecs; i++)
		fprintf(f, "%c%s", between, o->specs[i]->name);
}

/* One block of all items: blocks of different names are no specification. */
static void items_print(FILE *f, const struct opened *o)
{
	fputs("glimpse ", f);
	names_print(f, o, '_');
	fputs("\n\n", f);
	for (size_t i = 0; i < o->nspecs; i++) {
		const char *items;
		size_t length = spec_items(o->specs[i], &items);

		fwrite(items, 1, length, f);
	}
	fputs("end\n", f);
}

static char *texts_join(const struct opened *o, bool names)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (f && names)
		names_print(f, o, '+');
	else if (f)
		items_print(f, o);
	if (!f || fclose(f))
		return NULL;
	return text;
}

bool specs_join(struct opened *o, struct diag *diag)
{
	struct spec *joined = o->joined = calloc(1, sizeof *joined);

	if (!joined || !joined_reserve(o, joined))
		return false;
	joined->name = texts_join(o, true);
	joined->text = texts_join(o, false);
	for (size_t i = 0; i < o->nspecs; i++) {
		if (!names_differ(joined, o->specs[i], diag))
			return false;
		joined_append(joined, o->specs[i]);
	}
	return joined->name && joined->text;
}
