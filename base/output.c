#include "base/output.h"
#include "base/array.h"
#include "base/directory.h"
#include "base/path.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file or a directory. */
struct output_item {
	char *path, *temporary; /* temporary: NULL if nothing has that name */
	FILE *stream;           /* NULL: a directory, or nothing to be closed */
	bool is_directory;
	struct output_item *next;
};

struct output {
	struct output_item *items; /* the newest first */
	const char *folder;
	unsigned flags;
	void (*fail)(void *context, const char *path);
	void *context;
	bool failed;
	bool has_directory;
};

/* ---- signals ---- */

static const int fatal_signals[] = {SIGHUP, SIGINT, SIGTERM};
enum { NSIGNALS = sizeof fatal_signals / sizeof *fatal_signals };

/* What the signal handler removes; changed only while the signals are blocked. */
static struct output *current;
static volatile sig_atomic_t caught;

bool output_interrupted(void)
{
	return caught;
}

/* Leaves directories: removing them takes functions which a handler may not call. */
void output_remove(void)
{
	for (const struct output_item *i = current ? current->items : NULL; i; i = i->next)
		if (i->temporary)
			unlink(i->temporary);
}

static void on_signal(int number)
{
	if (current && current->has_directory) {
		caught = number;
		return;
	}
	output_remove();
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
	struct sigaction action = {.sa_handler = on_signal}, before;

	signal(SIGXFSZ, SIG_IGN);
	for (int i = 0; i < NSIGNALS; i++)
		if (sigaction(fatal_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(fatal_signals[i], &action, NULL);
}

/* ---- begin ---- */

struct output *output_begin(const char *folder, unsigned flags,
			    void (*fail)(void *context, const char *path), void *context)
{
	struct output *o = array_zero(1, sizeof *o);

	o->folder = folder;
	o->flags = flags;
	o->fail = fail;
	o->context = context;
	current = o;
	signals_catch();
	return o;
}

static void output_fail(struct output *o, const struct output_item *i)
{
	if (!caught)
		o->fail(o->context, i->path);
	o->failed = true;
}

static struct output_item *item_add(struct output *o, char *path)
{
	struct output_item *i = array_zero(1, sizeof *i);

	i->path = path;
	i->next = o->items;
	o->items = i;
	return i;
}

/* mkostemp() makes files private; others are for everybody whom the umask lets. */
static bool make_public(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	return fchmod(fd, 0666 & ~mask) == 0;
}

/*
 * Returns whether a link is followed: the system's names of open files (/dev/stdout) are. Any other
 * may be somebody's trap, and is replaced.
 */
static bool link_trusted(const char *path)
{
	bool known = strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
		     (strncmp(path, "/dev/", 5) == 0 && !strchr(path + 5, '/'));

	return known && !strstr(path, "/../");
}

/* Returns whether a path is written in place, with the flags to open it with. */
static bool is_special(const char *path, int *flags)
{
	struct stat s;
	bool exists = lstat(path, &s) == 0, link = exists && S_ISLNK(s.st_mode);

	*flags = O_WRONLY | O_CLOEXEC | (link ? 0 : O_NOFOLLOW);
	return exists && (link ? link_trusted(path) : !S_ISREG(s.st_mode));
}

static int item_create(const struct output *o, struct output_item *i)
{
	sigset_t before = signals_block();
	int fd;

	i->temporary = text_format("%s.XXXXXX", i->path);
	fd = mkostemp(i->temporary, O_CLOEXEC);
	if (fd < 0) {
		free(i->temporary);
		i->temporary = NULL;
	}
	signals_restore(before);
	if (fd >= 0 && !(o->flags & OUTPUT_PRIVATE) && !make_public(fd)) {
		close(fd);
		return -1;
	}
	return fd;
}

FILE *output_file(struct output *o, const char *format, ...)
{
	struct output_item *i;
	va_list arguments;
	char *name;
	int fd, flags;

	va_start(arguments, format);
	name = text_vformat(format, arguments);
	va_end(arguments);
	i = item_add(o,
		     text_format("%s%s%s", o->folder ? o->folder : "", o->folder ? "/" : "", name));
	free(name);
	if (o->failed)
		return NULL;
	if (!(o->flags & OUTPUT_NEW) && is_special(i->path, &flags))
		fd = open(i->path, flags);
	else
		fd = item_create(o, i);
	i->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (!i->stream)
		output_fail(o, i);
	return i->stream;
}

const char *output_file_name(const struct output *o, const FILE *stream)
{
	const struct output_item *i = o->items;

	while (i && i->stream != stream)
		i = i->next;
	return i ? i->temporary : NULL;
}

const char *output_directory(struct output *o, const char *path)
{
	struct output_item *i = item_add(o, path_copy(path));

	i->is_directory = true;
	if (o->failed)
		return NULL;
	o->has_directory = true;
	i->temporary = text_format("%s.XXXXXX", i->path);
	if (mkdtemp(i->temporary))
		return i->temporary;
	free(i->temporary);
	i->temporary = NULL;
	output_fail(o, i);
	return NULL;
}

/* ---- end ---- */

void output_discard(struct output *o)
{
	sigset_t before = signals_block();

	for (const struct output_item *i = o->items; i; i = i->next) {
		if (i->temporary && i->is_directory)
			directory_remove(i->temporary);
		else if (i->temporary)
			unlink(i->temporary);
	}
	current = NULL;
	signals_restore(before);
	while (o->items) {
		struct output_item *i = o->items;

		o->items = i->next;
		if (i->stream)
			fclose(i->stream);
		free(i->temporary);
		free(i->path);
		free(i);
	}
	free(o);
	if (caught) {
		signal(caught, SIG_DFL);
		raise(caught);
	}
}

/* A full disk shows here at the latest. */
static void item_close(struct output *o, struct output_item *i)
{
	bool good = fflush(i->stream) == 0 && !ferror(i->stream);
	int error = errno;

	if (fclose(i->stream) != 0 && good) {
		error = errno;
		good = false;
	}
	i->stream = NULL;
	errno = error;
	if (!good)
		output_fail(o, i);
}

/* link() does not replace what may have appeared under the name. */
static void item_place(struct output *o, struct output_item *i)
{
	bool links = (o->flags & OUTPUT_NEW) && !i->is_directory;

	if ((links ? link(i->temporary, i->path) : rename(i->temporary, i->path)) != 0) {
		output_fail(o, i);
		return;
	}
	if (links)
		unlink(i->temporary);
	free(i->temporary);
	i->temporary = NULL;
}

bool output_commit(struct output *o)
{
	sigset_t before;
	bool done;

	for (struct output_item *i = o->items; i && !o->failed; i = i->next)
		if (i->stream)
			item_close(o, i);
	before = signals_block();
	for (struct output_item *i = o->items; i && !o->failed && !caught; i = i->next)
		if (i->temporary)
			item_place(o, i);
	signals_restore(before);
	done = !o->failed && !caught;
	output_discard(o);
	return done;
}
