#include "analysis/why/search_json.h"
#include "analysis/why/finding_text.h"
#include "analysis/why/measures.h"
#include "analysis/why/switches.h"
#include "trace/stream/losses.h"
#include <stdlib.h>
#include <string.h>

const char *verdict_name(enum search_verdict v)
{
	static const char *const verdicts[] = {"true", "false", "not tested"};

	return verdicts[v];
}

static void parts_json(struct json *j, const char *key, const parts_named *parts)
{
	json_array(j, key);
	for (size_t i = 0; i < parts->n; i++)
		json_string(j, NULL, parts->at[i].name);
	json_close(j);
}

/*
 * The numbers of the threads in focus, which are all if it has not been narrowed to some; of the
 * holders.
 */
static void threads_json(struct json *j, const struct evidence *g, const struct finding *f)
{
	const struct trace *t = g->trace;

	json_array(j, "thread_numbers");
	for (unsigned i = 0; i < t->nthreads; i++)
		if (f->focus.threads[i])
			json_uint(j, NULL, t->threads[i].number);
	json_close(j);
	json_array(j, "holder_numbers");
	for (unsigned i = 0; i < t->nthreads; i++)
		for (size_t k = 0; k < f->holders.n; k++)
			if (g->names[i] == f->holders.at[k].key)
				json_uint(j, NULL, t->threads[i].number);
	json_close(j);
}

static void focus_json(struct json *j, const struct evidence *g, const struct finding *f)
{
	json_object(j, "focus");
	threads_json(j, g, f);
	parts_json(j, "threads", &f->threads);
	parts_json(j, "code", &f->code);
	parts_json(j, "functions", &f->functions);
	parts_json(j, "objects", &f->objects);
	parts_json(j, "holders", &f->holders);
	parts_json(j, "holder_code", &f->holder_code);
	json_close(j);
}

static char *explanation_of(const struct said *s)
{
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	for (size_t i = 0; i < s->lines.n; i++)
		fprintf(out, "%s%s", i ? "; " : "", s->lines.at[i]);
	if (s->fix)
		fprintf(out, "; fix first: %s", s->fix);
	fclose(out);
	return text;
}

static void switches_json(struct json *j, const struct evidence *g, const struct finding *f)
{
	struct cut_turns cut = switches_cut(g, &f->focus);

	if (measure_subject(f->hypothesis->about) != OF_SWITCHES)
		return;
	json_object(j, "switches");
	json_uint(j, "count", cut.n);
	json_int(j, "time", cut.time);
	json_int(j, "cost", g->switches->cost);
	json_bool(j, "measured", g->switches->measured);
	json_real(j, "switching", switching_part(g, &f->focus));
	json_close(j);
}

/* The changes as glimpse whatif --fix has them, and their gains where it answers. */
static void fix_gain_json(struct json *j, const struct rank_row *row)
{
	char *change = rank_fix_text(row, rank_is_removal(row));

	json_string(j, "change", change);
	if (rank_gain_of(row, false).known) {
		json_int(j, "gain", row->whatif);
		json_int(j, "gain_low", row->whatif_low);
		json_int(j, "gain_high", row->whatif_high);
	}
	if (rank_gain_of(row, true).known) {
		json_int(j, "removal", row->removal);
		json_int(j, "removal_low", row->removal_low);
		json_int(j, "removal_high", row->removal_high);
	}
	free(change);
}

static void finding_json(struct json *j, const char *directory, const struct search *s,
			 const struct finding *f, const struct rank *rank)
{
	struct said *said = finding_say(directory, s, f, rank);
	char *explanation = explanation_of(said);

	json_object(j, NULL);
	json_string(j, "hypothesis", f->hypothesis->name);
	json_real(j, "share", f->share);
	json_int(j, "cost", (int64_t)(f->cost.time + 0.5));
	json_int(j, "time", f->time);
	json_uint(j, "count", f->count);
	switches_json(j, s->evidence, f);
	focus_json(j, s->evidence, f);
	if (f->phase != NO_PHASE)
		json_uint(j, "phase", f->phase);
	json_int(j, "from", f->from);
	json_int(j, "to", f->to);
	if (f->without_paging.known) {
		json_object(j, "without_memory_work");
		json_real(j, "gain", f->without_paging.gain);
		json_real(j, "gain_low", f->without_paging.low);
		json_real(j, "gain_high", f->without_paging.high);
		json_close(j);
	}
	if (f->fix) {
		json_object(j, "fix");
		json_string(j, "what", f->fix->subject.name);
		json_string(j, "by", subject_kind_name(f->fix->subject.kind));
		json_int(j, "logical_zeroing", (int64_t)(f->fix->zeroing + 0.5));
		json_int(j, "logged", f->fix->known);
		fix_gain_json(j, f->fix);
		json_close(j);
	}
	json_string(j, "explanation", explanation);
	json_array(j, "lines");
	for (size_t i = 0; i < said->lines.n; i++)
		json_string(j, NULL, said->lines.at[i]);
	json_close(j);
	if (said->fix)
		json_string(j, "fix_first", said->fix);
	json_array(j, "commands");
	for (size_t i = 0; i < said->commands.n; i++)
		json_string(j, NULL, said->commands.at[i]);
	json_close(j);
	json_array(j, "joined");
	for (size_t i = 0; i < f->joined.n; i++)
		json_string(j, NULL, f->joined.at[i]);
	json_close(j);
	json_close(j);
	free(explanation);
	said_free(said);
}

