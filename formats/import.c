#include "formats/import.h"
#include "base/array.h"
#include "base/output.h"
#include "base/path.h"
#include "base/progress.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

enum { LINE_MOST = 64 << 20, BLOCK = 1 << 18 };

const struct import_format *const import_formats[] = {
    &import_bpftrace, &import_chrome, &import_ctf,      &import_firefox,
    &import_fxt,      &import_graze,  &import_jfr,      &import_otf2,
    &import_otlp,     &import_perf,   &import_perfetto, &import_strace,
    &import_uftrace,  &import_jsonl,  &import_csv,      &import_logfmt,
    &import_text,     NULL,
};

const struct import_format *import_format_named(const char *name)
{
	for (const struct import_format *const *f = import_formats; *f; f++)
		if (strcmp((*f)->name, name) == 0)
			return *f;
	return NULL;
}

const struct import_format *import_format_of(const struct import_input *in)
{
	for (const struct import_format *const *f = import_formats; *f; f++)
		if ((*f)->recognise && (*f)->recognise(in))
			return *f;
	return NULL;
}

/* ---- opening ---- */

static bool head_read(struct import_input *in)
{
	int n;

	in->file = gzopen(in->path, "re");
	if (!in->file) {
		diag_error(in->diag, DIAG_NOWHERE, "cannot read %s: %s", in->path,
			   errno ? strerror(errno) : "there is no memory");
		return false;
	}
	gzbuffer(in->file, BLOCK);
	n = gzread(in->file, in->head, IMPORT_HEAD);
	if (n < 0)
		return import_fail(in, "%s", gzerror(in->file, &n));
	in->nhead = (size_t)n;
	in->head[n] = '\0';
	return true;
}

bool import_open(struct import_input *in, const char *path, const char *spec, struct diag *diag)
{
	struct stat status;

	*in = (struct import_input){.path = path, .spec = spec, .diag = diag};
	if (stat(path, &status) != 0) {
		diag_error(diag, DIAG_NOWHERE, "cannot read %s: %s", path, strerror(errno));
		return false;
	}
	in->directory = S_ISDIR(status.st_mode);
	in->modified = status.st_mtime;
	in->size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
	return in->directory || head_read(in);
}

void import_more(struct import_input *in, const char *const *paths, unsigned n)
{
	in->more = paths;
	in->nmore = n;
}

bool import_next(struct import_input *in, bool *bad)
{
	struct import_input next;

	*bad = false;
	if (!in->nmore)
		return false;
	if (!import_open(&next, *in->more, in->spec, in->diag)) {
		*bad = true;
		import_close(&next);
		return false;
	}
	import_more(&next, in->more + 1, in->nmore - 1);
	import_close(in);
	*in = next;
	return true;
}

/* ---- commands ---- */

static int command_spawn(struct import_input *in, const char *const *argv, int to)
{
	posix_spawn_file_actions_t actions;
	int status;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, to, 1);
	status = posix_spawnp(&in->pid, argv[0], &actions, NULL, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (status != 0)
		in->pid = 0;
	return status;
}

bool import_start(struct import_input *in, const struct import_format *format)
{
	const char *argv[IMPORT_ARGUMENTS] = {NULL};
	int ends[2], status;

	if (format->prepare && !format->prepare(in))
		return false;
	if (!format->command)
		return true;
	if (!format->command(in, argv))
		return false;
	if (!argv[0])
		return true;
	if (pipe2(ends, O_CLOEXEC) != 0) {
		diag_error(in->diag, DIAG_NOWHERE, "cannot run %s: %s", argv[0], strerror(errno));
		return false;
	}
	status = command_spawn(in, argv, ends[1]);
	close(ends[1]);
	in->tool = argv[0];
	if (in->file)
		gzclose(in->file);
	in->file = gzdopen(ends[0], "r");
	in->size = 0;
	in->given = in->nhead;
	if (status == 0)
		return true;
	diag_error(in->diag, DIAG_NOWHERE, "%s is read by %s, which cannot be run: %s", in->path,
		   argv[0], strerror(status));
	return false;
}

/* Returns whether the command that read the input succeeded, or reports it. */
static bool command_wait(struct import_input *in)
{
	int status = 0;
	pid_t pid = in->pid;

	if (!pid)
		return true;
	in->pid = 0;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	diag_error(in->diag, DIAG_NOWHERE, "%s could not read %s", in->tool, in->path);
	return false;
}

/* ---- reading ---- */

