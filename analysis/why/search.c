#include "analysis/why/search.h"
#include "analysis/why/axes.h"
#include "analysis/why/finding.h"
#include "analysis/why/measures.h"
#include "analysis/why/paging.h"
#include "analysis/why/switches.h"
#include "base/parallel.h"
#include "base/task.h"
#include <stdlib.h>
#include <string.h>

struct searching {
	struct search *search;
	const struct evidence *evidence;
	const struct hypothesis *const *hypotheses;
	unsigned n;
	size_t phase; /* that is being searched; NO_PHASE */
	/* The condition that is being tested. */
	const struct focus *focus;
	const struct hypothesis *tested;
};

/* Values of an axis that are looked at, those with most time. */
enum { MOST_VALUES = 16 };

/* ---- one test ---- */

static bool measure_take(void *context, const struct test_measure *m, struct value *result)
{
	const struct searching *s = context;
	double value = focus_measure(s->evidence, s->focus, m, s->tested->about);

	return measure_result(m, value, result);
}

/* Whether a hypothesis is about how many threads can run, which says nothing of moved tasks. */
static bool is_of_serial(const struct test_measure *m)
{
	return m && m->function == TEST_COST && m->state && strcmp(m->state, "able") == 0;
}

/* Sets the verdict of a node on its hypothesis, and what it rests on. */
static void test(struct searching *s, struct search_node *n, const struct focus *f)
{
	struct binding b = {.measure = measure_take, .context = s};

	n->verdict = IS_TRUE;
	if (!n->hypothesis->condition)
		return;
	if (s->evidence->mover && is_of_serial(n->hypothesis->about)) {
		n->verdict = IS_FALSE;
		n->reason = "tasks that move between threads wait, not the threads";
		return;
	}
	s->focus = f;
	s->tested = n->hypothesis;
	n->verdict =
	    comparisons_take(&n->compared, n->hypothesis->condition, &b) ? IS_TRUE : IS_FALSE;
}

/* What every tested node says of what its hypothesis is about. */
static void measures_add(const struct searching *s, const struct hypothesis *h,
			 const struct focus *f, struct search_node *n)
{
	struct test_measure m = *h->about;

	if (measure_subject(&m) == OF_SWITCHES) {
		n->cost = switching_cost(s->evidence, f) / (double)(f->to - f->from);
		n->share = focus_measure(s->evidence, f, &m, NULL);
		return;
	}
	if (measure_subject(&m) == OF_PAGING) {
		n->share = paging_part(s->evidence, f, PAGING_NONE);
		n->cost = paged_part(s->evidence, f);
		return;
	}
	if (measure_subject(&m) == OF_MOMENTS) {
		n->cost = n->share = focus_measure(s->evidence, f, &m, NULL);
		return;
	}
	m.function = TEST_COST;
	n->cost = focus_measure(s->evidence, f, &m, NULL);
	m.function = TEST_SHARE;
	n->share = focus_measure(s->evidence, f, &m, NULL);
}

static size_t node_add(struct searching *s, size_t parent, struct search_node n,
		       const struct focus *f)
{
	struct search *search = s->search;

	n.parent = parent;
	n.depth = parent == NO_PARENT ? 0 : search->history.at[parent].depth + 1;
	n.finding = NO_PARENT;
	n.phase = s->phase;
	if (n.verdict != IS_NOT_TESTED && n.hypothesis->about)
		measures_add(s, n.hypothesis, f, &n);
	*vector_add(&search->history) = n;
	return search->history.n - 1;
}

typedef VECTOR(const struct hypothesis *) hypothesis_list;

