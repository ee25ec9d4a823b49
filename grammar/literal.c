#include "grammar/literal.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers --------------------------------------------------------------------------------- */

struct unit_word {
	const char *word;
	enum ast_dimension dimension;
	uint64_t factor;
};

static const struct unit_word units[] = {
    {"ns", AST_TIME, 1},
    {"us", AST_TIME, 1000},
    {"ms", AST_TIME, 1000000},
    {"s", AST_TIME, 1000000000},
    {"min", AST_TIME, 60000000000},
    {"B", AST_BYTES, 1},
    {"KB", AST_BYTES, 1000},
    {"KiB", AST_BYTES, 1024},
    {"MB", AST_BYTES, 1000000},
    {"MiB", AST_BYTES, 1024 * 1024},
    {"GB", AST_BYTES, 1000000000},
    {"GiB", AST_BYTES, 1024 * 1024 * 1024},
};

enum { UNITS = sizeof units / sizeof *units };

static const struct unit_word *literal_unit_find(const char *word, size_t length)
{
	for (size_t i = 0; i < UNITS; i++)
		if (strlen(units[i].word) == length && memcmp(units[i].word, word, length) == 0)
			return &units[i];
	return NULL;
}

uint64_t literal_time_unit(const char *name)
{
	const struct unit_word *unit = literal_unit_find(name, strlen(name));
	return unit && unit->dimension == AST_TIME ? unit->factor : 0;
}

void literal_unknown_unit(struct parser *p, struct span where)
{
	const char *word = where.source->text + where.start;
	size_t length = where.end - where.start;
	const char *names[UNITS];
	for (size_t i = 0; i < UNITS; i++)
		names[i] = units[i].word;
	const char *near = nearest_name(arena_copy(p->tree->arena, word, length), names, UNITS);
	diag_unknown(p->diag, where, near,
		     near ? "unknown unit '%.*s'"
			  : "unknown unit '%.*s'; units are ns us ms s min B KB KiB MB MiB GB GiB",
		     (int)length, word);
}

static bool is_hexadecimal(const char *text)
{
	return text[0] == '0' && tolower((unsigned char)text[1]) == 'x' &&
	       isxdigit((unsigned char)text[2]);
}

/* Returns the bytes of the number without a unit, and whether it is a floating one. */
static size_t number_span(const char *text, bool *real)
{
	*real = false;
	if (is_hexadecimal(text))
		return 2 + strspn(text + 2, "0123456789abcdefABCDEF");
	size_t n = strspn(text, "0123456789");
	if (text[n] == '.' && isdigit((unsigned char)text[n + 1])) {
		*real = true;
		n += 1 + strspn(text + n + 1, "0123456789");
	}
	if (tolower((unsigned char)text[n]) == 'e') {
		size_t sign = text[n + 1] == '+' || text[n + 1] == '-';
		size_t digits = strspn(text + n + 1 + sign, "0123456789");
		*real = *real || digits;
		n += digits ? 1 + sign + digits : 0;
	}
	return n;
}

static bool integer_read(const char *text, uint64_t factor, struct ast_number *number)
{
	errno = 0;
	uint64_t value = strtoull(text, NULL, is_hexadecimal(text) ? 16 : 10);
	number->integer = (__int128)value * factor;
	number->real = (double)number->integer;
	return errno == 0 && number->integer <= UINT64_MAX;
}

/* A floating number with a unit that makes whole nanoseconds or bytes becomes an integer. */
static bool real_read(const char *text, const struct unit_word *unit, struct ast_number *number)
{
	number->real = strtod(text, NULL) * (double)(unit ? unit->factor : 1);
	number->is_real = true;
	double nearest = round(number->real);
	if (unit && nearest < 0x1p53 && fabs(number->real - nearest) <= nearest * 1e-12) {
		number->is_real = false;
		number->integer = (__int128)nearest;
		number->real = nearest;
	}
	return isfinite(number->real);
}

size_t literal_number(struct parser *p, const char *text, size_t length, struct span where,
		      struct ast_number *number)
{
	bool real;
	char *copy = arena_copy(p->tree->arena, text, length);
	size_t digits = number_span(copy, &real);
	size_t word = digits + strspn(copy + digits, " \t");
	const struct unit_word *unit = literal_unit_find(copy + word, length - word);
	bool glued = word == digits && word < length;
	size_t used = unit || glued ? length : digits;
	struct span whole = {where.source, where.start, where.start + used};
	if (!unit && glued)
		literal_unknown_unit(p, (struct span){where.source, where.start + word, whole.end});
	copy[digits] = '\0';
	*number = (struct ast_number){.dimension = unit ? unit->dimension : AST_PLAIN};
	bool fits = real ? real_read(copy, unit, number)
			 : integer_read(copy, unit ? unit->factor : 1, number);
	if (!fits) {
		diag_error(p->diag, whole, "number is too large: the largest integer is 2^64-1");
		*number = (struct ast_number){.dimension = number->dimension};
	}
	return used;
}

/* ---- Strings --------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
	if (!isxdigit((unsigned char)c))
		return -1;
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/*
 * Returns the byte of an escape, or 0 if there is none of this spelling. `text` begins after the
 * backslash; *used is set to the length of the escape.
 */
static char escape_read(const char *text, size_t *used)
{
	static const char letters[] = "nrt\"\\", values[] = "\n\r\t\"\\";
	*used = 1;
	const char *letter = *text ? strchr(letters, *text) : NULL;
	if (letter)
		return values[letter - letters];
	if (*text != 'x' || hex_digit(text[1]) < 0 || hex_digit(text[2]) < 0)
		return 0;
	*used = 3;
	return (char)(hex_digit(text[1]) << 4 | hex_digit(text[2]));
}

const char *literal_string(struct parser *p, const char *text, size_t length, struct span where)
{
	char *s = arena_copy(p->tree->arena, text + 1, length - 2);
	size_t n = 0, used;
	for (size_t i = 1; i < length - 1; i++) {
		if (text[i] != '\\') {
			s[n++] = text[i];
			continue;
		}
		char c = escape_read(text + i + 1, &used);
		struct span escape = {where.source, where.start + i, where.start + i + 1 + used};
		if (c)
			s[n++] = c;
		else
			diag_error(p->diag, escape,
				   "unknown escape; the escapes are \\n \\r \\t \\\" \\\\ and "
				   "\\xHH, HH not 00");
		i += used;
	}
	s[n] = '\0';
	size_t bad = utf8_check(s, n);
	if (bad < n)
		diag_error(p->diag, where, "string is not valid UTF-8: byte 0x%02x",
			   (unsigned char)s[bad]);
	return s;
}
