#include "cli/common/fields.h"
#include "base/csv.h"
#include "base/print.h"
#include <inttypes.h>
#include <math.h>

struct table_cell cell_left_out(void)
{
	return (struct table_cell){.kind = CELL_LEFT_OUT};
}

struct table_cell cell_text(const char *text)
{
	return (struct table_cell){.kind = text ? CELL_TEXT : CELL_UNKNOWN, .value.text = text};
}

struct table_cell cell_int(int64_t value)
{
	return cell_known(true, value);
}

struct table_cell cell_known(bool known, int64_t value)
{
	return (struct table_cell){.kind = known ? CELL_INT : CELL_UNKNOWN, .value.integer = value};
}

struct table_cell cell_uint(uint64_t value)
{
	return (struct table_cell){.kind = CELL_UINT, .value.count = value};
}

struct table_cell cell_real(double value)
{
	return cell_rounded(value, NULL);
}

struct table_cell cell_rounded(double value, const char *digits)
{
	return (struct table_cell){.kind = isfinite(value) ? CELL_REAL : CELL_UNKNOWN,
				   .value.real = value,
				   .digits = digits};
}

struct table_cell cell_bool(bool value)
{
	return (struct table_cell){.kind = CELL_BOOL, .value.truth = value};
}

struct table_cell cell_only_csv(struct table_cell cell)
{
	cell.only_csv = true;
	return cell;
}

static void cell_csv(FILE *out, const struct table_cell *c)
{
	switch (c->kind) {
	case CELL_LEFT_OUT:
	case CELL_UNKNOWN:
		break;
	case CELL_TEXT:
		csv_write_field(out, c->value.text);
		break;
	case CELL_INT:
		fprintf(out, "%" PRId64, c->value.integer);
		break;
	case CELL_UINT:
		fprintf(out, "%" PRIu64, c->value.count);
		break;
	case CELL_REAL:
		if (c->digits)
			fprintf(out, c->digits, c->value.real);
		else
			print_real(out, c->value.real);
		break;
	case CELL_BOOL:
		putc(c->value.truth ? '1' : '0', out);
		break;
	}
}

static void cell_json(struct json *j, const char *key, const struct table_cell *c)
{
	switch (c->kind) {
	case CELL_LEFT_OUT:
		break;
	case CELL_UNKNOWN:
		json_null(j, key);
		break;
	case CELL_TEXT:
		json_string(j, key, c->value.text);
		break;
	case CELL_INT:
		json_int(j, key, c->value.integer);
		break;
	case CELL_UINT:
		json_uint(j, key, c->value.count);
		break;
	case CELL_REAL:
		json_real(j, key, c->value.real);
		break;
	case CELL_BOOL:
		json_bool(j, key, c->value.truth);
		break;
	}
}

static bool is_in(const struct field_rows *r, size_t field)
{
	return !(r->without >> field & 1);
}

/* Finds the field of each of csv's columns; n: none. */
static void columns_of(const struct field_rows *r, size_t order[MOST_FIELDS])
{
	for (size_t i = 0; i < MOST_FIELDS; i++)
		order[i] = r->n;
	for (size_t i = 0; i < r->n; i++)
		if (r->fields[i].column && is_in(r, i))
			order[r->fields[i].column - 1] = i;
}

/* cells NULL: the head */
static void row_csv(const struct field_rows *r, const struct table_cell *cells)
{
	size_t order[MOST_FIELDS];
	bool begun = false;

	columns_of(r, order);
	for (size_t i = 0; i < MOST_FIELDS; i++) {
		if (order[i] == r->n)
			continue;
		if (begun)
			putc(',', r->csv);
		begun = true;
		if (cells)
			cell_csv(r->csv, &cells[order[i]]);
		else
			fputs(r->fields[order[i]].key, r->csv);
	}
	putc('\n', r->csv);
}

void fields_begin(struct field_rows *r, FILE *csv, struct json *json)
{
	r->csv = csv;
	r->json = json;
	if (!json)
		row_csv(r, NULL);
}

void fields_open(struct field_rows *r, FILE *out, enum format format)
{
	r->whole = json_begin(out, 1);
	if (format == FORMAT_JSON)
		json_array(&r->whole, NULL);
	fields_begin(r, out, format == FORMAT_JSON ? &r->whole : NULL);
}

void fields_close(struct field_rows *r)
{
	if (r->json)
		json_close(r->json);
}

void fields_row(struct field_rows *r, const struct table_cell *cells)
{
	if (!r->json) {
		row_csv(r, cells);
		return;
	}
	json_object(r->json, NULL);
	for (size_t i = 0; i < r->n; i++)
		if (is_in(r, i) && !cells[i].only_csv)
			cell_json(r->json, r->fields[i].key, &cells[i]);
	if (r->losses)
		losses_json(r->json, r->losses);
	json_close(r->json);
}