/* Finds at the same time what the tests of some hypotheses will ask for. */
static void tests_prepare(const struct searching *s, const hypothesis_list *hypotheses,
			  const struct focus *f)
{
	VECTOR(struct test_measure) measures = {0};

	for (size_t i = 0; i < hypotheses->n; i++) {
		const struct hypothesis *h = hypotheses->at[i];
		const struct test_measure *first = measure_in(h->condition);

		if (first)
			*vector_add(&measures) = *first;
		if (!h->about || measure_subject(h->about) == OF_SWITCHES ||
		    measure_subject(h->about) == OF_PAGING ||
		    measure_subject(h->about) == OF_MOMENTS)
			continue;
		*vector_add(&measures) = *h->about;
		measures.at[measures.n - 1].function = TEST_COST;
		*vector_add(&measures) = *h->about;
		measures.at[measures.n - 1].function = TEST_SHARE;
	}
	focus_measure_all(s->evidence, f, measures.at, measures.n);
	free(measures.at);
}

/* ---- refinement ---- */

static bool refines(const struct hypothesis *h, const struct hypothesis *other)
{
	for (unsigned i = 0; i < h->nrefines; i++)
		if (strcmp(h->refines[i]->name, other->name) == 0)
			return true;
	return false;
}

/* Where no single place in the program has it, its function may, or its file or module. */
static unsigned axis_add(enum axis axes[NAXES], unsigned n, enum axis a)
{
	enum axis last = a == AXIS_CODE ? AXIS_MODULE : a;

	for (; a <= last && n < NAXES; a++)
		axes[n++] = a;
	return n;
}

static bool is_code(enum axis a)
{
	return a >= AXIS_CODE && a <= AXIS_MODULE;
}

/* The axes that a hypothesis is refined along: those of its hint, in their order. */
static unsigned axes_of(const struct evidence *g, const struct hypothesis *h, enum axis axes[NAXES])
{
	unsigned n = 0, all = AXIS_USER + g->trace->spec->naxes;
	const char *at = h->hint;

	if (all > NAXES)
		all = NAXES;
	while (*at) {
		size_t length = strcspn(at, ", ");

		for (enum axis a = 0; a < all; a++)
			if (strlen(axis_name(g, a)) == length &&
			    strncmp(axis_name(g, a), at, length) == 0 && n < NAXES)
				n = axis_add(axes, n, a);
		at += length;
		at += strspn(at, ", ");
	}
	for (enum axis a = AXIS_USER; a < all && n < NAXES; a++)
		axes[n++] = a;
	return n;
}

static void refine(struct searching *s, size_t node, const struct focus *f, unsigned axis);

/* Tests the hypotheses that refine a node's. Returns whether one holds. */
static bool refine_why(struct searching *s, size_t node, const struct focus *f)
{
	const struct hypothesis *h = s->search->history.at[node].hypothesis;
	hypothesis_list refining = {0};
	bool found = false;

	for (unsigned i = 0; i < s->n; i++)
		if (refines(s->hypotheses[i], h))
			*vector_add(&refining) = s->hypotheses[i];
	tests_prepare(s, &refining, f);
	for (size_t i = 0; i < refining.n; i++) {
		struct search_node n = {.hypothesis = refining.at[i], .axis = NAXES};
		size_t child;

		test(s, &n, f);
		child = node_add(s, node, n, f);
		if (n.verdict != IS_TRUE)
			continue;
		found = true;
		refine(s, child, f, 0);
	}
	free(refining.at);
	return found;
}

/* Foci whose measures are found at the same time. */
struct search_foci {
	struct searching searching;
	const struct hypothesis *hypothesis;
	struct focus *foci;
};

static void focus_test(void *context, size_t i, unsigned worker)
{
	const struct search_foci *n = context;
	struct searching s = n->searching;
	struct search_node node = {.hypothesis = n->hypothesis};

	(void)worker;
	test(&s, &node, &n->foci[i]);
	measures_add(&s, n->hypothesis, &n->foci[i], &node);
	free(node.compared.at);
}

/* Measures the foci of several values; what is found is kept with them. */
static void foci_test(const struct searching *s, const struct hypothesis *h, struct focus *foci,
		      size_t n)
{
	struct search_foci narrowing = {*s, h, foci};

	parallel_for(n, focus_test, &narrowing);
}

