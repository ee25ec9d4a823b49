#include "viewers/outfile.h"

#include "base/array.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct outfile {
	char *path;
	char *temporary; /* NULL: written in place */
	FILE *stream;
};

/* What the signal handler removes. */
static char *volatile doomed;

static void on_signal(int number)
{
	if (doomed)
		unlink(doomed);
	signal(number, SIG_DFL);
	raise(number);
}

/*
 * A signal that the caller ignores (nohup) stays ignored; a limit on sizes is an error of the
 * write, not the end.
 */
static void catch_signals(void)
{
	static const int fatal[] = {SIGHUP, SIGINT, SIGTERM};
	struct sigaction action;

	signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
		sigaction(fatal[i], NULL, &action);
		if (action.sa_handler != SIG_IGN)
			signal(fatal[i], on_signal);
	}
}

static bool is_special(const char *path)
{
	struct stat s;

	return stat(path, &s) == 0 && !S_ISREG(s.st_mode);
}

/* With the permissions that any new file has: mkstemp() alone would make it private. */
static int create_temporary(char *name)
{
	mode_t mask = umask(0);
	int file;

	umask(mask);
	file = mkostemp(name, O_CLOEXEC);
	if (file >= 0 && fchmod(file, 0666 & ~mask) != 0) {
		close(file);
		unlink(name);
		return -1;
	}
	return file;
}

static void outfile_free(struct outfile *o)
{
	doomed = NULL;
	free(o->temporary);
	free(o->path);
	free(o);
}

struct outfile *outfile_open(const char *path, struct diag *diag)
{
	struct outfile *o = array_zero(1, sizeof *o);
	int file;

	o->path = text_format("%s", path);
	if (is_special(path)) {
		file = open(path, O_WRONLY | O_CLOEXEC);
	} else {
		o->temporary = text_format("%s.XXXXXX", path);
		catch_signals();
		file = create_temporary(o->temporary);
		doomed = file >= 0 ? o->temporary : NULL;
	}
	o->stream = file >= 0 ? fdopen(file, "w") : NULL;
	if (o->stream)
		return o;
	diag_error(diag, DIAG_NOWHERE, "%s: cannot be written: %s", path, strerror(errno));
	outfile_free(o);
	return NULL;
}

FILE *outfile_stream(struct outfile *o)
{
	return o->stream;
}

bool outfile_commit(struct outfile *o, struct diag *diag)
{
	bool fine = fflush(o->stream) == 0 && !ferror(o->stream);

	fine = fclose(o->stream) == 0 && fine;
	if (fine && o->temporary)
		fine = rename(o->temporary, o->path) == 0;
	if (!fine) {
		diag_error(diag, DIAG_NOWHERE, "%s: cannot be written: %s", o->path,
			   strerror(errno));
		if (o->temporary)
			unlink(o->temporary);
	}
	outfile_free(o);
	return fine;
}

void outfile_discard(struct outfile *o)
{
	fclose(o->stream);
	if (o->temporary)
		unlink(o->temporary);
	outfile_free(o);
}
