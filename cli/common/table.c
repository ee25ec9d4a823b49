#include "cli/common/table.h"
#include "base/visible.h"
#include "cli/common/screen.h"
#include <stdlib.h>
#include <string.h>

size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static void cell_add(struct columns *c, unsigned column, const char *text)
{
	char *cell = visible_text(text);

	if (text_width(cell) > c->width[column])
		c->width[column] = text_width(cell);
	*vector_add(&c->cells) = cell;
}

void columns_add(struct columns *c, const char *const *row)
{
	for (unsigned i = 0; i < c->count; i++)
		cell_add(c, i, row[i]);
}

/* ---- on a terminal ---- */

/* Names are shortened to this before columns are left out, and to the second one after it. */
enum { NAME_GOOD = 40, NAME_LEAST = 16, GAP = 2 };

static bool is_name(const struct columns *c, unsigned column)
{
	return column < c->left || (c->last_left && column + 1 == c->count);
}

/* hidden: bits 1 << column. */
static bool is_shown(unsigned hidden, unsigned column)
{
	return !(hidden & 1u << column);
}

static size_t table_width(const struct columns *c, unsigned hidden)
{
	size_t width = 0;

	for (unsigned i = 0; i < c->count; i++)
		if (is_shown(hidden, i))
			width += (width ? GAP : 0) + c->width[i];
	return width;
}

/* Makes names narrower, the widest first, until the table fits or no name is wider than least. */
static void names_narrow(struct columns *c, unsigned hidden, size_t width, size_t least)
{
	while (table_width(c, hidden) > width) {
		unsigned widest = c->count;

		for (unsigned i = 0; i < c->count; i++)
			if (is_name(c, i) && is_shown(hidden, i) && c->width[i] > least &&
			    (widest == c->count || c->width[i] > c->width[widest]))
				widest = i;
		if (widest == c->count)
			return;
		c->width[widest]--;
	}
}

/* Returns the columns that are left out so that a line fits: spare ones, then from the right. */
static unsigned columns_fit(struct columns *c, size_t width)
{
	unsigned hidden = 0;

	names_narrow(c, hidden, width, NAME_GOOD);
	for (unsigned i = 0; i < c->nspare && table_width(c, hidden) > width; i++)
		hidden |= 1u << c->spare[i];
	names_narrow(c, hidden, width, NAME_LEAST);
	for (unsigned i = c->count; i-- > 0 && table_width(c, hidden) > width;)
		if (!is_name(c, i))
			hidden |= 1u << i;
	return hidden;
}

static void hidden_say(const struct columns *c, unsigned hidden, FILE *out)
{
	const char *before = "not shown, as the terminal is narrow: ";

	if (!hidden)
		return;
	screen_tone(out, TONE_DIM);
	for (unsigned i = 0; i < c->count; i++)
		if (!is_shown(hidden, i) && *c->cells.at[i]) {
			fprintf(out, "%s%s", before, c->cells.at[i]);
			before = ", ";
		}
	screen_tone(out, TONE_PLAIN);
	putc('\n', out);
}

/* Returns the bytes of the first n letters. */
static size_t letters_length(const char *text, size_t n)
{
	size_t i = 0;

	for (; text[i]; i++)
		if (((unsigned char)text[i] & 0xc0) != 0x80 && n-- == 0)
			break;
	return i;
}

/* Prints a cell; of one that is too wide "..." instead of the middle. */
static void cell_text_print(FILE *out, const char *cell, size_t width)
{
	static const char dots[] = "...";
	size_t all = text_width(cell), kept = width - strlen(dots), begin = kept - kept / 2;

	if (all <= width)
		fputs(cell, out);
	else
		fprintf(out, "%.*s%s%s", (int)letters_length(cell, begin), cell, dots,
			cell + letters_length(cell, all - kept / 2));
}

/* ---- all ---- */

static void cell_print(const struct columns *c, FILE *out, const char *cell, unsigned column,
		       bool last)
{
	size_t width = text_width(cell);
	int blanks = width < c->width[column] ? (int)(c->width[column] - width) : 0;

	if (!is_name(c, column))
		fprintf(out, "%*s", blanks, "");
	cell_text_print(out, cell, c->width[column]);
	if (column < c->left && !last)
		fprintf(out, "%*s", blanks, "");
	if (!last)
		fputs("  ", out);
}

static void row_print(const struct columns *c, FILE *out, char *const *row, unsigned hidden)
{
	unsigned last = c->count;

	while (last-- > 0 && !is_shown(hidden, last))
		;
	for (unsigned i = 0; i < c->count; i++)
		if (is_shown(hidden, i))
			cell_print(c, out, row[i], i, i == last);
}

void columns_print(struct columns *c, FILE *out)
{
	unsigned hidden = c->cells.n ? columns_fit(c, screen_width(out)) : 0;

	for (size_t i = 0; i < c->cells.n; i += c->count) {
		if (!i)
			screen_tone(out, TONE_HEAD);
		row_print(c, out, c->cells.at + i, hidden);
		if (!i)
			screen_tone(out, TONE_PLAIN);
		putc('\n', out);
	}
	hidden_say(c, hidden, out);
	for (size_t i = 0; i < c->cells.n; i++)
		free(c->cells.at[i]);
	free(c->cells.at);
	*c = (struct columns){.count = c->count, .left = c->left, .last_left = c->last_left};
}

void none_print(FILE *out, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		fputs(i ? ", " : "\nnone of: ", out);
		visible_puts(out, names[i]);
	}
	if (n)
		putc('\n', out);
}
