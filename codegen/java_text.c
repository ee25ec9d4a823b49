/* Java source is plain ASCII here: compilers differ in the encoding that they expect. */
#include "base/utf8.h"
#include "codegen/java.h"
#include "codegen/literal.h"
#include <string.h>

void java_emit_literal(FILE *out, const char *bytes, size_t length)
{
	literal_emit(out, bytes, length, "\"\\");
}

/* The character that begins with these n bytes of UTF-8. */
static unsigned long code_point(const char *s, size_t n)
{
	unsigned long point = (unsigned char)*s;

	if (n > 1)
		point &= 0xfful >> (n + 1);
	for (size_t i = 1; i < n; i++)
		point = point << 6 | ((unsigned char)s[i] & 0x3f);
	return point;
}

/*
 * HTML and the tags of Javadoc have meanings for these; a backslash might begin an escape of Java, even here; and
 * a slash `ends` the comment when it follows a star.
 */
static void emit_character(FILE *out, const char *s, size_t n, bool ends)
{
	if (n == 0 || ((unsigned char)*s < 0x20 && *s != '\t'))
		fputs("&#xfffd;", out);
	else if (n > 1 || ends || strchr("&<>@\\{}", *s))
		fprintf(out, "&#x%lx;", code_point(s, n));
	else
		putc(*s, out);
}

static void emit_line(FILE *out, const char *line, size_t length)
{
	while (length && strchr(" \t\r", line[length - 1]))
		length--;
	if (length)
		putc(' ', out);
	for (size_t i = 0, n; i < length; i += n ? n : 1) {
		n = utf8_length(line + i, length - i);
		emit_character(out, line + i, n, i && line[i] == '/' && line[i - 1] == '*');
	}
	putc('\n', out);
}

void java_emit_javadoc(FILE *out, const char *indent, const char *text)
{
	for (size_t length; *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		fprintf(out, "%s *", indent);
		emit_line(out, text, length);
	}
}
