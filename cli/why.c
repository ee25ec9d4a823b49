#include "analysis/why/why.h"
#include "analysis/graph/guessed_wakers.h"
#include "analysis/graph/unknown.h"
#include "analysis/headline/headline_json.h"
#include "analysis/why/axes.h"
#include "analysis/why/finding_text.h"
#include "analysis/why/measures.h"
#include "analysis/why/search_json.h"
#include "base/units.h"
#include "cli/common/lost.h"
#include "cli/common/names_remark.h"
#include "cli/common/screen.h"
#include "cli/common/selection_options.h"
#include "cli/common/text.h"
#include "cli/why.h"
#include "spec/measure.h"
#include "spec/print.h"
#include "trace/symbols/symbols.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool tree, dot, json, as_live;
static const char *measure;
static unsigned processors;
static VECTOR(const char *) inside;

static void take_tree(const char *unused)
{
	(void)unused;
	tree = true;
}

static void take_dot(const char *unused)
{
	(void)unused;
	dot = true;
}

static void take_json(const char *unused)
{
	(void)unused;
	json = true;
}

static void take_as_live(const char *unused)
{
	(void)unused;
	as_live = true;
}

static bool reproduce;

void why_take_reproduce(const char *unused)
{
	(void)unused;
	reproduce = true;
}

static void take_measure(const char *text)
{
	measure = text;
}

static void take_in(const char *text)
{
	if (!strchr(text, '='))
		usage_fail(
		    "--in: invalid focus '%s' (expected AXIS=NAME such as object=queue_lock)",
		    text);
	*vector_add(&inside) = text;
}

static void take_processors(const char *text)
{
	processors = (unsigned)strtoul(text, NULL, 10);
	if (!processors)
		usage_fail("--processors: invalid number of processors '%s' (expected 1 or more)",
			   text);
}

/* ---- text ---- */

static void finding_text(FILE *out, size_t number, const struct said *s)
{
	fprintf(out, "%zu. ", number);
	screen_tone(out, TONE_BAD);
	fputs(s->lines.at[0], out);
	screen_tone(out, TONE_PLAIN);
	putc('\n', out);
	for (size_t i = 1; i < s->lines.n; i++)
		fprintf(out, "     %s\n", s->lines.at[i]);
	if (s->fix)
		fprintf(out, "     fix first: %s\n", s->fix);
	screen_tone(out, TONE_DIM);
	for (size_t i = 0; i < s->commands.n; i++)
		if (i + 1 == s->commands.n)
			fprintf(out, "     look: %s\n", s->commands.at[i]);
		else if (reproduce)
			fprintf(out, "     reproduce: %s\n", s->commands.at[i]);
	screen_tone(out, TONE_PLAIN);
}

static void phase_line(FILE *out, const phase_list *phases, size_t i)
{
	const struct phase *p = &phases->at[i];
	char *name = phase_text(phases, i), from[UNITS_TEXT], to[UNITS_TEXT];

	units_time(from, (double)p->from);
	units_time(to, (double)p->to);
	fprintf(out, "     %*s%s: %s to %s%s\n", (int)(2 * p->depth), "", name, from, to,
		p->name ? "" : ", found where the behaviour of the threads changes");
	free(name);
}

/* Says what to look at instead of the run's end. */
static void server_text(FILE *out, const char *directory, const struct headline *h)
{
	if (!h->server)
		return;
	fputs("     a server: the time of its requests counts, not the end of the run\n", out);
	if (h->served)
		fprintf(out, "     look: glimpse stats %s --interval %s --by thread\n", directory,
			h->served->name);
	else
		fputs("     log an interval from each request to its reply; "
		      "glimpse stats prints its times\n",
		      out);
}

