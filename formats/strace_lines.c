#include "formats/strace_lines.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SECOND INT64_C(1000000000)

/* Earlier times than this are none of CLOCK_REALTIME: seconds between lines. */
#define EPOCH_LEAST (INT64_C(100000000) * SECOND)

static const char *spaces(const char *at)
{
	while (*at == ' ')
		at++;
	return at;
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static size_t name_length(const char *at)
{
	size_t n = 0;

	while (isalnum((unsigned char)at[n]) || at[n] == '_')
		n++;
	return n;
}

/* ---- the head of a line ---- */

/* Reads digits; returns what follows, or NULL if there is none or the number is too large. */
static const char *digits(const char *at, int64_t *number)
{
	if (!isdigit((unsigned char)*at))
		return NULL;
	for (*number = 0; isdigit((unsigned char)*at); at++) {
		if (*number > INT64_MAX / SECOND / 16)
			return NULL;
		*number = 10 * *number + (*at - '0');
	}
	return at;
}

/* Reads the fraction of a second, if there is one. */
static const char *fraction(const char *at, int64_t *ns)
{
	int64_t unit = SECOND / 10;

	*ns = 0;
	if (*at != '.')
		return at;
	for (at++; isdigit((unsigned char)*at); at++, unit /= 10)
		*ns += (*at - '0') * unit;
	return at;
}

static const char *seconds(const char *at, int64_t *ns)
{
	int64_t whole, part;

	at = digits(at, &whole);
	if (!at || *at != '.')
		return NULL;
	at = fraction(at, &part);
	*ns = whole * SECOND + part;
	return at;
}

/* HH:MM:SS, with a fraction or without. */
static const char *time_of_day(const char *at, int64_t *ns)
{
	int64_t hours, minutes, whole, part;

	at = digits(at, &hours);
	if (!at || *at != ':' || hours > 23)
		return NULL;
	at = digits(at + 1, &minutes);
	if (!at || *at != ':' || minutes > 59)
		return NULL;
	at = digits(at + 1, &whole);
	if (!at || whole > 60)
		return NULL;
	at = fraction(at, &part);
	*ns = ((hours * 60 + minutes) * 60 + whole) * SECOND + part;
	return at;
}

static const char *time_read(const char *at, struct strace_line *l)
{
	const char *end;

	at = spaces(at);
	end = time_of_day(at, &l->time);
	l->clock = STRACE_OF_DAY;
	if (!end) {
		end = seconds(at, &l->time);
		l->clock = end && l->time < EPOCH_LEAST ? STRACE_RELATIVE : STRACE_EPOCH;
	}
	return end && *end == ' ' ? spaces(end) : NULL;
}

/* <NAME>, in which strace has escaped brackets; returns what follows. */
static const char *comm_read(const char *at, struct strace_text *comm)
{
	const char *end = *at == '<' ? strchr(at, '>') : NULL;

	*comm = (struct strace_text){at, 0};
	if (!end)
		return at;
	*comm = (struct strace_text){at + 1, (size_t)(end - at) - 1};
	return end + 1;
}

/* "[pid N] " or "N  ", if there is one; with a name behind N. */
static const char *pid_read(const char *at, struct strace_line *l)
{
	bool brackets = begins(at, "[pid ");
	int64_t pid;
	const char *end = digits(spaces(brackets ? at + 5 : at), &pid);

	if (end)
		end = comm_read(end, &l->comm);
	if (!end || *end != (brackets ? ']' : ' ') || pid <= 0 || pid > UINT32_MAX)
		return at;
	l->pid = (uint32_t)pid;
	return spaces(end + 1);
}

/* ---- calls ---- */

static const char *skip_text(const char *at)
{
	for (at++; *at && *at != '"'; at++)
		if (*at == '\\' && at[1])
			at++;
	return *at ? at + 1 : at;
}

/* What -y prints of a descriptor: <PATH>, <socket:[1]>, <TCP:[A->B]>, </dev/pts/0<char 136:0>>. */
static const char *skip_path(const char *at)
{
	const char *begin = at;
	unsigned depth = 0;

	for (; *at; at++) {
		depth += *at == '<';
		if (*at == '>' && at[-1] != '-' && --depth == 0)
			return at + 1;
	}
	return begin + 1;
}

const char *strace_skip(const char *at)
{
	if (*at == '"')
		return skip_text(at);
	if (*at == '<' && at[1] != '<' && at[1] != ' ' && at[-1] != '<' && at[-1] != ' ')
		return skip_path(at);
	return at + 1;
}

/* Returns the bracket that ends arguments, or NULL. */
static const char *arguments_end(const char *at)
{
	unsigned depth = 0;

	while (*at) {
		if (*at == ')' && depth-- == 0)
			return at;
		depth += *at == '(';
		at = strace_skip(at);
	}
	return NULL;
}

/* <SECONDS> at the end of a line. */
static void length_read(const char *at, struct strace_line *l)
{
	const char *last = strrchr(at, '<'), *end;

	if (!last || last[-1] != ' ')
		return;
	end = seconds(last + 1, &l->length);
	if (!end || strcmp(end, ">") != 0)
		l->length = -1;
}

/* Behind ") = ": a number, and what an error is called. */
static void result_read(const char *at, struct strace_line *l)
{
	char *end;

	errno = 0;
	l->result = *at == '-' ? strtoll(at, &end, 10) : (int64_t)strtoull(at, &end, 0);
	if (*end == '?')
		l->error = (struct strace_text){end++, 1};
	at = spaces(end);
	if (*at == 'E' && isupper((unsigned char)at[1])) {
		l->error = (struct strace_text){at, name_length(at)};
	}
	length_read(end, l);
}

/* Returns whether text ends with `with`, perhaps followed by spaces. */
static bool cut_end(struct strace_text *text, const char *with)
{
	size_t n = strlen(with);

	while (text->length && text->at[text->length - 1] == ' ')
		text->length--;
	if (text->length < n || memcmp(text->at + text->length - n, with, n) != 0)
		return false;
	text->length -= n;
	return true;
}

/* From the arguments on. */
static void call_read(const char *at, enum strace_kind kind, struct strace_line *l)
{
	const char *end = arguments_end(at), *result;

	l->kind = STRACE_CUT;
	l->arguments = (struct strace_text){at, strlen(at)};
	if (!end) {
		if (cut_end(&l->arguments, "<unfinished ...>") ||
		    cut_end(&l->arguments, "<detached ...>"))
			l->kind = STRACE_UNFINISHED;
		cut_end(&l->arguments, "");
		return;
	}
	result = spaces(end + 1);
	if (*result != '=' || result[1] != ' ' || !result[2])
		return;
	l->arguments.length = (size_t)(end - at);
	/* what ends its thread */
	cut_end(&l->arguments, "<unfinished ...>");
	cut_end(&l->arguments, "");
	l->kind = kind;
	result_read(result + 2, l);
}

static void resumed_read(const char *at, struct strace_line *l)
{
	l->name = (struct strace_text){at, name_length(at)};
	at += l->name.length;
	if (!l->name.length || !begins(at, " resumed>")) {
		l->kind = STRACE_CUT;
		return;
	}
	call_read(at + strlen(" resumed>"), STRACE_RESUMED, l);
}

/* --- NAME ARGUMENTS ---, or +++ ARGUMENTS +++ */
static void note_read(const char *at, struct strace_line *l)
{
	bool signal = *at == '-';

	l->kind = STRACE_CUT;
	at += 4;
	if (signal) {
		l->name = (struct strace_text){at, strcspn(at, " ")};
		at = spaces(at + l->name.length);
	}
	l->arguments = (struct strace_text){at, strlen(at)};
	if (cut_end(&l->arguments, signal ? "---" : "+++"))
		l->kind = signal ? STRACE_SIGNAL : STRACE_END;
	cut_end(&l->arguments, "");
}

struct strace_line strace_line_read(const char *text)
{
	struct strace_line l = {.length = -1};
	const char *at = time_read(pid_read(text, &l), &l);

	/* a time without a pid before it begins with digits, too */
	if (!at) {
		l.pid = 0;
		l.comm.length = 0;
		at = time_read(text, &l);
	}
	if (!at)
		return (struct strace_line){.length = -1};
	if (begins(at, "<... ")) {
		resumed_read(at + 5, &l);
	} else if (begins(at, "--- ") || begins(at, "+++ ")) {
		note_read(at, &l);
	} else {
		l.name = (struct strace_text){at, name_length(at)};
		at += l.name.length;
		if (l.name.length && *at == '(')
			call_read(at + 1, STRACE_CALL, &l);
		else
			l.kind = *at ? STRACE_OTHER : STRACE_CUT;
	}
	return l;
}
