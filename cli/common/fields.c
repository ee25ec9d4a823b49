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
	return (struct table_cell){text ? CELL_TEXT : CELL_UNKNOWN, {.text = text}};
}

struct table_cell cell_int(int64_t value)
{
	return (struct table_cell){CELL_INT, {.integer = value}};
}

struct table_cell cell_known(bool known, int64_t value)
{
	return (struct table_cell){known ? CELL_INT : CELL_UNKNOWN, {.integer = value}};
}

struct table_cell cell_uint(uint64_t value)
{
	return (struct table_cell){CELL_UINT, {.count = value}};
}

struct table_cell cell_real(double value)
{
	return (struct table_cell){isnan(value) ? CELL_UNKNOWN : CELL_REAL, {.real = value}};
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
		print_real(out, c->value.real);
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
	}
}

/* Returns how many columns csv has; order: the field of each. */
static size_t columns_of(const struct field *fields, size_t n, size_t order[MOST_FIELDS])
{
	size_t columns = 0;

	for (size_t i = 0; i < n; i++)
		if (fields[i].column) {
			order[fields[i].column - 1] = i;
			columns++;
		}
	return columns;
}

void fields_csv_head(FILE *out, const struct field *fields, size_t n)
{
	size_t order[MOST_FIELDS] = {0}, columns = columns_of(fields, n, order);

	for (size_t i = 0; i < columns; i++)
		fprintf(out, "%s%s", i ? "," : "", fields[order[i]].key);
	putc('\n', out);
}

void fields_csv_row(FILE *out, const struct field *fields, size_t n, const struct table_cell *cells)
{
	size_t order[MOST_FIELDS] = {0}, columns = columns_of(fields, n, order);

	for (size_t i = 0; i < columns; i++) {
		if (i)
			putc(',', out);
		cell_csv(out, &cells[order[i]]);
	}
	putc('\n', out);
}

void fields_json_row(struct json *j, const struct field *fields, size_t n,
		     const struct table_cell *cells)
{
	for (size_t i = 0; i < n; i++)
		cell_json(j, fields[i].key, &cells[i]);
}