/* The two lines, and the commands that print their predictions. */
static void headline_text(FILE *out, const char *directory, const struct headline *h)
{
	for (unsigned i = 0; i < h->n; i++) {
		char *text = line_text(&h->lines[i]);

		if (!i)
			screen_tone(out, TONE_HEAD);
		fputs(text, out);
		screen_tone(out, TONE_PLAIN);
		putc('\n', out);
		free(text);
	}
	for (unsigned i = 0; reproduce && i < h->n; i++)
		for (size_t k = 0; k < h->lines[i].parts.n; k++) {
			const struct line_part *p = &h->lines[i].parts.at[k];

			/* the findings name the fixes */
			if (p->kind == PART_WHAT_IF && strcmp(p->option, "fix") != 0)
				fprintf(out, "     reproduce: glimpse whatif %s --%s %s\n",
					directory, p->option, p->name);
		}
	server_text(out, directory, h);
	putc('\n', out);
}

static void findings_text(const struct command_request *r, const struct why *w)
{
	const struct search *s = w->search;
	struct headline *h = headline_of(w);
	char *guessed = guessed_waits_text(s->evidence->graph);

	if (h)
		headline_text(r->out, r->directories[0], h);
	if (!s->findings.n && trace_has_sampled_states(s->evidence->trace))
		fprintf(r->out, "%s: none of %zu hypotheses holds (--tree shows them)\n",
			h ? "no other finding" : "cannot tell", s->history.n);
	else if (!s->findings.n)
		fprintf(r->out, "no bottleneck found (%zu hypotheses tested; --tree shows them)\n",
			s->history.n);
	for (size_t i = 0; i < s->findings.n; i++) {
		struct said *said = finding_say(r->directories[0], s, &s->findings.at[i], w->rank);

		finding_text(r->out, i + 1, said);
		said_free(said);
	}
	if (s->phases.n)
		fprintf(r->out, "%zu phases of the run (--tree shows them)\n", s->phases.n);
	if (guessed)
		fprintf(r->out, "guessed: %s\n", guessed);
	free(guessed);
	if (h)
		headline_free(h);
}

static void findings_json(const struct command_request *r, const struct why *w)
{
	struct headline *h = headline_of(w);

	why_json(r->out, r->directories[0], w, h);
	if (h)
		headline_free(h);
}

/* ---- the history ---- */

static void tree_text(const struct command_request *r, const struct search *s)
{
	for (size_t i = 0; i < s->history.n; i++) {
		const struct search_node *n = &s->history.at[i];

		if (n->phase != NO_PHASE && n->phase != s->history.at[i - 1].phase)
			phase_line(r->out, &s->phases, n->phase);
		fprintf(r->out, "%*s%s", (int)(2 * n->depth), "", n->hypothesis->name);
		if (n->where)
			fprintf(r->out, " %s %s", axis_name(s->evidence, n->axis), n->where);
		fprintf(r->out, ": %s", verdict_name(n->verdict));
		if (n->reason)
			fprintf(r->out, " (%s)", n->reason);
		for (size_t k = 0; k < n->compared.n; k++) {
			fputs(k ? "; " : ", ", r->out);
			comparison_print(r->out, &n->compared.at[k]);
		}
		if (n->finding != NO_PARENT)
			fprintf(r->out, ": finding %zu", n->finding + 1);
		putc('\n', r->out);
	}
}

/* The hypothesis, the part of the program, and the comparisons, one a line of Graphviz's. */
static char *node_label(const struct search_node *n)
{
	char *label;
	size_t length;
	FILE *out = open_memstream(&label, &length);

	if (!out)
		return text_format("%s", n->hypothesis->name);
	fprintf(out, "%s%s%s", n->hypothesis->name, n->where ? "\\n" : "",
		n->where ? n->where : "");
	for (size_t i = 0; i < n->compared.n; i++) {
		fputs("\\n", out);
		comparison_print(out, &n->compared.at[i]);
	}
	fclose(out);
	for (char *c = label; *c; c++)
		if (*c == '"')
			*c = '\'';
	return label;
}