bool import_fail(struct import_input *in, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = text_vformat(format, arguments);
	va_end(arguments);
	if (in->line)
		diag_error(in->diag, DIAG_NOWHERE, "%s:%" PRIu64 ": %s", in->path, in->line, text);
	else if (in->directory || in->pid)
		diag_error(in->diag, DIAG_NOWHERE, "%s: %s", in->path, text);
	else
		diag_error(in->diag, DIAG_NOWHERE, "%s: byte %" PRIu64 ": %s", in->path, in->done,
			   text);
	free(text);
	return false;
}

bool import_built_without(struct import_input *in, const char *library, const char *packages)
{
	diag_error(
	    in->diag, DIAG_NOWHERE,
	    "%s: built without %s, which reads it: apt install %s, then configure and make again",
	    in->path, library, packages);
	return false;
}

void import_passed_over(struct import_input *in, uint64_t n, const char *what)
{
	if (n)
		diag_warning(in->diag, "import", DIAG_NOWHERE, "%s: %" PRIu64 " %s", in->path, n,
			     what);
}

static ssize_t file_read(struct import_input *in, void *to, size_t n)
{
	int got = gzread(in->file, to, n > INT32_MAX ? INT32_MAX : (unsigned)n), error;
	const char *why;

	if (output_interrupted()) {
		import_fail(in, "interrupted");
		return -1;
	}
	if (got < (int)n) {
		why = gzerror(in->file, &error);
		if (got < 0 || error != Z_OK) {
			import_fail(in, "%s", error == Z_ERRNO ? strerror(errno) : why);
			return -1;
		}
	}
	in->done += (uint64_t)got;
	if (in->size)
		progress_step((uint64_t)gzoffset(in->file), in->size);
	return got;
}

/* Gives the first bytes once more: what is read from may be a pipe, which has them only once. */
static ssize_t head_give(struct import_input *in, void *to, size_t n)
{
	if (n > in->nhead - in->given)
		n = in->nhead - in->given;
	memcpy(to, in->head + in->given, n);
	in->given += n;
	in->done += n;
	return (ssize_t)n;
}

ssize_t import_read(struct import_input *in, void *to, size_t n)
{
	if (in->given < in->nhead)
		return head_give(in, to, n);
	return file_read(in, to, n);
}

bool import_can_rewind(const struct import_input *in)
{
	return !in->pid && in->size;
}

bool import_rewind(struct import_input *in)
{
	if (in->pid || gzrewind(in->file) != 0)
		return import_fail(in, "cannot be read twice");
	in->given = in->nhead;
	in->done = in->line = 0;
	in->from = in->to = 0;
	return true;
}

/* Reads more of the text behind what is left of it. Returns false at the end, or after a report. */
static bool text_fill(struct import_input *in, bool *bad)
{
	ssize_t n;

	if (in->from)
		memmove(in->text, in->text + in->from, in->to - in->from);
	in->to -= in->from;
	in->from = 0;
	if (in->to > LINE_MOST) {
		*bad = true;
		in->line++;
		return import_fail(in, "the line has more than %d MiB; this is no text of lines",
				   LINE_MOST >> 20);
	}
	in->text = vector_reserve(in->text, in->to + BLOCK + 1, &in->room, 1);
	n = import_read(in, in->text + in->to, BLOCK);
	*bad = n < 0;
	if (n > 0)
		in->to += (size_t)n;
	return n > 0;
}

ssize_t import_line(struct import_input *in, char **line, bool *bad)
{
	size_t seen = 0, length;
	char *end;

	*bad = false;
	while (!(end = in->from + seen < in->to
			   ? memchr(in->text + in->from + seen, '\n', in->to - in->from - seen)
			   : NULL)) {
		seen = in->to - in->from;
		if (!text_fill(in, bad)) {
			if (*bad || in->from == in->to)
				return -1;
			end = in->text + in->to;
			break;
		}
	}
	in->line++;
	*line = in->text + in->from;
	length = (size_t)(end - *line);
	in->from += length + (end < in->text + in->to);
	if (length && (*line)[length - 1] == '\r')
		length--;
	(*line)[length] = '\0';
	return (ssize_t)length;
}

/* ---- running ---- */

void import_close(struct import_input *in)
{
	if (in->file)
		gzclose(in->file);
	/* that of a command, which writes to nobody now */
	if (in->pid)
		waitpid(in->pid, NULL, 0);
	free(in->text);
}

bool import_run(struct import_input *in, const struct import_format *format, const char *directory)
{
	char *name = path_name(in->path), *dot = strchr(name, '.');
	struct logs *l;
	bool good;

	if (dot && dot > name)
		*dot = '\0';
	l = logs_begin(directory, name, in->diag);
	free(name);
	progress_begin("importing");
	good = format->read(in, l) && command_wait(in);
	progress_end();
	if (good && !logs_has_events(l))
		good = import_fail(in, "there are no events in it");
	if (good)
		return logs_end(l);
	logs_discard(l);
	return false;
}
