#include "trace/plain_name.h"
#include "base/array.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Returns the length of a text without " (file.c:41)" at its end. */
static size_t without_place(const char *text, size_t n)
{
	size_t at = n;

	if (n < 4 || text[n - 1] != ')' || !isdigit((unsigned char)text[n - 2]))
		return n;
	while (at > 0 && text[at - 1] != '(')
		at--;
	return at > 2 && text[at - 2] == ' ' && memchr(text + at, ':', n - at) ? at - 2 : n;
}

/* Returns its length without "+0x12" at its end. */
static size_t without_offset(const char *text, size_t n)
{
	size_t at = n;

	while (at > 0 && isxdigit((unsigned char)text[at - 1]))
		at--;
	return at < n && at > 3 && !memcmp(text + at - 3, "+0x", 3) ? at - 3 : n;
}

/* Returns its length without "(int, char)" at its end. */
static size_t without_parameters(const char *text, size_t n)
{
	size_t end = n, open = 0;

	while (end > 6 && !memcmp(text + end - 6, " const", 6))
		end -= 6;
	if (end == 0 || text[end - 1] != ')')
		return n;
	for (size_t at = end; at-- > 0;) {
		open += text[at] == ')';
		open -= text[at] == '(';
		if (open == 0)
			return at > 0 && text[at - 1] != ':' ? at : n;
	}
	return n;
}

size_t plain_name_length(const char *text)
{
	size_t n = without_offset(text, without_place(text, strlen(text)));

	return without_parameters(text, n);
}

const char *plain_name_line(const char *text, size_t *length)
{
	size_t all = strlen(text), n = without_place(text, all);

	if (n == all)
		return NULL;
	*length = all - n - 3;
	return text + n + 2;
}

/* ---- without template arguments ---- */

/* A name that is being written: never longer than what it is made of. */
struct plain {
	const char *at, *end; /* what is read, up to end */
	char *out;            /* what is written, n bytes */
	size_t n;
	bool signature; /* it had parameters: a return type may be before it */
};

static bool starts_with(const struct plain *p, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(p->end - p->at) >= n && memcmp(p->at, word, n) == 0;
}

static bool in_identifier(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

static void copy(struct plain *p, size_t n)
{
	memcpy(p->out + p->n, p->at, n);
	p->n += n;
	p->at += n;
}

/* Copies "operator" with its sign, which may be a bracket; returns false if there is none. */
static bool operator_copy(struct plain *p)
{
	static const char word[] = "operator";
	static const char *const signs[] = {"()", "[]", "<=>", "<<=", ">>=", "->*", "<<",
					    ">>", "<=", ">=",  "->",  "<",   ">"};

	if (!starts_with(p, word) || (p->n && in_identifier(p->out[p->n - 1])) ||
	    in_identifier(p->at[sizeof word - 1]))
		return false;
	copy(p, sizeof word - 1);
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (starts_with(p, signs[i])) {
			copy(p, strlen(signs[i]));
			if (starts_with(p, " <"))
				p->at++;
			break;
		}
	return true;
}

/* Passes over a bracket and what it encloses. */
static void group_pass(struct plain *p)
{
	static const char brackets[] = "()<>[]{}";
	int depth = 0;

	do {
		const char *is = strchr(brackets, *p->at);
		bool arrow = *p->at == '>' && p->at[-1] == '-';

		if (is && !arrow)
			depth += (is - brackets) % 2 ? -1 : 1;
		p->at++;
	} while (depth > 0 && p->at < p->end);
}

/*
 * Returns whether a bracket has arguments, and is no part of a name: "<init>", "(anonymous
 * namespace)".
 */
static bool is_arguments(const struct plain *p)
{
	char before = p->n ? p->out[p->n - 1] : ':';

	if (*p->at == '[')
		return starts_with(p, "[abi:");
	if (*p->at == '<')
		return before != '.' && before != ' ';
	return *p->at == '(' && before != ' ' && !starts_with(p, "(anonymous namespace)");
}

static void bracket_pass(struct plain *p)
{
	static const char type[] = "decltype";
	size_t n = sizeof type - 1;
	bool round = *p->at == '(', typed = p->n >= n && !memcmp(p->out + p->n - n, type, n);

	group_pass(p);
	if (!round || typed)
		return;
	p->signature = true;
	/* " const", " [clone .cold]" */
	if (p->at < p->end && *p->at == ' ')
		p->end = p->at;
}

/* Returns where the name begins after a return type: after the last space outside of brackets. */
static size_t after_type(const struct plain *p)
{
	size_t begin = 0;
	unsigned open = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (p->n - i >= 8 && !memcmp(p->out + i, "operator", 8))
			break;
		open += p->out[i] == '(' || p->out[i] == '{';
		open -= open && (p->out[i] == ')' || p->out[i] == '}');
		if (p->out[i] == ' ' && !open)
			begin = i + 1;
	}
	return begin;
}

