#include "cli/whatif_best.h"
#include "analysis/replay/answer/causal_profile.h"
#include "base/units.h"
#include "cli/common/fields.h"
#include "cli/common/table.h"
#include "cli/common/top.h"
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

/* csv has "removed" as a factor. */
enum { POINT_FIELDS = 9 };
static const struct field point_fields[POINT_FIELDS] = {
    {"what", 1},      {"kind", 2}, {"factor", 3}, {"factor", 0}, {"removed", 0},
    {"predicted", 4}, {"low", 5},  {"high", 6},   {"gain", 7},
};

/* factor: 0: the lock is removed. */
static void point_row(struct field_rows *rows, const struct causal_profile *c,
		      const struct profile_row *row, const struct predicted_time *p, double factor)
{
	char *name = profile_row_name(row), text[CELL] = "removed";

	if (factor)
		snprintf(text, CELL, "%g", factor);
	fields_row(rows, (struct table_cell[POINT_FIELDS]){
			     cell_text(name),
			     cell_text(profile_kind_name(row->kind)),
			     cell_only_csv(cell_text(text)),
			     cell_real(factor ? factor : NAN),
			     cell_bool(!factor),
			     cell_known(p->known, p->predicted),
			     cell_known(p->known, p->low),
			     cell_known(p->known, p->high),
			     cell_known(p->known, c->before - p->predicted),
			 });
	free(name);
}

/* array NULL: as csv */
static void profile_rows(FILE *out, struct json *array, const struct causal_profile *c,
			 const struct losses *losses)
{
	struct field_rows rows = {.fields = point_fields, .n = POINT_FIELDS, .losses = losses};

	fields_begin(&rows, out, array);
	for (size_t i = 0; i < c->n; i++) {
		const struct profile_row *row = &c->rows[i];

		for (unsigned k = 0; k < PROFILE_FACTORS; k++)
			point_row(&rows, c, row, &row->points[k], profile_factors[k]);
		if (row->kind == PROFILE_LOCK)
			point_row(&rows, c, row, &row->removed, 0);
	}
}

/* ---- all ---- */

void best_answer(struct command_request *r, struct prediction *p, struct json *array,
		 const struct losses *losses)
{
	struct causal_profile *c = causal_profile_of(p, top_rows(SIZE_MAX, 0));

	if (r->format == FORMAT_TEXT)
		profile_text(r->out, c);
	else
		profile_rows(r->out, array, c, losses);
	causal_profile_free(c);
}
