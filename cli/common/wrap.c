#include "cli/common/wrap.h"
#include "base/array.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- a line ---- */

/* Returns the bytes of a colour's escape at a place of a line; 0: there is none. */
static size_t escape_length(const char *at, size_t n)
{
	size_t length = 2;

	if (n < 3 || at[0] != '\033' || at[1] != '[')
		return 0;
	while (length < n && at[length] != 'm')
		length++;
	return length < n ? length + 1 : n;
}

static bool begins_letter(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

/* Returns the bytes before the letter that is one too many; n if all fit. */
static size_t fitting(const char *line, size_t n, size_t width)
{
	size_t letters = 0;

	for (size_t i = 0; i < n;) {
		size_t escape = escape_length(line + i, n - i);

		if (!escape && begins_letter(line[i]) && letters++ == width)
			return i;
		i += escape ? escape : 1;
	}
	return n;
}

static size_t blanks_at(const char *line, size_t n, size_t from)
{
	size_t i = from;

	while (i < n && line[i] == ' ')
		i++;
	return i - from;
}

enum { KEY_MOST = 20, DEEPER = 2 };

/*
 * Returns where the rest of a line begins: below what comes after "key    " or "1. ", else deeper
 * than the line.
 */
static size_t rest_indent(const char *line, size_t n)
{
	size_t blanks = blanks_at(line, n, 0), digits = blanks;

	while (digits < n && isdigit((unsigned char)line[digits]))
		digits++;
	if (digits > blanks && digits + 1 < n && line[digits] == '.' && line[digits + 1] == ' ')
		return digits + 2;
	for (size_t i = blanks; i < n && i < KEY_MOST; i++)
		if (blanks_at(line, n, i) >= 2)
			return i + blanks_at(line, n, i);
	return blanks + DEEPER;
}

/* Returns where the command of a line begins; n: there is none. */
static size_t command_at(const char *line, size_t n)
{
	static const char *const marks[] = {"look: ", "reproduce: "};

	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		const char *mark = memmem(line, n, marks[i], strlen(marks[i]));

		if (mark)
			return (size_t)(mark - line) + strlen(marks[i]);
	}
	return n;
}

/*
 * Returns where to break the line that fits `fits` bytes and must keep `least`; 0: nowhere. shell:
 * not within quotes, and if need be later.
 */
static size_t break_at(const char *line, size_t n, size_t least, size_t fits, bool shell)
{
	bool quoted = false;
	size_t at = 0;

	for (size_t i = 0; i < n && (i <= fits || (shell && !at)); i++) {
		quoted ^= shell && line[i] == '\'';
		if (line[i] == ' ' && !quoted && i > least)
			at = i;
	}
	return at || shell ? at : fits;
}

/* Writes a line of n bytes, without its end, wrapped. */
static void wrap_line(FILE *to, const char *line, size_t n, size_t width)
{
	size_t indent = rest_indent(line, n), command = command_at(line, n), least = indent;
	bool shell = command < n;

	if (indent > width / 2)
		indent = DEEPER;
	if (shell)
		least = command;
	for (size_t room = width; fitting(line, n, room) < n; room = width - indent) {
		size_t fits = fitting(line, n, room - (shell ? 2 : 0));
		size_t at = break_at(line, n, least, fits, shell);

		if (!at)
			break;
		fwrite(line, 1, at, to);
		fprintf(to, "%s\n%*s", shell ? " \\" : "", (int)indent, "");
		at += blanks_at(line, n, at);
		line += at;
		n -= at;
		least = 0;
	}
	fwrite(line, 1, n, to);
}

/* ---- the stream ---- */

struct wrapping {
	FILE *to;
	size_t width;
	VECTOR(char) line;
};

static void line_end(struct wrapping *w)
{
	wrap_line(w->to, w->line.at, w->line.n, w->width);
	w->line.n = 0;
}

static ssize_t wrap_write(void *cookie, const char *bytes, size_t n)
{
	struct wrapping *w = cookie;

	for (size_t i = 0; i < n; i++)
		if (bytes[i] == '\n') {
			line_end(w);
			putc('\n', w->to);
		} else {
			*vector_add(&w->line) = bytes[i];
		}
	return ferror(w->to) ? 0 : (ssize_t)n;
}

static int wrap_close(void *cookie)
{
	struct wrapping *w = cookie;

	if (w->line.n)
		line_end(w);
	free(w->line.at);
	free(w);
	return 0;
}

FILE *wrap_open(FILE *to, size_t width)
{
	struct wrapping *w = array_zero(1, sizeof *w);
	FILE *out;

	w->to = to;
	w->width = width;
	out =
	    fopencookie(w, "w", (cookie_io_functions_t){.write = wrap_write, .close = wrap_close});
	if (!out)
		free(w);
	return out;
}
