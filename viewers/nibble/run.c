#include "viewers/nibble/run.h"

#include "grammar/parse.h"
#include "viewers/nibble/check.h"
#include "viewers/nibble/evaluate.h"
#include "viewers/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool expressions_parse(struct expressions *x, const struct options *o, struct diag *diag)
{
	bool fine = true;

	x->n = o->nexpressions;
	x->trees = zeroed(x->n, sizeof *x->trees);
	x->sources = zeroed(x->n, sizeof *x->sources);
	for (size_t i = 0; i < x->n; i++) {
		char name[40] = "<expression>";

		if (x->n > 1)
			snprintf(name, sizeof name, "<expression %zu>", i + 1);
		x->sources[i] = source_text(name, o->expressions[i]);
		x->trees[i] = parse_series(x->sources[i], diag);
		fine = fine && x->trees[i];
	}
	return fine;
}

void expressions_free(struct expressions *x)
{
	for (size_t i = 0; i < x->n; i++) {
		if (x->trees[i])
			ast_free(x->trees[i]);
		source_free(x->sources[i]);
	}
	free(x->trees);
	free(x->sources);
}

/* All expressions are checked, so that every error is told at once. */
static bool check_all(struct node **nodes, const struct expressions *x, const struct spec *spec,
		      struct diag *diag)
{
	bool fine = true;

	for (size_t i = 0; i < x->n; i++) {
		nodes[i] = check_series(x->trees[i]->series, spec, diag);
		fine = fine && nodes[i];
	}
	return fine;
}

/* Tells the trace which events will be asked for, so that it lists them in one pass. */
static void announce(struct trace *t, const struct node *n)
{
	const struct subject *s;

	if (!n)
		return;
	s = &n->source.subject;
	if (s->event)
		trace_announce(t, s->event);
	if (s->interval) {
		trace_announce(t, end_event(&s->interval->anchor));
		trace_announce(t, end_event(&s->interval->partner));
	}
	announce(t, n->left);
	announce(t, n->right);
}

static const char *last_part(const char *directory)
{
	const char *slash = strrchr(directory, '/');

	return slash && slash[1] ? slash + 1 : directory;
}

/* A series of one of several runs is a member of the family of runs. */
static void name_after_run(struct series *s, int number, const char *directory)
{
	char *group = s->group ? text_of("%s, %s", last_part(directory), s->group)
			       : text_of("%s", last_part(directory));

	free(s->group);
	s->group = group;
	s->key = number;
}

static void evaluate_all(struct evaluation *v, struct node **nodes, const struct expressions *x,
			 int number, const char *directory, struct family *families)
{
	for (size_t i = 0; i < x->n; i++) {
		struct family f = evaluate(v, nodes[i], x->sources[i]->text);

		for (size_t k = 0; k < f.n; k++) {
			if (number >= 0)
				name_after_run(f.at[k], number, directory);
			family_append(&families[i], f.at[k]);
		}
		free(f.at);
	}
}

static struct range range_of(const struct options *o, const struct trace *t)
{
	return (struct range){
	    .from = fmax((double)o->from, 0),
	    .to = o->to == INT64_MAX ? (double)t->duration : (double)o->to,
	};
}

static void tell_faults(const struct evaluation *v, struct diag *diag)
{
	if (v->faults > 0)
		diag_warning(diag, "faults", DIAG_NOWHERE,
			     "%llu times an expression overflowed or divided "
			     "by zero; those events are left out",
			     (unsigned long long)v->faults);
}

static bool evaluate_on(struct trace *t, const struct options *o, int number, const char *directory,
			const struct expressions *x, struct family *families, struct range *range,
			struct diag *diag)
{
	struct node **nodes = zeroed(x->n, sizeof *nodes);
	struct range r = range_of(o, t);
	struct evaluation *v = evaluation_new(t, r, diag);
	unsigned errors = diag->errors;

	v->allow_empty = o->allow_empty;
	if (check_all(nodes, x, t->spec, diag)) {
		for (size_t i = 0; i < x->n; i++)
			announce(t, nodes[i]);
		evaluate_all(v, nodes, x, number, directory, families);
		tell_faults(v, diag);
	}
	range->from = fmin(range->from, r.from);
	range->to = fmax(range->to, r.to);
	for (size_t i = 0; i < x->n; i++)
		node_free(nodes[i]);
	free(nodes);
	evaluation_free(v);
	return diag->errors == errors;
}

bool run_evaluate(const struct options *o, const char *const *directories, unsigned n, int number,
		  const struct expressions *x, struct family *families, struct range *range,
		  char **subject, struct diag *diag)
{
	struct trace *t = trace_open(directories, n, o->spec, diag);
	bool fine;

	if (!t)
		return false;
	if (!*subject)
		*subject = number < 0 ? text_of("%s, %s", t->spec->name, last_part(directories[0]))
				      : text_of("%s", t->spec->name);
	fine = evaluate_on(t, o, number, directories[0], x, families, range, diag);
	trace_close(t);
	return fine;
}
