#include "cli/whatif_sweep.h"
#include "analysis/replay/answer/refusal.h"
#include "base/array.h"
#include "base/csv.h"
#include "base/json.h"
#include "base/units.h"
#include "cli/common/table.h"
#include "cli/common/text.h"
#include "cli/whatif_best.h"
#include "trace/stream/losses.h"
#include <inttypes.h>
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

static void curves_csv(FILE *out)
{
	fputs("what,factor,predicted,low,high\n", out);
	for (size_t i = 0; i < sweeps.n; i++)
		for (size_t k = 0; k < sweeps.at[i].points.n; k++) {
			const struct predicted_time *p = &sweeps.at[i].points.at[k].time;

			csv_write_field(out, sweeps.at[i].what);
			fprintf(out, ",%g", sweeps.at[i].points.at[k].factor);
			known_csv(out, p->known, p->predicted);
			known_csv(out, p->known, p->low);
			known_csv(out, p->known, p->high);
			putc('\n', out);
		}
}

static void curve_json(struct json *j, const struct sweep *s, const struct losses *losses)
{
	for (size_t i = 0; i < s->points.n; i++) {
		const struct predicted_time *p = &s->points.at[i].time;

		json_object(j, NULL);
		json_string(j, "what", s->what);
		json_real(j, "factor", s->points.at[i].factor);
		known_json(j, "predicted", p->known, p->predicted);
		known_json(j, "low", p->known, p->low);
		known_json(j, "high", p->known, p->high);
		losses_json(j, losses);
		json_close(j);
	}
}

/* ---- all ---- */

static void curves_answer(struct command_request *r, const struct prediction *p, struct json *j,
			  const struct losses *losses)
{
	if (r->format == FORMAT_CSV)
		curves_csv(r->out);
	for (size_t i = 0; i < sweeps.n; i++) {
		if (r->format == FORMAT_JSON)
			curve_json(j, &sweeps.at[i], losses);
		else if (r->format == FORMAT_TEXT)
			curve_text(r->out, &sweeps.at[i], p->base->duration);
	}
}

int sweep_answer(struct command_request *r, struct prediction *p)
{
	const char *unknown = NULL;
	struct losses losses;
	struct json j;

	if (!sweeps_run(p, sweeps.at, (unsigned)sweeps.n, &unknown)) {
		refuse_name(&r->diag, p->model->trace, unknown);
		return EXIT_ERROR;
	}
	if (r->format == FORMAT_JSON) {
		losses = losses_of(p->model->trace);
		j = json_begin(r->out, 2);
		json_array(&j, NULL);
	}
	if (sweeps.n)
		curves_answer(r, p, &j, &losses);
	if (best)
		best_answer(r, p, &j, &losses);
	if (r->format == FORMAT_JSON)
		json_close(&j);
	return EXIT_FINE;
}
