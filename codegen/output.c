#include "codegen/output.h"
#include "base/array.h"
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
	char *path, *temporary;
	FILE *stream;
	struct file *next;
};

struct output {
	char *directory;
	struct diag *diag;
	struct file *files;     /* the newest first */
	bool failed;
};

static const int fatal_signals[] = {SIGHUP, SIGINT, SIGTERM};
enum { NSIGNALS = sizeof fatal_signals / sizeof *fatal_signals };

/* What the signal handler removes; changed only while the signals are blocked. */
static struct output *current;

static void unlink_temporaries(const struct output *o)
{
	for (const struct file *f = o->files; f; f = f->next)
		if (f->temporary)
			unlink(f->temporary);
}

static void on_signal(int number)
{
	if (current)
		unlink_temporaries(current);
	signal(number, SIG_DFL);
	raise(number);
}

static sigset_t signals_block(void)
{
	sigset_t fatal, before;

	sigemptyset(&fatal);
	for (int i = 0; i < NSIGNALS; i++)
		sigaddset(&fatal, fatal_signals[i]);
	sigprocmask(SIG_BLOCK, &fatal, &before);
	return before;
}

static void signals_restore(sigset_t before)
{
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/*
 * A signal that the caller ignores (nohup) stays ignored. A limit on the size of files shall be an
 * error of the write, not the program's end.
 */
static void signals_catch(void)
{
	signal(SIGXFSZ, SIG_IGN);
	for (int i = 0; i < NSIGNALS; i++) {
		struct sigaction action;
		sigaction(fatal_signals[i], NULL, &action);
		if (action.sa_handler != SIG_IGN)
			signal(fatal_signals[i], on_signal);
	}
}

struct output *output_begin(const char *directory, struct diag *diag)
{
	struct output *o = array_zero(1, sizeof *o);

	o->directory = text_format("%s", directory);
	o->diag = diag;
	current = o;
	signals_catch();
	return o;
}

static const char *remedy(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return "; create the directory first, or name another one with -o";
	case EACCES:
	case EROFS:
	case EPERM:
		return "; name a directory that you may write to with -o";
	case EISDIR:
		return "; move it away, or name another directory with -o";
	default:
		return "";
	}
}

static void fail(struct output *o, const char *path)
{
	int error = errno;

	diag_error(o->diag, DIAG_NOWHERE, "cannot write %s: %s%s", path, strerror(error),
		   remedy(error));
	o->failed = true;
}

/* A directory in the file's place would be found only by rename(), after others were renamed. */
static bool place_is_free(const char *path)
{
	struct stat status;

	if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
		return true;
	errno = EISDIR;
	return false;
}

/* mkstemp() makes files private; these are for everybody whom the umask lets. */
static void make_public(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	fchmod(fd, 0666 & ~mask);
}

static bool file_open(struct file *f)
{
	int fd;
	sigset_t before;

	if (!place_is_free(f->path))
		return false;
	before = signals_block();
	f->temporary = text_format("%s.XXXXXX", f->path);
	fd = mkstemp(f->temporary);
	if (fd < 0) {
		free(f->temporary);
		f->temporary = NULL;
	}
	signals_restore(before);
	if (fd < 0)
		return false;
	make_public(fd);
	f->stream = fdopen(fd, "w");
	return f->stream != NULL;
}

FILE *output_file(struct output *o, const char *name, ...)
{
	struct file *f = array_zero(1, sizeof *f);
	char *base;
	va_list arguments;

	va_start(arguments, name);
	base = text_vformat(name, arguments);
	va_end(arguments);
	f->path = text_format("%s/%s", o->directory, base);
	free(base);
	f->next = o->files;
	o->files = f;
	if (o->failed)
		return NULL;
	if (!file_open(f))
		fail(o, f->path);
	return f->stream;
}

static void file_free(struct file *f)
{
	if (f->stream)
		fclose(f->stream);
	free(f->temporary);
	free(f->path);
	free(f);
}

void output_discard(struct output *o)
{
	sigset_t before = signals_block();

	unlink_temporaries(o);
	current = NULL;
	signals_restore(before);
	while (o->files) {
		struct file *next = o->files->next;
		file_free(o->files);
		o->files = next;
	}
	free(o->directory);
	free(o);
}

/* A full disk shows here at the latest. */
static void file_complete(struct output *o, struct file *f)
{
	int before = ferror(f->stream), after = fclose(f->stream);

	f->stream = NULL;
	if (before || after)
		fail(o, f->path);
}

static void file_rename(struct output *o, struct file *f)
{
	if (rename(f->temporary, f->path) != 0) {
		fail(o, f->path);
		return;
	}
	free(f->temporary);
	f->temporary = NULL;
}

bool output_commit(struct output *o)
{
	bool done;

	for (struct file *f = o->files; f && !o->failed; f = f->next)
		file_complete(o, f);
	sigset_t before = signals_block();
	for (struct file *f = o->files; f && !o->failed; f = f->next)
		file_rename(o, f);
	signals_restore(before);
	done = !o->failed;
	output_discard(o);
	return done;
}
