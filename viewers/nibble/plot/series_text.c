#include "viewers/nibble/plot/series_text.h"
#include "base/csv.h"
#include "base/json.h"
#include "base/units.h"
#include <math.h>

struct value_row {
	double from, to, value;
};

/* Calls f for each value of a curve, with the range that it holds over. */
static void each_row(const struct curve *s, struct limits r,
		     void (*f)(void *context, struct value_row row), void *context)
{
	if (s->shape == SHAPE_CONSTANT) {
		f(context, (struct value_row){r.from, r.to, s->y[0]});
		return;
	}
	if (s->shape == SHAPE_STEPS && !s->distribution && (s->n == 0 || s->x[0] > r.from))
		f(context, (struct value_row){r.from, s->n > 0 ? s->x[0] : r.to, s->before});
	for (size_t i = 0; i < s->n; i++) {
		double to = s->x[i];

		if (curve_has_edges(s))
			to = s->x[i + 1];
		else if (s->shape == SHAPE_STEPS)
			to = i + 1 < s->n ? s->x[i + 1] : curve_last(s);
		f(context, (struct value_row){s->x[i], to, s->y[i]});
	}
}

/* Writes the name of a curve as a quoted field. */
static void write_name(FILE *out, const struct curve *s, const char *more)
{
	putc('"', out);
	csv_write_quoted(out, s->title);
	if (s->group) {
		fputs(", ", out);
		csv_write_quoted(out, s->group);
	}
	fputs(more, out);
	putc('"', out);
}

struct series_csv {
	FILE *out;
	const struct curve *series;
};

static void write_row(void *context, struct value_row row)
{
	struct series_csv *c = context;
	char from[UNITS_TEXT], to[UNITS_TEXT], value[UNITS_TEXT];

	write_name(c->out, c->series, "");
	fprintf(c->out, ",%s,%s,%s\n", units_number(from, row.from), units_number(to, row.to),
		isnan(row.value) ? "" : units_number(value, row.value));
}

/* Writes tiles: each bin of values is a series of its own, in windows of time. */
static void write_tile_rows(FILE *out, const struct curve *s)
{
	char from[UNITS_TEXT], to[UNITS_TEXT], bin[2 * UNITS_TEXT + 8];

	for (size_t i = 0; i < s->tiles.n; i++) {
		const struct tile *t = &s->tiles.at[i];

		snprintf(bin, sizeof bin, ", %s to %s", units_number(from, t->low),
			 units_number(to, t->high));
		write_name(out, s, bin);
		fprintf(out, ",%s,%s,%.0f\n", units_number(from, t->left),
			units_number(to, t->right), t->count);
	}
}

void curves_write_csv(FILE *out, const struct family *families, size_t n, struct limits r)
{
	fputs("series,from,to,value\n", out);
	for (size_t e = 0; e < n; e++)
		for (size_t i = 0; i < families[e].n; i++) {
			each_row(families[e].at[i], r, write_row,
				 &(struct series_csv){out, families[e].at[i]});
			write_tile_rows(out, families[e].at[i]);
		}
}

static const char *shape_name(enum shape shape)
{
	switch (shape) {
	case SHAPE_CONSTANT:
		return "constant";
	case SHAPE_STEPS:
		return "steps";
	case SHAPE_LINES:
		return "lines";
	case SHAPE_CELLS:
		return "cells";
	case SHAPE_BOXES:
		return "boxes";
	case SHAPE_TILES:
		return "tiles";
	default:
		return "points";
	}
}

/* Writes the powers of the base units: a rate has events 1 and ns -1. */
static void json_unit(struct json *j, const char *key, struct dimension d)
{
	json_object(j, key);
	json_int(j, "ns", d.time);
	json_int(j, "bytes", d.bytes);
	json_int(j, "events", d.events);
	json_close(j);
}

/* Writes a number; most are whole, which is much faster. */
static void json_number(struct json *j, double number)
{
	if (fabs(number) < 1e15 && number == rint(number))
		json_int(j, NULL, (int64_t)number);
	else
		json_real(j, NULL, number);
}

static void json_row(void *context, struct value_row row)
{
	struct json *j = context;

	json_array(j, NULL);
	json_number(j, row.from);
	json_number(j, row.to);
	json_number(j, row.value);
	json_close(j);
}

static void json_tile(struct json *j, const struct tile *t)
{
	json_array(j, NULL);
	json_real(j, NULL, t->left);
	json_real(j, NULL, t->right);
	json_real(j, NULL, t->low);
	json_real(j, NULL, t->high);
	json_real(j, NULL, t->count);
	json_close(j);
}

static void json_series(struct json *j, const struct curve *s, struct limits r)
{
	json_object(j, NULL);
	json_string(j, "title", s->title);
	if (s->group)
		json_string(j, "member", s->group);
	json_string(j, "shape", shape_name(s->shape));
	json_bool(j, "distribution", s->distribution);
	json_string(j, "quantity", s->quantity);
	json_unit(j, "value_powers", s->dimension);
	json_unit(j, "x_powers", s->xdimension);
	json_array(j, "values");
	each_row(s, r, json_row, j);
	for (size_t i = 0; i < s->tiles.n; i++)
		json_tile(j, &s->tiles.at[i]);
	json_close(j);
	json_close(j);
}

void curves_write_json(FILE *out, const struct family *families, size_t n, struct limits r)
{
	struct json j = json_begin(out, 4);

	json_object(&j, NULL);
	json_real(&j, "from", r.from);
	json_real(&j, "to", r.to);
	json_array(&j, "series");
	for (size_t e = 0; e < n; e++)
		for (size_t i = 0; i < families[e].n; i++)
			json_series(&j, families[e].at[i], r);
	json_close(&j);
	json_close(&j);
}
