/*
 * Logs that are too large for the oracle, of the forms that have several comparisons: what the k-d
 * tree finds, and what the max tree finds alone, are the same.
 */
#include "bench/forms.h"
#include "match/comparisons/kd_batch.h"
#include "tests/tap.h"
#include <limits.h>
#include <stdlib.h>

enum { EVENTS = 20000, PIECE = 100 };

static struct matches *match(const struct spec *spec, const struct made *m)
{
	const struct interval *interval = spec->intervals[0];

	return match_moments(interval, m->moments[interval->anchor.event->index],
			     m->moments[interval->partner.event->index]);
}

static struct matches *match_by_max_tree(const struct spec *spec, const struct made *m)
{
	unsigned before = max_tree_patience;
	struct matches *result;

	max_tree_patience = INT_MAX;
	result = match(spec, m);
	max_tree_patience = before;
	return result;
}

static bool is_same(const struct matches *a, const struct matches *b)
{
	return a->matched == b->matched &&
	       memcmp(a->partner_of, b->partner_of, a->count * sizeof *a->partner_of) == 0;
}

static void test_form(const struct form *form)
{
	struct spec *spec = form_spec(form->interval);
	bool several = strstr(form->interval, "a.y") || strstr(form->interval, "b.z");
	struct made made;
	struct matches *one, *other;

	if (several) {
		made_init(&made, spec, form, EVENTS);
		one = match(spec, &made);
		other = match_by_max_tree(spec, &made);
		ok(is_same(one, other), form->name);
		matches_free(one);
		matches_free(other);
		made_clear(&made);
	}
	spec_free(spec);
}

int main(void)
{
	kd_batch_chunk = PIECE;
	for (const struct form *form = forms_worst; form->name; form++)
		test_form(form);
	for (const struct form *form = forms_unbounded; form->name; form++)
		test_form(form);
	for (const struct form *form = forms_random; form->name; form++)
		test_form(form);
	return tap_end();
}
