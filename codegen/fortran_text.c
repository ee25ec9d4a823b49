#include "base/utf8.h"
#include "codegen/fortran.h"
#include <string.h>

/* Lines of free form end at 132 characters; words of comments that are longer are broken. */
enum { COMMENT_COLUMNS = 96 };

/* The longest piece that fits into a line, broken at a blank where there is one. */
static size_t piece_length(const char *text, size_t length)
{
	size_t n = 0, blank = 0, next;

	for (unsigned column = 0; n < length && column < COMMENT_COLUMNS; column++) {
		if (text[n] == ' ')
			blank = n;
		next = utf8_length(text + n, length - n);
		n += next ? next : 1;
	}
	return n < length && blank ? blank : n;
}

static void emit_bytes(FILE *out, const char *text, size_t length)
{
	for (size_t i = 0, n; i < length; i += n ? n : 1) {
		n = utf8_length(text + i, length - i);
		if (text[i] == '\t')
			putc(' ', out);
		else if (n == 0 || (unsigned char)text[i] < 0x20)
			fputs("\xef\xbf\xbd", out);     /* U+FFFD */
		else
			fwrite(text + i, 1, n, out);
	}
}

static void emit_line(FILE *out, const char *indent, const char *line, size_t length)
{
	size_t n;

	while (length && strchr(" \t\r", line[length - 1]))
		length--;
	if (!length)
		fprintf(out, "%s!\n", indent);
	for (; length; line += n, length -= n) {
		n = piece_length(line, length);
		fprintf(out, "%s! ", indent);
		emit_bytes(out, line, n);
		putc('\n', out);
		while (n < length && line[n] == ' ')
			n++;
	}
}

void fortran_emit_comment(FILE *out, const char *indent, const char *text)
{
	for (size_t length; *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		emit_line(out, indent, text, length);
	}
}