static void compared_json(struct json *j, const comparison_list *compared)
{
	json_array(j, "compared");
	for (size_t i = 0; i < compared->n; i++) {
		const struct tested_comparison *c = &compared->at[i];
		char *text;
		size_t length;
		FILE *out = open_memstream(&text, &length);

		comparison_print(out, c);
		fclose(out);
		json_object(j, NULL);
		json_string(j, "text", text);
		json_bool(j, "holds", c->holds);
		if (c->known) {
			json_real(j, "left", c->left);
			json_real(j, "right", c->right);
		}
		json_close(j);
		free(text);
	}
	json_close(j);
}

static void node_json(struct json *j, const struct search *s, const struct search_node *n)
{
	json_object(j, NULL);
	json_string(j, "hypothesis", n->hypothesis->name);
	if (n->parent != NO_PARENT)
		json_uint(j, "parent", n->parent);
	if (n->where) {
		json_string(j, "axis", axis_name(s->evidence, n->axis));
		json_string(j, "where", n->where);
	}
	if (n->phase != NO_PHASE)
		json_uint(j, "phase", n->phase);
	json_string(j, "verdict", verdict_name(n->verdict));
	if (n->reason)
		json_string(j, "reason", n->reason);
	compared_json(j, &n->compared);
	json_real(j, "cost", n->cost);
	json_real(j, "share", n->share);
	if (n->finding != NO_PARENT)
		json_uint(j, "finding", n->finding);
	json_close(j);
}

static void phase_json(struct json *j, const phase_list *phases, size_t i)
{
	const struct phase *p = &phases->at[i];
	char *name = phase_text(phases, i);

	json_object(j, NULL);
	json_string(j, "name", name);
	json_int(j, "from", p->from);
	json_int(j, "to", p->to);
	json_uint(j, "depth", p->depth);
	json_bool(j, "found", !p->name);
	json_close(j);
	free(name);
}

static void busy_json(struct json *j, const struct busy *b, const struct more_processors *more)
{
	if (!b)
		return;
	json_object(j, "busy");
	json_real(j, "used", b->used);
	json_uint(j, "processors", b->processors);
	json_real(j, "others", b->others);
	parts_json(j, "with", &b->groups);
	if (more->replayed) {
		json_uint(j, "more_processors", more->n);
		json_real(j, "gain", more->gain);
		json_real(j, "gain_low", more->low);
		json_real(j, "gain_high", more->high);
	}
	json_close(j);
}

static void waits_json(struct json *j, const struct graph *g)
{
	struct graph_waits waits = graph_waits_of(g);

	json_object(j, "waits");
	json_int(j, "time", waits.time);
	json_int(j, "explained", waits.explained);
	json_close(j);
}

void search_json(struct json *j, const char *directory, const struct why *w)
{
	const struct search *s = w->search;
	struct losses losses = losses_of(s->evidence->trace);

	json_int(j, "duration", s->evidence->trace->duration);
	json_int(j, "from", s->from);
	json_int(j, "to", s->to);
	json_uint(j, "processors", s->evidence->idle->processors);
	json_uint(j, "records_lost", losses.records);
	losses_json(j, &losses);
	busy_json(j, w->busy, &w->more);
	waits_json(j, s->evidence->graph);
	json_array(j, "findings");
	for (size_t i = 0; i < s->findings.n; i++)
		finding_json(j, directory, s, &s->findings.at[i], w->rank);
	json_close(j);
	j->lines = 2;
	json_array(j, "phases");
	for (size_t i = 0; i < s->phases.n; i++)
		phase_json(j, &s->phases, i);
	json_close(j);
	json_array(j, "history");
	for (size_t i = 0; i < s->history.n; i++)
		node_json(j, s, &s->history.at[i]);
	json_close(j);
}
