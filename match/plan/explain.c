#include "match/plan/explain.h"
#include "spec/print.h"

static void conjunct_print(const struct plan *plan, const struct expr *e, bool negated, FILE *out)
{
	fputs(negated ? "!(" : "", out);
	expr_print(e, plan->interval, out);
	fputs(negated ? ")" : "", out);
}

static void explain_comparisons(const struct plan *plan, const char *title,
				const struct comparison *list, unsigned n, FILE *out)
{
	for (unsigned i = 0; i < n; i++) {
		fprintf(out, "  %-10s ", i ? "" : title);
		conjunct_print(plan, list[i].source, list[i].negated, out);
		putc('\n', out);
	}
}

static void explain_conjuncts(const struct plan *plan, const char *title, enum conjunct_use use,
			      FILE *out)
{
	for (unsigned i = 0; i < plan->nconjuncts; i++) {
		const struct conjunct *c = &plan->conjuncts[i];

		if (c->use != use)
			continue;
		fprintf(out, "  %-10s ", title);
		conjunct_print(plan, c->source, c->negated, out);
		putc('\n', out);
		title = "";
	}
}

static void explain_search(const struct plan *plan, FILE *out)
{
	const char *candidate = end_name(plan->interval, plan->candidates);
	const char *query = end_name(plan->interval, !plan->candidates);

	if (plan->interval->nested)
		fprintf(out, "  %-10s each %s closes the latest %s still open\n", "search", query,
			candidate);
	else
		fprintf(out, "  %-10s for each %s the %s %s%s\n", "search", query,
			plan->later ? "first later" : "last earlier", candidate,
			plan->take ? " that is not taken" : "");
}

/* Tells whether what an expression says of a side rises or falls with the time of its event. */
static bool follows_time(const struct expr *e, enum side side)
{
	if (!(expr_sides(e) & 1u << side) || e->op == EXPR_TIME)
		return true;
	if (e->op == EXPR_MUL || e->op == EXPR_DIV || e->op == EXPR_MOD || (!e->left && !e->right))
		return false;
	return (!e->left || follows_time(e->left, side)) &&
	       (!e->right || follows_time(e->right, side));
}

/* Prints what n events can cost at the worst; see doc/matching.md. A comparison along which the
 * candidates rise or fall bounds a range of them, and costs no more than a search. */
static void explain_bound(const struct plan *plan, FILE *out)
{
	unsigned comparisons = 0;

	for (unsigned i = 0; i < plan->norder; i++)
		comparisons += plan->order[i].kind == COMPARISON_DIFFER ||
			       !follows_time(plan->order[i].source, plan->candidates);
	fprintf(out, "  %-10s ", "at most");
	if (comparisons > 1)
		fprintf(out, "n^(2 - 1/%u)\n", comparisons);
	else
		fprintf(out, "n%s\n", plan->norder > 0 ? " log n" : "");
	if (!program_empty(plan->rest))
		fprintf(out, "  %-10s and the tests of the candidates that fail them\n", "");
}

void plan_explain(const struct plan *plan, FILE *out)
{
	fprintf(out, "%s:\n", plan->interval->name);
	explain_search(plan, out);
	explain_conjuncts(plan, "only", CONJUNCT_ANCHOR, out);
	explain_conjuncts(plan, "only", CONJUNCT_PARTNER, out);
	explain_comparisons(plan, "groups by", plan->equal, plan->nequal, out);
	if (!plan->exact)
		fprintf(out, "  %-10s by a hash of them; candidates are compared\n", "");
	explain_comparisons(plan, "index on", plan->order, plan->norder, out);
	explain_conjuncts(plan, "tests", CONJUNCT_REST, out);
	if (plan->scans)
		fputs("  warning: nothing narrows the search: every pair may be tested, which "
		      "takes quadratic time\n",
		      out);
	else
		explain_bound(plan, out);
}
