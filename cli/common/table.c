#include "cli/common/table.h"
#include "base/visible.h"
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

static void cell_print(const struct columns *c, FILE *out, const char *cell, unsigned column)
{
	int blanks = (int)(c->width[column] - text_width(cell));

	if (column >= c->left && !(c->last_left && column + 1 == c->count))
		fprintf(out, "%*s", blanks, "");
	fputs(cell, out);
	if (column < c->left && column + 1 < c->count)
		fprintf(out, "%*s", blanks, "");
	fputs(column + 1 < c->count ? "  " : "\n", out);
}

void columns_print(struct columns *c, FILE *out)
{
	for (size_t i = 0; i < c->cells.n; i++) {
		cell_print(c, out, c->cells.at[i], (unsigned)(i % c->count));
		free(c->cells.at[i]);
	}
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