static void dot_text(const struct command_request *r, const struct search *s)
{
	static const char *const colours[] = {"#d62728", "#999999", "#cccccc"};

	fputs("digraph why {\n\trankdir=LR;\n\tnode [shape=box, fontname=\"sans-serif\"];\n",
	      r->out);
	for (size_t i = 0; i < s->history.n; i++) {
		const struct search_node *n = &s->history.at[i];
		char *label = node_label(n);

		fprintf(r->out, "\tn%zu [label=\"%s\", color=\"%s\"%s];\n", i, label,
			colours[n->verdict], n->finding != NO_PARENT ? ", penwidth=3" : "");
		if (n->parent != NO_PARENT)
			fprintf(r->out, "\tn%zu -> n%zu;\n", n->parent, i);
		free(label);
	}
	fputs("}\n", r->out);
}

/* ---- measures alone ---- */

static struct focus focus_asked(const struct evidence *g, const struct test_measure *about,
				int64_t from, int64_t to)
{
	struct focus f = focus_all(g, from, to);
	bool *places = test_places(g, about);

	for (size_t i = 0; i < inside.n; i++) {
		const char *equals = strchr(inside.at[i], '=');

		for (enum axis a = 0; a < AXIS_USER + g->trace->spec->naxes && a < NAXES; a++) {
			struct focus in;

			if (strlen(axis_name(g, a)) != (size_t)(equals - inside.at[i]) ||
			    strncmp(axis_name(g, a), inside.at[i], (size_t)(equals - inside.at[i])))
				continue;
			in = focus_narrow(g, &f, places, a, symbols_number(g->trace, equals + 1));
			focus_free(&f);
			f = in;
		}
	}
	free(places);
	return f;
}

static void measure_print(FILE *out, const struct evidence *g, const struct focus *f,
			  const struct expr *e, const struct test_measure *about)
{
	char *text;
	double value;

	if (e->op != EXPR_MEASURE) {
		if (e->left)
			measure_print(out, g, f, e->left, about);
		if (e->right)
			measure_print(out, g, f, e->right, about);
		return;
	}
	text = expr_text(e, NULL);
	value = focus_measure(g, f, e->measure, about);
	fprintf(out, "%s = ", text);
	if (isnan(value))
		fputs("-\n", out);
	else if (measure_unit(e->measure->function) == MEASURE_SHARE)
		fprintf(out, "%.1f %%\n", 100 * value);
	else
		fprintf(out, "%.0f%s\n", value, e->unit == UNIT_TIME ? " ns" : "");
	free(text);
}

static int measures_run(struct command_request *r, struct trace *t, int64_t from, int64_t to)
{
	struct spec *s = measures_read(t->spec, measure, &r->diag);
	const struct hypothesis *h = s ? spec_hypothesis(s, "Measured") : NULL;
	struct why *w;
	struct focus f;

	if (!s)
		return EXIT_ERROR;
	w = why_of_condition(t, processors, h->condition);
	f = focus_asked(w->evidence, h->about, from, to);
	measure_print(r->out, w->evidence, &f, h->condition, h->about);
	focus_free(&f);
	why_free(w);
	spec_free(s);
	return EXIT_FINE;
}

/* ---- all ---- */

/* Functions of the kernel are evidence of paging. */
static uint32_t why_needs(const struct why *w)
{
	const struct search *s = w->search;
	struct unknown_part u =
	    unknown_of_path(s->evidence->graph, s->evidence->path, s->from, s->to);

	return UNRECORDED_STATES | UNRECORDED_SAMPLES | UNRECORDED_WAITS |
	       (unknown_decides(u.time, s->to - s->from) ? UNRECORDED_WAKEUPS : 0) |
	       (s->findings.n ? 0 : UNRECORDED_KERNEL);
}

static void why_print(struct command_request *r, const struct why *w)
{
	lost_remark(dot || json || r->format == FORMAT_JSON ? NULL : r->out,
		    w->search->evidence->trace, NULL);
	if (dot)
		dot_text(r, w->search);
	else if (json || r->format == FORMAT_JSON) /* has all tests */
		findings_json(r, w);
	else if (tree)
		tree_text(r, w->search);
	else
		findings_text(r, w);
	if (!dot && !json && r->format == FORMAT_TEXT) {
		cut_remark(r->out, w->search->evidence->trace);
		names_remark(r->out, w->search->evidence->trace, r->directories[0]);
		unrecorded_remark(r->out, w->search->evidence->trace, why_needs(w));
	}
}

