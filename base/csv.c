#include "base/csv.h"
#include "base/print.h"
#include "base/visible.h"
#include <string.h>

void csv_write_field(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"")) {
		visible_puts(out, text);
		return;
	}
	putc('"', out);
	csv_write_quoted(out, text);
	putc('"', out);
}

void csv_write_quoted(FILE *out, const char *text)
{
	for (size_t n; *text; text += n) {
		n = strcspn(text, "\"");
		visible_print(out, text, n);
		if (text[n] == '"') {
			fputs("\"\"", out);
			n++;
		}
	}
}

bool csv_needs_quotes(const char *bytes, size_t n)
{
	return memchr(bytes, ',', n) || memchr(bytes, '"', n);
}

void csv_write_escaped(FILE *out, const char *bytes, size_t n, const char *special, bool quoted)
{
	const char *at = bytes, *end = bytes + n;

	while (at < end) {
		const char *quote = quoted ? memchr(at, '"', (size_t)(end - at)) : NULL;

		print_escaped(out, at, (size_t)((quote ? quote : end) - at), special);
		if (quote)
			print_text(out, "\"\"");
		at = quote ? quote + 1 : end;
	}
}
