#include "grammar/literal.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static const struct unit_word *unit_find(const char *word, size_t length)
{
	for (size_t i = 0; i < UNITS; i++)
		if (strlen(units[i].word) == length && memcmp(units[i].word, word, length) == 0)
			return &units[i];
	return NULL;
}

void literal_unknown_unit(struct parser *p, struct span where)
{
	const char *word = where.source->text + where.start;
	size_t length = where.end - where.start;
	const char *names[UNITS];
	for (size_t i = 0; i < UNITS; i++)
		names[i] = units[i].word;
	const char *near = diag_nearest(arena_copy(p->tree->arena, word, length), names, UNITS);
	if (near)
		diag_error(p->diag, where, "unknown unit '%.*s'; did you mean '%s'?", (int)length,
			   word, near);
	else
		diag_error(p->diag, where,
			   "unknown unit '%.*s'; units are ns us ms s min B KB KiB MB MiB GB GiB",
			   (int)length, word);
}

static bool is_hexadecimal(const char *text)
{
	return text[0] == '0' && tolower((unsigned char)text[1]) == 'x' &&
	       isxdigit((unsigned char)text[2]);
}

/* The bytes of the number alone, and whether it is a floating one. */
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

/*
 * A floating number with a unit that comes to whole nanoseconds or bytes is exact, and an integer
 * from here on.
 */
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
	const struct unit_word *unit = unit_find(copy + word, length - word);
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
		diag_error(p->diag, whole, "number is too large: integers end at 2^64-1");
		*number = (struct ast_number){.dimension = number->dimension};
	}
	return used;
}
