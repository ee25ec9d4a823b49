#include "viewers/gorge/server/notes_file.h"
#include "base/array.h"
#include "base/file.h"
#include "base/file_open.h"
#include "viewers/gorge/query/notes.h"
#include "viewers/gorge/server/reopen.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *notes_file_path(const char *directory)
{
	return text_format("%s/notes.txt", directory);
}

/* Returns all of a file that is open, or NULL, and *why says why. */
static char *read_all(int fd, const char *path, char **why)
{
	char *text = array_zero(NOTES_MOST_BYTES + 2, 1);
	size_t size = 0;
	ssize_t n = 1;

	while (size <= NOTES_MOST_BYTES &&
	       (n = read(fd, text + size, NOTES_MOST_BYTES + 1 - size)) > 0)
		size += (size_t)n;
	if (n < 0)
		*why = text_format("cannot read %s: %s", path, strerror(errno));
	else if (size > NOTES_MOST_BYTES)
		*why =
		    text_format("%s is larger than %d bytes; shorten it", path, NOTES_MOST_BYTES);
	else if (strlen(text) != size)
		*why = text_format("%s contains NUL bytes; remove them", path);
	if (!*why)
		return text;
	free(text);
	return NULL;
}

char *notes_file_read(const char *directory, char **why)
{
	char *path = notes_file_path(directory), *text = NULL;
	int fd = file_open(path, O_RDONLY);

	*why = NULL;
	if (fd >= 0) {
		text = read_all(fd, path, why);
		close(fd);
	} else if (errno != ENOENT && errno != ENOTDIR) {
		*why = text_format("cannot read %s: %s", path, file_why(errno));
	}
	free(path);
	return text;
}

/* Replaces the file at once. Returns what is wrong, or NULL. */
static char *write_file(const char *directory, const char *text)
{
	char *path = notes_file_path(directory), *why = NULL;
	char *fresh = text_format("%s/.notes.XXXXXX", directory);
	int fd = mkstemp(fresh);
	bool good = fd >= 0 && file_write_all(fd, text, strlen(text)) && fsync(fd) == 0;

	good = (fd < 0 || close(fd) == 0) && good && rename(fresh, path) == 0;
	if (!good) {
		why = text_format("cannot write %s: %s", path, strerror(errno));
		if (fd >= 0)
			unlink(fresh);
	}
	free(fresh);
	free(path);
	return why;
}

/* Returns the text with one more line, or NULL: then *why says why. */
static char *with_line(const char *text, const char *line, const struct trace *t, char **why)
{
	struct notes notes = notes_read(line, t);
	size_t n = strlen(text);
	bool is_note = notes.list.n == 1 && !notes.wrong.n && !strpbrk(line, "\r\n");

	for (const unsigned char *c = (const unsigned char *)line; *c && is_note; c++)
		is_note = *c >= ' ' || *c == '\t';
	if (!is_note)
		*why =
		    text_format("%s", notes.wrong.n ? notes.wrong.at[0] : "not a line of a note");
	else if (n + strlen(line) + 2 > NOTES_MOST_BYTES)
		*why = text_format("there is no room for more notes");
	notes_free(&notes);
	return *why ? NULL
		    : text_format("%s%s%s\n", text, n && text[n - 1] != '\n' ? "\n" : "", line);
}

/* Returns the text without the first line that is this one, or NULL: then *why says why. */
static char *without_line(const char *text, const char *line, char **why)
{
	size_t n = strlen(line);

	for (const char *at = text; n && *at;) {
		size_t length = strcspn(at, "\n"), whole = length + (at[length] == '\n');

		if ((length == n || (length == n + 1 && at[n] == '\r')) && !memcmp(at, line, n))
			return text_format("%.*s%s", (int)(at - text), text, at + whole);
		at += whole;
	}
	*why = text_format("this note is no longer in the file; load the page again");
	return NULL;
}

/* Reads the file again, for its author may have changed it. Returns what is wrong, or NULL. */
static char *refresh(struct session *s)
{
	char *why, *text = notes_file_read(s->source->directories[0], &why);

	if (text && s->notes && !strcmp(text, s->notes)) {
		free(text);
		return why;
	}
	if (text || s->notes)
		session_forget(s);
	free(s->notes);
	s->notes = text;
	return why;
}

static struct reply tell_notes(struct session *s, const char *why)
{
	struct notes notes = notes_read(s->notes, s->index->trace);
	char *path = notes_file_path(s->source->directories[0]);
	struct reply_stream w;
	struct json json = reply_begin_json(&w);

	json_string(&json, "file", path);
	if (why)
		json_string(&json, "said", why);
	notes_write(&notes, s->index->trace, &json);
	notes_free(&notes);
	free(path);
	return reply_end_json(&w, &json);
}

/* Returns what is wrong, or NULL. */
static char *change(struct session *s, const struct http_request *request, bool adds)
{
	const char *before = s->notes ? s->notes : "";
	char *why = NULL, *text = adds ? with_line(before, request->body, s->index->trace, &why)
				       : without_line(before, request->body, &why);

	if (text)
		why = write_file(s->source->directories[0], text);
	free(text);
	return why ? why : refresh(s);
}

bool notes_file_answer(struct session *s, const struct http_request *request, struct reply *reply)
{
	bool adds = !strcmp(request->path, "add-note"),
	     changes = adds || !strcmp(request->path, "remove-note");
	char *why;

	if (!changes && strcmp(request->path, "notes") != 0)
		return false;
	if (request->post != changes) {
		*reply = reply_text(405, "This address does not accept this HTTP method.");
		return true;
	}
	pthread_mutex_lock(&s->lock);
	why = refresh(s);
	if (!why && changes)
		why = change(s, request, adds);
	*reply = why && changes ? reply_text(409, why) : tell_notes(s, why);
	pthread_mutex_unlock(&s->lock);
	free(why);
	return true;
}
