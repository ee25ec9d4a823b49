#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const int fatal[] = {SIGINT, SIGTERM, SIGHUP};
static char *volatile unfinished;       /* to be removed by a fatal signal */

static void remove_unfinished(int number)
{
	if (unfinished)
		unlink(unfinished);
	raise(number);          /* the handler was reset: this ends the program */
}

static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = remove_unfinished, .sa_flags = SA_RESETHAND};

	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
		sigaction(fatal[i], &action, NULL);
}

/* A device or pipe is written as it is: renaming a file over it would replace it. */
static bool is_special(const char *name)
{
	struct stat status;

	return stat(name, &status) == 0 && !S_ISREG(status.st_mode);
}

static bool open_temporary(struct output *o)
{
	mode_t mask = umask(0);

	umask(mask);
	if (asprintf(&o->temporary, "%s.XXXXXX", o->name) < 0) {
		o->temporary = NULL;
		return false;
	}
	o->fd = mkstemp(o->temporary);
	if (o->fd < 0) {
		free(o->temporary);
		o->temporary = NULL;
		return false;
	}
	unfinished = o->temporary;
	catch_signals();
	return fchmod(o->fd, 0666 & ~mask) == 0;
}

bool output_open(struct output *o, const char *name)
{
	*o = (struct output){.name = name, .fd = -1};
	if (strcmp(name, "-") == 0)
		o->fd = STDOUT_FILENO;
	else if (is_special(name))
		o->fd = open(name, O_WRONLY | O_CLOEXEC);
	else
		return open_temporary(o);
	return o->fd >= 0;
}

bool output_write(struct output *o, const void *bytes, size_t size)
{
	const char *from = bytes;

	while (size) {
		ssize_t n = write(o->fd, from, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		from += n;
		size -= n;
	}
	return true;
}

bool output_commit(struct output *o)
{
	int fd = o->fd;

	o->fd = -1;
	if (close(fd))
		return false;
	if (!o->temporary)
		return true;
	if (rename(o->temporary, o->name))
		return false;
	unfinished = NULL;
	free(o->temporary);
	o->temporary = NULL;
	return true;
}

void output_discard(struct output *o)
{
	if (o->fd >= 0)
		close(o->fd);
	if (!o->temporary)
		return;
	unlink(o->temporary);
	unfinished = NULL;
	free(o->temporary);
	o->temporary = NULL;
}
