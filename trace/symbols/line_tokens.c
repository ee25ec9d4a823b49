#include "trace/symbols/line_tokens.h"
#include "base/array.h"

enum { TEXT_MOST = 4096 };

bool token_next(struct line_tokens *t, const char **token, size_t *n)
{
	const char *blank = memchr(t->at, ' ', (size_t)(t->end - t->at));

	*token = t->at;
	*n = (size_t)((blank ? blank : t->end) - t->at);
	t->at = blank ? blank + 1 : t->end;
	return *n > 0;
}

int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

bool number_next(struct line_tokens *t, unsigned base, uint64_t *number)
{
	const char *token;
	size_t n;

	*number = 0;
	if (!token_next(t, &token, &n) || n > 20)
		return false;
	for (size_t i = 0; i < n; i++) {
		unsigned digit = (unsigned)digit_value(token[i]);

		if (digit >= base || __builtin_mul_overflow(*number, base, number) ||
		    __builtin_add_overflow(*number, digit, number))
			return false;
	}
	return true;
}

bool build_id_next(struct line_tokens *t, struct build_id *id)
{
	const char *token;
	size_t n;

	id->n = 0;
	if (!token_next(t, &token, &n))
		return false;
	if (n == 1 && *token == '-')
		return true;
	return build_id_read(id, token, n);
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/* Takes the byte at *at; a backslash and three digits are one. */
static char text_byte(const char **at, const char *end)
{
	const char *c = (*at)++;

	if (*c != '\\' || end - c < 4 || !is_octal(c[1]) || !is_octal(c[2]) || !is_octal(c[3]))
		return *c;
	*at += 3;
	return (char)((c[1] - '0') << 6 | (c[2] - '0') << 3 | (c[3] - '0'));
}

char *text_rest(struct line_tokens *t)
{
	size_t n = (size_t)(t->end - t->at), length = 0;
	char *text;

	if (n >= TEXT_MOST)
		return NULL;
	text = array_new(n + 1, 1);
	while (t->at < t->end)
		text[length++] = text_byte(&t->at, t->end);
	text[length] = '\0';
	return text;
}