/* Returns whether the hypothesis holds for a value of the axis. */
static bool refine_where(struct searching *s, size_t node, const struct focus *f, enum axis a,
			 unsigned next)
{
	const struct hypothesis *h = s->search->history.at[node].hypothesis;
	bool *places = test_places(s->evidence, h->about), found = false;
	struct focus foci[MOST_VALUES];
	axis_values values;
	size_t nfoci;

	axis_values_of(s->evidence, f, places, a, &values);
	nfoci = values.n < MOST_VALUES ? values.n : MOST_VALUES;
	for (size_t i = 0; i < nfoci; i++)
		foci[i] = focus_narrow(s->evidence, f, places, a, values.at[i].key);
	foci_test(s, h, foci, nfoci);
	for (size_t i = 0; i < nfoci; i++) {
		struct search_node n = {.hypothesis = h,
					.axis = a,
					.where = evidence_text(s->evidence, values.at[i].key)};
		size_t child;

		test(s, &n, &foci[i]);
		child = node_add(s, node, n, &foci[i]);
		if (n.verdict == IS_TRUE) {
			found = true;
			refine(s, child, &foci[i], next);
		}
		focus_free(&foci[i]);
	}
	if (values.n > MOST_VALUES) {
		struct search_node n = {.hypothesis = h,
					.axis = a,
					.where = "others",
					.verdict = IS_NOT_TESTED,
					.reason = "less time than the tested ones"};
		node_add(s, node, n, f);
	}
	free(values.at);
	free(places);
	return found;
}

static void refine(struct searching *s, size_t node, const struct focus *f, unsigned axis)
{
	const struct hypothesis *h = s->search->history.at[node].hypothesis;
	enum axis axes[NAXES];
	unsigned n = axes_of(s->evidence, h, axes);

	if (refine_why(s, node, f) || !*h->hint)
		return;
	for (; axis < n; axis++) {
		unsigned next = axis + 1;

		/* the function of one place says no more */
		while (is_code(axes[axis]) && next < n && is_code(axes[next]))
			next++;
		if (refine_where(s, node, f, axes[axis], next))
			return;
	}
	finding_add(s->search, node, f);
}

static void window_search(struct searching *s, size_t phase, int64_t from, int64_t to)
{
	struct focus all = focus_all(s->evidence, from, to);
	hypothesis_list roots = {0};

	s->phase = phase;
	for (unsigned i = 0; i < s->n; i++)
		if (!s->hypotheses[i]->nrefines)
			*vector_add(&roots) = s->hypotheses[i];
	tests_prepare(s, &roots, &all);
	for (size_t i = 0; i < roots.n; i++) {
		struct search_node root = {.hypothesis = roots.at[i], .axis = NAXES};
		size_t node;

		test(s, &root, &all);
		node = node_add(s, NO_PARENT, root, &all);
		if (root.verdict == IS_TRUE)
			refine(s, node, &all, 0);
	}
	focus_free(&all);
	free(roots.at);
}

struct search *search_run(const struct evidence *g, const struct hypothesis *const *hypotheses,
			  unsigned n, int64_t from, int64_t to)
{
	struct search *search = array_zero(1, sizeof *search);
	struct searching s = {.search = search, .evidence = g, .hypotheses = hypotheses, .n = n};

	search->evidence = g;
	search->from = from;
	search->to = to;
	window_search(&s, NO_PHASE, from, to);
	phases_find(&search->phases, g, from, to);
	task_step(g->trace->events / 2);
	for (size_t i = 0; i < search->phases.n; i++) {
		window_search(&s, i, search->phases.at[i].from, search->phases.at[i].to);
		task_step(g->trace->events / 2 / search->phases.n);
	}
	findings_join(search);
	return search;
}

void search_free(struct search *s)
{
	for (size_t i = 0; i < s->findings.n; i++)
		finding_free(&s->findings.at[i]);
	for (size_t i = 0; i < s->history.n; i++)
		free(s->history.at[i].compared.at);
	free(s->findings.at);
	free(s->phases.at);
	free(s->history.at);
	free(s);
}
