#include "base/utf8.h"
#include "codegen/c.h"
#include "codegen/literal.h"
#include <stdbool.h>
#include <string.h>

void c_emit_literal(FILE *out, const char *bytes, size_t length)
{
	literal_emit(out, bytes, length, "\"\\?");     /* two '?' might begin a trigraph */
}

/* Characters that would open or close a comment of C, or begin a trigraph; a blank parts them. */
static bool must_part(char a, char b)
{
	return (a == '*' && b == '/') || (a == '/' && b == '*') || (a == '?' && b == '?');
}

static void emit_comment_line(FILE *out, const char *line, size_t length)
{
	while (length && strchr(" \t\r", line[length - 1]))
		length--;
	for (size_t i = 0, n; i < length; i += n ? n : 1) {
		n = utf8_length(line + i, length - i);
		if (n == 0 || ((unsigned char)line[i] < 0x20 && line[i] != '\t'))
			fputs("\xef\xbf\xbd", out);  /* U+FFFD */
		else
			fwrite(line + i, 1, n, out);
		if (i + 1 < length && must_part(line[i], line[i + 1]))
			putc(' ', out);
	}
}

void c_emit_comment(FILE *out, const char *text)
{
	size_t length = strcspn(text, "\n");

	if (!text[length]) {
		fputs("/* ", out);
		emit_comment_line(out, text, length);
		fputs(" */\n", out);
		return;
	}
	fputs("/*\n", out);
	for (const char *line = text; *line; line += length + (line[length] == '\n')) {
		length = strcspn(line, "\n");
		fputs(length ? " * " : " *", out);
		emit_comment_line(out, line, length);
		putc('\n', out);
	}
	fputs(" */\n", out);
}