char *plain_name_function(const char *text)
{
	size_t length = without_offset(text, without_place(text, strlen(text))), begin;
	struct plain p = {.at = text, .end = text + length};

	p.out = array_new(length + 1, 1);
	while (p.at < p.end)
		if (is_arguments(&p))
			bracket_pass(&p);
		else if (!operator_copy(&p))
			copy(&p, 1);
	p.out[p.n] = '\0';
	begin = p.signature ? after_type(&p) : 0;
	/* of Rust: "<T as Trait>::f" */
	if (p.n - begin > 2 && !memcmp(p.out + begin, "::", 2))
		begin += 2;
	if (begin == p.n) {
		memcpy(p.out, text, length);
		p.n = length;
		begin = 0;
	}
	p.out[p.n] = '\0';
	memmove(p.out, p.out + begin, p.n - begin + 1);
	return p.out;
}

/* ---- shortened ---- */

/* Bytes of a name that sentences and tables show, and of its beginning if it is longer. */
enum { SHORT_MOST = 80, SHORT_BEGIN = 50 };

static const char gap[] = "...";

/* Replaces a bracket and what it encloses by "<...>", unless that is no shorter. */
static void arguments_shorten(struct plain *p)
{
	static const char instead[] = "<...>";
	const char *from = p->at;

	group_pass(p);
	if ((size_t)(p->at - from) < sizeof instead) {
		memcpy(p->out + p->n, from, (size_t)(p->at - from));
		p->n += (size_t)(p->at - from);
		return;
	}
	memcpy(p->out + p->n, instead, sizeof instead - 1);
	p->n += sizeof instead - 1;
}

/* Copies a name; at depth 1 are the arguments of a template. */
static void name_shorten(struct plain *p)
{
	unsigned depth = 0;

	while (p->at < p->end) {
		bool opens = *p->at == '<' && is_arguments(p);

		if (opens && depth > 0) {
			arguments_shorten(p);
			continue;
		}
		if (!opens && operator_copy(p))
			continue;
		depth += opens;
		depth -= depth && *p->at == '>' && p->at[-1] != '-';
		copy(p, 1);
	}
}

static bool continues_character(char c)
{
	return (c & 0xC0) == 0x80;
}

/* Cuts the middle out of a long name. */
static void middle_cut(struct plain *p)
{
	size_t from = SHORT_BEGIN, to = p->n - (SHORT_MOST - SHORT_BEGIN - (sizeof gap - 1));

	if (p->n <= SHORT_MOST)
		return;
	while (from > 0 && continues_character(p->out[from]))
		from--;
	while (to < p->n && continues_character(p->out[to]))
		to++;
	memcpy(p->out + from, gap, sizeof gap - 1);
	memmove(p->out + from + sizeof gap - 1, p->out + to, p->n - to);
	p->n = from + sizeof gap - 1 + p->n - to;
}

char *plain_name_short(const char *text)
{
	size_t all = strlen(text), length = without_place(text, all);
	struct plain p = {.at = text, .end = text + length};

	p.out = array_new(all + 1, 1);
	name_shorten(&p);
	middle_cut(&p);
	memcpy(p.out + p.n, text + length, all - length + 1);
	return p.out;
}

/* ---- without qualification ---- */

/* Returns what comes after the last point of "java.lang.Thread.run", or NULL. */
static const char *after_package(const char *function)
{
	const char *last = NULL;
	bool first = true;
	unsigned points = 0;

	for (const char *at = function; *at; at++) {
		bool letter = isalpha((unsigned char)*at) || *at == '_' || *at == '<';

		if (first ? !letter : *at != '.' && *at != '>' && !in_identifier(*at))
			return NULL;
		first = *at == '.';
		points += first;
		if (first)
			last = at + 1;
	}
	return points > 1 && !first ? last : NULL;
}

const char *plain_name_unqualified(const char *function)
{
	const char *unnamed = strstr(function, ":fn_"), *name = function, *before = function;
	unsigned open = 0;

	if (unnamed)
		return unnamed + 1;
	for (const char *at = function; *at; at++) {
		open += *at == '(' || *at == '{' || *at == '[';
		open -= open && (*at == ')' || *at == '}' || *at == ']');
		if (!open && at[0] == ':' && at[1] == ':' && at[2]) {
			before = name;
			name = at + 2;
		}
	}
	if (name == function)
		name = after_package(function);
	/* of a lambda: "{lambda#1}::operator()" */
	return !name ? function : strcmp(name, "operator()") == 0 ? before : name;
}