int why_search(struct command_request *r, struct trace *t, unsigned with, int64_t from, int64_t to,
	       size_t *found)
{
	struct why_options o = {.hypotheses = r->hypotheses,
				.processors = with,
				.from = from,
				.to = to,
				.search = true,
				.rank = !dot && !tree};
	struct why *w = why_of(t, &o, &r->diag);

	*found = 0;
	if (!w)
		return EXIT_ERROR;
	why_print(r, w);
	*found = w->search->findings.n;
	why_free(w);
	return EXIT_FINE;
}

static int why_run(struct command_request *r)
{
	struct trace *t;
	int64_t from, to;
	size_t found;
	int status;

	if (inside.n && !measure)
		usage_fail(
		    "--in restricts a measure; add one, such as --measure 'share(kind \"wait\")'");
	if (dot || json)
		r->out = stdout; /* data is not wrapped */
	t = request_open(r);
	if (!t)
		return EXIT_ERROR;
	selection_times(&from, &to);
	from = from < 0 ? 0 : from;
	to = to > t->duration ? t->duration : to;
	if (as_live)
		status = why_as_live(r, t, processors);
	else
		status = measure ? measures_run(r, t, from, to)
				 : why_search(r, t, processors, from, to, &found);
	trace_close(t);
	return status;
}

static const struct choice options[] = {
    FROM_OPTION("events"),
    TO_OPTION("events"),
    {0, "tree", NULL, "print every tested hypothesis, by phases of the run", take_tree},
    REPRODUCE_OPTION,
    {0, "dot", NULL, "print the tested hypotheses as a graph for graphviz", take_dot},
    {0, "json", NULL, "the same as --format=json", take_json},
    {0, "as-live", NULL,
     "search as if the program were running, and print the share of events that this needs",
     take_as_live},
    {0, "processors", "N", "assume N processors (default: as in the trace)", take_processors},
    {0, "hypotheses", "FILE", "test the hypotheses of FILE instead of the built-in ones",
     request_take_hypotheses},
    {0, "measure", "MEASURE", "print the value of a measure, such as 'share(kind \"wait\")'",
     take_measure},
    {0, "in", "AXIS=NAME",
     "restrict --measure to this focus (repeatable), such as object=queue_lock", take_in},
    {0},
};

const struct command cmd_why = {
    .name = "why",
    .summary = "what makes the program slow: search for bottlenecks",
    .teaches =
	"Tests hypotheses about the whole run, then refines those that hold by object, code and thread, as\n"
	"far as the trace allows. Two lines say what limits the run, and how busy the processors are. The\n"
	"numbered findings follow, largest gain first:\n"
	"  of their time   share of the lifetime of the threads involved\n"
	"  of the run      how much shorter the run could be: the processor time that is idle because of it\n"
	"  blocked by      the threads that end the waits, and where\n"
	"  blocks          who waits for the threads of the finding meanwhile, for what, and where\n"
	"  fix first       what the threads wait for, and how much shorter the run would be if it took half\n"
	"                  the time, with its range, as glimpse whatif --fix predicts. For a long trace: without\n"
	"                  the lock (see glimpse rank --help). A gain of less than 1 % is not printed\n"
	"  look            the command that draws it\n"
	"  reproduce       with --reproduce: the commands that print the numbers of the finding\n"
	"glimpse why -- PROGRAM records a program and searches while it runs (see glimpse why --help --).\n"
	"doc/why.md describes the search, each hypothesis, and how to write one.\n",
    .examples = "  glimpse why run1\n"
		"  glimpse why run1 --from 1s --to 2s\n"
		"  glimpse why run1 --tree\n"
		"  glimpse why -- ./program\n"
		"  glimpse why run1 --dot | dot -Tsvg >why.svg\n",
    .wraps = true,
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = why_run,
};
