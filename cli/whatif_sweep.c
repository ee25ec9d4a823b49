#include "cli/whatif_sweep.h"
#include "analysis/replay/answer/refusal.h"
#include "base/array.h"
#include "base/units.h"
#include "cli/common/fields.h"
#include "cli/common/table.h"
#include "cli/common/text.h"
#include "cli/whatif_best.h"
#include <stdlib.h>
#include <string.h>

enum { BAR = 40, CELL = 64 };

static VECTOR(struct sweep) sweeps;
static bool best;

/* ---- the option ---- */

static bool range_parse(const char *text, struct sweep *s)
{
	const char *dots = strstr(text, "..");
	char from[32], *end;

	if (!dots || dots == text || (size_t)(dots - text) >= sizeof from)
		return false;
	memcpy(from, text, (size_t)(dots - text));
	from[dots - text] = 0;
	s->from = strtod(from, &end);
	if (*end)
		return false;
	s->to = strtod(dots + 2, &end);
	return end != dots + 2 && !*end && s->from > 0 && s->to >= s->from && s->to < 1e6;
}

void sweep_take(const char *text)
{
	const char *equals = strrchr(text, '=');
	struct sweep s = {0};

	if (strcmp(text, "best") == 0) {
		best = true;
		return;
	}
	if (!equals || equals == text || !range_parse(equals + 1, &s))
		usage_fail(
		    "--sweep: invalid range '%s' (expected WHAT=FROM..TO such as compress=1..8, or best)",
		    text);
	if (sweeps.n == MOST_CHANGES)
		usage_fail("--sweep: too many sweeps (at most %d)", MOST_CHANGES);
	s.what = text_format("%.*s", (int)(equals - text), text);
	*vector_add(&sweeps) = s;
}

bool sweep_is_asked(void)
{
	return best || sweeps.n;
}

/* ---- curves ---- */

static const char *bar_text(char bar[CELL], int64_t part, int64_t whole)
{
	int n = whole > 0 ? (int)((double)part * BAR / (double)whole + 0.5) : 0;

	n = n > BAR ? BAR : n;
	memset(bar, '#', (size_t)n);
	bar[n] = 0;
	return bar;
}

/* Says what the times without a value contradict. */
static void contradiction_text(FILE *out, const struct sweep *s)
{
	for (size_t i = 0; i < s->points.n; i++)
		if (s->points.at[i].time.contradicts) {
			fputs("unknown: " PREDICTED_CONTRADICTS "\n", out);
			return;
		}
}

static void curve_text(FILE *out, const struct sweep *s, int64_t before)
{
	struct columns columns = {.count = 6, .last_left = true};
	int64_t longest = before;

	for (size_t i = 0; i < s->points.n; i++)
		if (s->points.at[i].time.known && s->points.at[i].time.predicted > longest)
			longest = s->points.at[i].time.predicted;

	fprintf(out, "%s\n", s->what);
	for (size_t i = 0; i < s->points.n; i++) {
		const struct predicted_time *p = &s->points.at[i].time;
		char cells[6][CELL], *bar = cells[5];

		snprintf(cells[0], CELL, strcmp(s->what, "cores") == 0 ? "%g" : "x %.3g",
			 s->points.at[i].factor);
		if (!p->known) {
			columns_add(&columns,
				    (const char *[6]){cells[0], "unknown", "-", "-", "-", ""});
			continue;
		}
		columns_add(
		    &columns,
		    (const char *[6]){cells[0], units_time(cells[1], (double)p->predicted),
				      change_text(cells[2], (double)before, (double)p->predicted),
				      units_time(cells[3], (double)p->low),
				      units_time(cells[4], (double)p->high),
				      bar_text(bar, p->predicted, longest)});
	}
	columns_print(&columns, out);
	contradiction_text(out, s);
}

enum { POINT_FIELDS = 5 };
static const struct field point_fields[POINT_FIELDS] = {
    {"what", 1}, {"factor", 2}, {"predicted", 3}, {"low", 4}, {"high", 5}};

/* array NULL: as csv */
static void curves_rows(FILE *out, struct json *array, const struct losses *losses)
{
	struct field_rows rows = {.fields = point_fields, .n = POINT_FIELDS, .losses = losses};

	fields_begin(&rows, out, array);
	for (size_t i = 0; i < sweeps.n; i++)
		for (size_t k = 0; k < sweeps.at[i].points.n; k++) {
			const struct predicted_time *p = &sweeps.at[i].points.at[k].time;

			fields_row(&rows, (struct table_cell[POINT_FIELDS]){
					      cell_text(sweeps.at[i].what),
					      cell_rounded(sweeps.at[i].points.at[k].factor, "%g"),
					      cell_known(p->known, p->predicted),
					      cell_known(p->known, p->low),
					      cell_known(p->known, p->high),
					  });
		}
}

/* ---- all ---- */

int sweep_answer(struct command_request *r, struct prediction *p)
{
	const char *unknown = NULL;
	struct losses losses;
	struct json j, *array = r->format == FORMAT_JSON ? &j : NULL;

	if (!sweeps_run(p, sweeps.at, (unsigned)sweeps.n, &unknown)) {
		refuse_name(&r->diag, p->model->trace, unknown);
		return EXIT_ERROR;
	}
	losses = losses_of(p->model->trace);
	j = json_begin(r->out, 2);
	if (array)
		json_array(array, NULL);
	for (size_t i = 0; i < sweeps.n && r->format == FORMAT_TEXT; i++)
		curve_text(r->out, &sweeps.at[i], p->base->duration);
	if (sweeps.n && r->format != FORMAT_TEXT)
		curves_rows(r->out, array, &losses);
	if (best)
		best_answer(r, p, array, &losses);
	if (array)
		json_close(array);
	return EXIT_FINE;
}
