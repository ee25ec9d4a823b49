#include "match/plan/explain.h"
#include "base/monotonic.h"
#include "base/quantity.h"
#include "base/spill.h"
#include "match/join/match.h"
#include "spec/print.h"
#include <inttypes.h>

static void conjunct_print(const struct plan *plan, const struct expr *e, bool negated, FILE *out)
{
	fputs(negated ? "!(" : "", out);
	expr_print(e, plan->interval, out);
	fputs(negated ? ")" : "", out);
}

static void explain_pairs(const struct plan *plan, const char *title, const struct pair *pairs,
			  unsigned n, FILE *out)
{
	for (unsigned i = 0; i < n; i++) {
		fprintf(out, "  %-10s ", i ? "" : title);
		conjunct_print(plan, pairs[i].source, pairs[i].negated, out);
		putc('\n', out);
	}
}

static void explain_parts(const struct plan *plan, const char *title, enum part_use use, FILE *out)
{
	for (unsigned i = 0; i < plan->nparts; i++) {
		const struct conjunct *part = &plan->parts[i];

		if (part->use != use)
			continue;
		fprintf(out, "  %-10s ", title);
		conjunct_print(plan, part->source, part->negated, out);
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

/* Whether what an expression says of a side rises or falls with the time of its event. */
static bool follows_time(const struct expr *e, enum side side)
{
	if (!(expr_sides(e) & 1u << side) || e->op == EXPR_TIME)
		return true;
	if (e->op == EXPR_MUL || e->op == EXPR_DIV || e->op == EXPR_MOD || (!e->left && !e->right))
		return false;
	return (!e->left || follows_time(e->left, side)) &&
	       (!e->right || follows_time(e->right, side));
}

/* The comparisons that need a tree: where candidates stand in the order of the words, a stretch of
 * them is bounded. */
static unsigned count_comparisons(const struct plan *plan)
{
	unsigned n = 0;

	for (unsigned i = 0; i < plan->norder; i++)
		n += plan->order[i].use == PAIR_DIFFER ||
		     !follows_time(plan->order[i].source, plan->candidates);
	return n;
}

/* What n events can cost at the worst; see doc/matching.md. */
static void explain_bound(const struct plan *plan, unsigned comparisons, FILE *out)
{
	unsigned power = comparisons > 2 ? comparisons - 1 : plan->norder > 0;

	if (plan->take && comparisons == 2)
		power = 2;
	fprintf(out, "  %-10s ", "at most");
	if (plan->take && comparisons > 2)
		fprintf(out, "n^(2 - 1/%u)\n", comparisons);
	else if (power > 1)
		fprintf(out, "n log^%u n\n", power);
	else
		fprintf(out, "n%s\n", power ? " log n" : "");
	if (!program_empty(plan->rest))
		fprintf(out, "  %-10s and the tests of the candidates that fail them\n", "");
}

static void explain_time(const struct plan *plan, FILE *out)
{
	unsigned comparisons = count_comparisons(plan);

	if (plan->scans)
		fputs("  warning: nothing narrows the search: every pair may be tested, which "
		      "takes quadratic time\n",
		      out);
	else
		explain_bound(plan, comparisons, out);
}

void explain_plan(const struct plan *plan, FILE *out)
{
	fprintf(out, "%s:\n", plan->interval->name);
	explain_search(plan, out);
	explain_parts(plan, "only", PART_ANCHOR, out);
	explain_parts(plan, "only", PART_PARTNER, out);
	explain_pairs(plan, "groups by", plan->equal, plan->nequal, out);
	if (!plan->exact)
		fprintf(out, "  %-10s by a hash of them; candidates are compared\n", "");
	explain_pairs(plan, "index on", plan->order, plan->norder, out);
	explain_parts(plan, "tests", PART_REST, out);
	explain_time(plan, out);
}

static void explain_cost(const struct matches *m, double ns, uint64_t spilled, FILE *out)
{
	char anchors[QUANTITY_TEXT], partners[QUANTITY_TEXT], matched[QUANTITY_TEXT],
	    time[QUANTITY_TEXT], files[QUANTITY_TEXT];
	double n = m->count ? (double)m->count : 1;

	fprintf(out, "  %-10s %s anchors, %s partners, %s matched, in %s\n", "cost",
		quantity_count(anchors, m->count), quantity_count(partners, m->partners.count),
		quantity_count(matched, m->matched), quantity_time(time, ns));
	fprintf(out,
		"  %-10s %.3g candidates tested and %.3g places of the index visited per anchor\n",
		"", (double)m->tested / n, (double)m->visited / n);
	if (spilled)
		fprintf(out, "  %-10s %s of temporary files\n", "", quantity_bytes(files, spilled));
	if (m->faults)
		fprintf(out, "  %-10s %" PRIu64 " tests overflowed or divided by zero\n", "",
			m->faults);
}

void explain_intervals(struct trace *t, const struct interval **intervals, FILE *out)
{
	for (; *intervals; intervals++) {
		struct plan *plan = plan_new(*intervals);
		struct matches *m;
		uint64_t spilled = spill_in_files();
		int64_t begin;

		explain_plan(plan, out);
		begin = monotonic_now();
		m = match_interval(t, *intervals);
		explain_cost(m, (double)(monotonic_now() - begin), spill_in_files() - spilled, out);
		matches_free(m);
		plan_free(plan);
	}
}
