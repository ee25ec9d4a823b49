#include "cli/whatif_best.h"
#include "analysis/replay/answer/causal_profile.h"
#include "base/csv.h"
#include "base/json.h"
#include "base/units.h"
#include "cli/common/table.h"
#include "cli/common/text.h"
#include "cli/common/top.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* What changes less than one in LEAST_SHARE of the run is counted, and not shown. */
enum { CELLS = PROFILE_FACTORS + 4, CELL = 64, LEAST_SHARE = 1000 };

/* ---- text ---- */

static const char *gain_text(char text[CELL], const struct causal_profile *c,
			     const struct predicted_time *p)
{
	snprintf(text, CELL, "-");
	if (p->known && c->before)
		snprintf(text, CELL, "%.1f %%",
			 100 * (double)(c->before - p->predicted) / (double)c->before);
	return text;
}

static const char *gains_between(char text[CELL], const struct causal_profile *c,
				 const struct predicted_time *p)
{
	snprintf(text, CELL, "-");
	if (p->known && c->before)
		snprintf(text, CELL, "%.1f to %.1f %%",
			 100 * (double)(c->before - p->high) / (double)c->before,
			 100 * (double)(c->before - p->low) / (double)c->before);
	return text;
}

static void row_add(struct columns *columns, const struct causal_profile *c,
		    const struct profile_row *row)
{
	char cells[CELLS][CELL], *name = profile_row_name(row);
	const char *texts[CELLS] = {name, profile_kind_name(row->kind)};
	unsigned n = 2;

	for (unsigned i = 0; i < PROFILE_FACTORS; i++) {
		texts[n] = gain_text(cells[n], c, &row->points[i]);
		n++;
		if (i != PROFILE_TWICE)
			continue;
		texts[n] = gains_between(cells[n], c, &row->points[i]);
		n++;
	}
	texts[n] = gain_text(cells[n], c, &row->removed);
	columns_add(columns, texts);
	free(name);
}

/* Whether some change makes the run shorter or longer, as far as a table says so. */
static bool matters(const struct causal_profile *c, const struct profile_row *row)
{
	for (unsigned i = 0; i < PROFILE_FACTORS; i++)
		if (row->points[i].known &&
		    llabs(c->before - row->points[i].predicted) > c->before / LEAST_SHARE)
			return true;
	return row->removed.known &&
	       llabs(c->before - row->removed.predicted) > c->before / LEAST_SHARE;
}

static bool contradicts(const struct causal_profile *c)
{
	for (size_t i = 0; i < c->n; i++)
		for (unsigned k = 0; k < PROFILE_FACTORS; k++)
			if (c->rows[i].points[k].contradicts)
				return true;
	return false;
}

static void rest_text(FILE *out, const struct causal_profile *c, size_t shown)
{
	if (shown && shown < c->n)
		fprintf(out, "%zu more change%s the run by at most 0.1 %%\n", c->n - shown,
			c->n - shown == 1 ? "s" : "");
	if (c->tried < c->candidates)
		fprintf(
		    out,
		    "tried %zu of %zu candidates, because the run is long; --top %zu tries all\n",
		    c->tried, c->candidates, c->candidates);
}

/* Whether the last column, of removed locks, has a value. */
static bool has_locks(const struct causal_profile *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->rows[i].removed.known && matters(c, &c->rows[i]))
			return true;
	return false;
}

static void profile_text(FILE *out, const struct causal_profile *c)
{
	struct columns columns = {.count = CELLS - !has_locks(c), .left = 2};
	char before[UNITS_TEXT];
	size_t shown = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (!matters(c, &c->rows[i]))
			continue;
		if (!shown++)
			columns_add(&columns, (const char *[CELLS]){"what", "kind", "1.25x", "1.5x",
								    "2x", "range at 2x", "4x",
								    "without", "no lock"});
		row_add(&columns, c, &c->rows[i]);
	}
	if (shown)
		fprintf(out, "reduction of the run of %s at each speed-up:\n",
			units_time(before, (double)c->before));
	else
		fputs("no speed-up changes the run by more than 0.1 %\n", out);
	columns_print(&columns, out);
	if (shown && contradicts(c))
		fputs("-: " PREDICTED_CONTRADICTS ", or there is no such change\n", out);
	rest_text(out, c, shown);
}

/* ---- csv and json ---- */

/* factor: 0: the lock is removed. */
static void point_csv(FILE *out, const struct causal_profile *c, const struct profile_row *row,
		      const struct predicted_time *p, double factor)
{
	char *name = profile_row_name(row);

	csv_write_field(out, name);
	fprintf(out, ",%s,", profile_kind_name(row->kind));
	if (factor)
		fprintf(out, "%g", factor);
	else
		fputs("removed", out);
	known_csv(out, p->known, p->predicted);
	known_csv(out, p->known, p->low);
	known_csv(out, p->known, p->high);
	known_csv(out, p->known, c->before - p->predicted);
	putc('\n', out);
	free(name);
}

static void profile_csv(FILE *out, const struct causal_profile *c)
{
	fputs("what,kind,factor,predicted,low,high,gain\n", out);
	for (size_t i = 0; i < c->n; i++) {
		const struct profile_row *row = &c->rows[i];

		for (unsigned k = 0; k < PROFILE_FACTORS; k++)
			point_csv(out, c, row, &row->points[k], profile_factors[k]);
		if (row->kind == PROFILE_LOCK)
			point_csv(out, c, row, &row->removed, 0);
	}
}

/* factor: 0: the lock is removed. */
static void point_json(struct json *j, const struct causal_profile *c,
		       const struct profile_row *row, const struct predicted_time *p, double factor,
		       const struct losses *losses)
{
	char *name = profile_row_name(row);

	json_object(j, NULL);
	json_string(j, "what", name);
	json_string(j, "kind", profile_kind_name(row->kind));
	if (!factor || isinf(factor))
		json_null(j, "factor");
	else
		json_real(j, "factor", factor);
	json_bool(j, "removed", !factor);
	known_json(j, "predicted", p->known, p->predicted);
	known_json(j, "low", p->known, p->low);
	known_json(j, "high", p->known, p->high);
	known_json(j, "gain", p->known, c->before - p->predicted);
	losses_json(j, losses);
	json_close(j);
	free(name);
}

static void profile_json(struct json *j, const struct causal_profile *c,
			 const struct losses *losses)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct profile_row *row = &c->rows[i];

		for (unsigned k = 0; k < PROFILE_FACTORS; k++)
			point_json(j, c, row, &row->points[k], profile_factors[k], losses);
		if (row->kind == PROFILE_LOCK)
			point_json(j, c, row, &row->removed, 0, losses);
	}
}

/* ---- all ---- */

void best_answer(struct command_request *r, struct prediction *p, struct json *j,
		 const struct losses *losses)
{
	struct causal_profile *c = causal_profile_of(p, top_rows(SIZE_MAX, 0));

	if (r->format == FORMAT_JSON)
		profile_json(j, c, losses);
	else if (r->format == FORMAT_CSV)
		profile_csv(r->out, c);
	else
		profile_text(r->out, c);
	causal_profile_free(c);
}
