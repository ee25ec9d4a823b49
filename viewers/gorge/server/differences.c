/* The differences between the two recordings that are shown one above the other. */
#include "analysis/diff/change_text.h"
#include "analysis/diff/diff.h"
#include "viewers/gorge/answers/answers.h"
#include <stdlib.h>

/* So many are sent: the page lists them all. */
enum { MOST_ROWS = 200 };

/* All intervals of a trace, with NULL behind them. */
static const struct interval **intervals_of(const struct spec *spec)
{
	const struct interval **all = array_zero(spec->nintervals + 1, sizeof *all);

	for (unsigned i = 0; i < spec->nintervals; i++)
		all[i] = spec->intervals[i];
	return all;
}

static void differences_find(struct diff_changes *c, struct diff_runs runs)
{
	const struct interval **chosen[] = {intervals_of(runs.at[0]->spec),
					    intervals_of(runs.at[1]->spec)};

	diff_floor(c, runs);
	diff_intervals(c, runs, (const struct interval **const *)chosen);
	diff_functions(c, runs);
	diff_threads(c, runs);
	diff_locks(c, runs);
	diff_memory(c, runs);
	changes_judge(c);
	free(chosen[0]);
	free(chosen[1]);
}

static void row_json(struct json *j, const struct change *c)
{
	char text[3][UNITS_TEXT];

	json_object(j, NULL);
	json_string(j, "kind", diff_row_names[c->table]);
	json_string(j, "name", c->name);
	json_string(j, "measure", c->measure);
	json_real(j, "before", c->before);
	json_real(j, "after", c->after);
	json_string(j, "before_text", change_value_text(text[0], c->unit, c->before));
	json_string(j, "after_text", change_value_text(text[1], c->unit, c->after));
	json_string(j, "factor", change_factor_text(text[2], c));
	json_close(j);
}

/* Whether it is worth a row: not small, and no function of the recorder. */
static bool is_shown(const struct change *c)
{
	return c->verdict >= VERDICT_UNTESTED && *change_verdict_word(c) && !c->recorder;
}

struct reply answer_differences(struct session *s, const struct http_request *request)
{
	struct session *upper = s->common->upper;
	struct diff_changes c = {.before = 1, .after = 1};
	struct reply_stream w;
	struct json json;
	struct task *task;
	unsigned rows = 0;

	(void)request;
	if (!upper)
		return reply_text(404, "There is one recording. gorge --beside shows two.");
	task = analysis_begin(s);
	matcher_lend(upper->index->matcher);
	matcher_lock(upper->index->matcher);
	differences_find(
	    &c, (struct diff_runs){(struct trace *[]){upper->index->trace, s->index->trace}, 2});
	matcher_unlock(upper->index->matcher);
	analysis_end(s, task);
	json = reply_begin_json(&w);
	json_bool(&json, "tested", diff_runs_suffice(c.before, c.after));
	json_array(&json, "rows");
	for (size_t i = 0; i < c.all.n && rows < MOST_ROWS; i++)
		if (is_shown(&c.all.at[i])) {
			row_json(&json, &c.all.at[i]);
			rows++;
		}
	json_close(&json);
	changes_free(&c);
	return reply_end_json(&w, &json);
}
