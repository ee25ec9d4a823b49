#include "base/print.h"
#include "base/units.h"
#include "base/visible.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

void print_uint(FILE *out, uint64_t number)
{
	char digits[20], *at = digits + sizeof digits;

	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	fwrite_unlocked(at, 1, (size_t)(digits + sizeof digits - at), out);
}

void print_int(FILE *out, int64_t number)
{
	if (number < 0)
		putc_unlocked('-', out);
	print_uint(out, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

void print_integer(FILE *out, __int128 number)
{
	if (number < 0)
		print_int(out, (int64_t)number);
	else
		print_uint(out, (uint64_t)number);
}

void print_text(FILE *out, const char *text)
{
	fwrite_unlocked(text, 1, strlen(text), out);
}

/* ---- doubles ---- */

enum { DECIMALS_MOST = 9 };

/*
 * Prints number / 10^decimals. The number has less than 16 digits, so no other such text means the
 * same double.
 */
static void decimals_print(FILE *out, uint64_t number, uint64_t scale, int decimals)
{
	char text[DECIMALS_MOST];
	uint64_t fraction = number % scale;

	print_uint(out, number / scale);
	if (!decimals)
		return;
	for (int i = decimals; i > 0; i--, fraction /= 10)
		text[i - 1] = (char)('0' + fraction % 10);
	putc_unlocked('.', out);
	fwrite_unlocked(text, 1, (size_t)decimals, out);
}

/* Prints a number of few digits, as most are; returns false if it has more. */
static bool short_real_print(FILE *out, double real)
{
	double magnitude = fabs(real), scale = 1;

	if (!(magnitude >= 1e-4 && magnitude < 1e15))
		return false;
	for (int decimals = 0; decimals <= DECIMALS_MOST; decimals++, scale *= 10) {
		double number = rint(magnitude * scale);

		if (number >= 1e15)
			return false;
		if (number / scale != magnitude)
			continue;
		if (real < 0)
			putc_unlocked('-', out);
		decimals_print(out, (uint64_t)number, (uint64_t)scale, decimals);
		return true;
	}
	return false;
}

void print_real(FILE *out, double real)
{
	char text[UNITS_TEXT];

	if (isnan(real))
		print_text(out, "nan");
	else if (!short_real_print(out, real))
		print_text(out, units_real(text, real, 15));
}

/* ---- strings ---- */

/* Returns how many bytes at the front stand for themselves. */
static size_t plain_length(const char *bytes, size_t n, const char *special)
{
	size_t i = 0;

	while (i < n && bytes[i] >= ' ' && bytes[i] < 0x7f && !strchr(special, bytes[i]))
		i++;
	return i;
}

void print_octal_line(FILE *out, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];

		fprintf(out, c < ' ' || c == 0x7f || c == '\\' ? "\\%03o" : "%c", c);
	}
	putc('\n', out);
}

/* Prints what stands for the next character; returns its bytes. */
static size_t character_print(FILE *out, const char *bytes, size_t n)
{
	size_t length = visible_length(bytes, n);
	char escape[VISIBLE_ESCAPE];

	if (length == 0) {
		length = visible_escape(escape, bytes, n);
		print_text(out, escape);
		return length;
	}
	if (length == 1)
		putc_unlocked('\\', out);
	fwrite_unlocked(bytes, 1, length, out);
	return length;
}

void print_escaped(FILE *out, const char *bytes, size_t n, const char *special)
{
	for (size_t i = 0; i < n;) {
		size_t plain = plain_length(bytes + i, n - i, special);

		fwrite_unlocked(bytes + i, 1, plain, out);
		i += plain;
		if (i < n)
			i += character_print(out, bytes + i, n - i);
	}
}
