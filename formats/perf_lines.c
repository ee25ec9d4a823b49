#include "formats/perf_lines.h"
#include "base/array.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#define SECOND INT64_C(1000000000)

static const char *spaces(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

/* ---- the head ---- */

/* Reads SECONDS.FRACTION: and returns what follows, or NULL. */
static const char *time_read(const char *at, int64_t *time)
{
	int64_t unit = SECOND / 10, whole = 0, part = 0;

	if (!isdigit((unsigned char)*at))
		return NULL;
	for (; isdigit((unsigned char)*at) && whole < INT64_MAX / SECOND / 16; at++)
		whole = 10 * whole + (*at - '0');
	if (*at++ != '.' || !isdigit((unsigned char)*at))
		return NULL;
	for (; isdigit((unsigned char)*at); at++, unit /= 10)
		part += (*at - '0') * unit;
	*time = whole * SECOND + part;
	return *at == ':' ? at + 1 : NULL;
}

/* Returns the beginning of the word that ends before a position. */
static const char *word_before(const char *text, const char **end)
{
	const char *at;

	while (*end > text && (*end)[-1] == ' ')
		(*end)--;
	for (at = *end; at > text && at[-1] != ' ';)
		at--;
	return at;
}

static bool processor_read(const char *at, const char *end, struct perf_line *l)
{
	char *behind;

	if (end - at < 3 || *at != '[' || end[-1] != ']' || !isdigit((unsigned char)at[1]))
		return false;
	l->processor = (uint32_t)strtoul(at + 1, &behind, 10);
	l->has_processor = behind == end - 1;
	return l->has_processor;
}

static uint32_t id_read(const char *at, char **end)
{
	long id = strtol(at, end, 10);

	return id < 0 || id > UINT32_MAX ? 0 : (uint32_t)id;
}

/* PID/TID, or TID. */
static bool ids_read(const char *at, const char *end, struct perf_line *l)
{
	char *behind;

	if (at == end || (!isdigit((unsigned char)*at) && *at != '-'))
		return false;
	l->tid = id_read(at, &behind);
	if (*behind == '/') {
		l->pid = l->tid;
		l->tid = id_read(behind + 1, &behind);
	}
	return behind == end;
}

/* What stands before the time: COMM IDS, perhaps with [PROCESSOR]. */
static bool before_read(const char *text, const char *end, struct perf_line *l)
{
	const char *at = word_before(text, &end);

	l->has_processor = false;
	l->pid = 0;
	if (processor_read(at, end, l)) {
		end = at;
		at = word_before(text, &end);
	}
	if (!ids_read(at, end, l))
		return false;
	end = at;
	while (end > text && end[-1] == ' ')
		end--;
	l->comm = spaces(text);
	l->ncomm = end > l->comm ? (size_t)(end - l->comm) : 0;
	return true;
}

/* PERIOD EVENT: REST, or EVENT: REST, or PERF_RECORD_... */
static bool event_read(const char *at, struct perf_line *l)
{
	char *end;

	at = spaces(at);
	l->period = strtoull(at, &end, 10);
	if (end > at && *end == ' ')
		at = spaces(end);
	else
		l->period = 0;
	l->event = at;
	if (strncmp(at, "PERF_RECORD_", 12) == 0) {
		l->nevent = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
		l->rest = at + l->nevent;
		return true;
	}
	l->nevent = strcspn(at, " ");
	l->rest = spaces(at + l->nevent);
	if (l->nevent < 2 || at[l->nevent - 1] != ':')
		return false;
	l->nevent--;
	return true;
}

bool perf_line_read(const char *text, struct perf_line *l)
{
	for (const char *at = text; *at; at++) {
		const char *behind;

		if (at == text || at[-1] != ' ' || !isdigit((unsigned char)*at))
			continue;
		behind = time_read(at, &l->time);
		if (behind && before_read(text, at, l))
			return event_read(behind, l);
	}
	return false;
}

bool perf_is_tracepoint(const struct perf_line *l)
{
	const char *colon = memchr(l->event, ':', l->nevent);

	/* behind the colon of other events stand modifiers, as in cycles:ppp */
	return colon && memchr(l->event, '/', l->nevent) == NULL &&
	       strspn(colon + 1, "ukhGHpPSDWIbe") < (size_t)(l->event + l->nevent - colon) - 1;
}

/* ---- frames ---- */

static char *name_of(const char *symbol, size_t length, const char *file, size_t nfile)
{
	const char *known = symbol;

	if (length && strncmp(symbol, "[unknown]", length) != 0) {
		/* the offset in the function */
		for (size_t i = length; i > 3; i--)
			if (memcmp(symbol + i - 3, "+0x", 3) == 0) {
				length = i - 3;
				break;
			}
		return text_format("%.*s", (int)length, known);
	}
	for (size_t i = nfile; i; i--)
		if (file[i - 1] == '/') {
			file += i;
			nfile -= i;
			break;
		}
	if (!nfile || *file == '[')
		return text_format("%.*s", nfile ? (int)nfile : 9, nfile ? file : "[unknown]");
	return text_format("[%.*s]", (int)nfile, file);
}

/* Returns the bracket that begins the file at the end of a line; NULL: there is none. */
static const char *file_find(const char *at, const char *end)
{
	unsigned depth = 0;

	if (end == at || end[-1] != ')')
		return NULL;
	while (end-- > at) {
		depth += *end == ')';
		if (*end == '(' && --depth == 0)
			return end > at && end[-1] == ' ' ? end : NULL;
	}
	return NULL;
}

char *perf_frame_read(const char *text, bool *cut)
{
	const char *at = spaces(text), *symbol, *end, *file, *behind;
	size_t hex = strspn(at, "0123456789abcdef");

	*cut = false;
	if (!hex || (at[hex] != ' ' && at[hex]))
		return NULL;
	symbol = spaces(at + hex);
	for (end = symbol + strlen(symbol); end > symbol && end[-1] == ' ';)
		end--;
	file = file_find(symbol, end);
	if (!file && strstr(symbol, " (")) {
		*cut = true;
		return NULL;
	}
	behind = file ? file : end;
	while (behind > symbol && behind[-1] == ' ')
		behind--;
	return name_of(symbol, (size_t)(behind - symbol), file ? file + 1 : "",
		       file ? (size_t)(end - file) - 2 : 0);
}

/* ---- fields ---- */

/* A whole number, also with a unit behind it in brackets. */
static bool number_read(const char *text, struct logs_value *v)
{
	bool negative = *text == '-', hex = strncmp(text, "0x", 2) == 0;
	char *end;

	if (!isdigit((unsigned char)text[negative]))
		return false;
	errno = 0;
	if (negative)
		*v = logs_integer(strtoll(text, &end, 10));
	else
		*v = logs_natural(strtoull(text, &end, hex ? 16 : 10));
	return !errno && (!*end || strncmp(end, " [", 2) == 0);
}

static struct logs_value value_of(char *at, size_t length)
{
	struct logs_value v;

	while (length && strchr(" ,", at[length - 1]))
		length--;
	/* between what was before and after a switch */
	if (length > 4 && memcmp(at + length - 4, " ==>", 4) == 0)
		length -= 4;
	at[length] = '\0';
	return number_read(at, &v) ? v : logs_bytes(at, length);
}

/* Returns the length of the key at a position, or 0; *separator: of what follows it. */
static size_t key_length(const char *at, size_t *separator)
{
	size_t n = 0;

	if (!isalpha((unsigned char)*at) && *at != '_')
		return 0;
	while (isalnum((unsigned char)at[n]) || at[n] == '_')
		n++;
	*separator = at[n] == '=' ? 1 : at[n] == ':' && at[n + 1] == ' ' ? 2 : 0;
	return *separator ? n : 0;
}

/* Returns the next key at the beginning of a word, or NULL. */
static char *key_find(char *at, size_t *length, size_t *separator)
{
	while (*at) {
		*length = key_length(at, separator);
		if (*length)
			return at;
		at += strcspn(at, " ");
		at += strspn(at, " ");
	}
	return NULL;
}

unsigned perf_fields_read(char *text, struct logs_argument *to, unsigned most)
{
	size_t length, separator, next_length = 0, next_separator = 0;
	char *key = key_find(text, &length, &separator), *value, *next;
	unsigned n = 0;

	while (key && n < most) {
		value = key + length + separator;
		next = key_find(value, &next_length, &next_separator);
		key[length] = '\0';
		to[n++] = (struct logs_argument){
		    key, value_of(value, next ? (size_t)(next - value) : strlen(value))};
		key = next;
		length = next_length;
		separator = next_separator;
	}
	return n;
}
