/* gorge: the time-space diagram of a trace. */
#include "viewers/gorge/compose.h"
#include "viewers/gorge/dump.h"
#include "viewers/gorge/options.h"
#include "viewers/gorge/paint.h"
#include "viewers/outfile.h"
#include "viewers/suffix.h"
#include <libgen.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

/* The most pixels that a PNG's side may have in cairo. */
enum { GREATEST_PNG = 32767 };

/* "run1.svg" for "../runs/run1/". */
static char *default_output(const char *directory)
{
	char *path = realpath(directory, NULL), *name;

	name = text_of("%s.svg", path ? basename(path) : "gorge");
	free(path);
	return name;
}

/* Shows the file where there is somebody to look at it. */
static void show(char *path)
{
	char *arguments[] = {"xdg-open", path, NULL};
	posix_spawn_file_actions_t actions;
	pid_t pid;

	puts(path);
	fflush(stdout);
	if (!isatty(STDOUT_FILENO) || (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")))
		return;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
	posix_spawnp(&pid, arguments[0], &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
}

/* cairo's own message for this names neither the cause nor the remedy. */
static bool fits(const struct drawing *d, enum format format, double scale, struct diag *diag)
{
	if (format != FORMAT_PNG ||
	    (d->width * scale <= GREATEST_PNG && d->height * scale <= GREATEST_PNG))
		return true;
	diag_error(diag, DIAG_NOWHERE,
		   "a png of %.0f x %.0f pixels is too large; write svg or pdf, or choose "
		   "--height, --scale or --threads",
		   d->width * scale, d->height * scale);
	return false;
}

static bool write_picture(const struct drawing *d, enum format format, double scale,
			  const char *path, struct diag *diag)
{
	struct outfile *file = fits(d, format, scale, diag) ? outfile_open(path, diag) : NULL;
	const char *failure;

	if (!file)
		return false;
	failure = paint_cairo(d, format, scale, outfile_stream(file));
	if (!failure)
		return outfile_commit(file, diag);
	outfile_discard(file);
	diag_error(diag, DIAG_NOWHERE, "cannot write %s: %s", path, failure);
	return false;
}

static bool draw(const struct options *o, const struct scene *scene, struct diag *diag)
{
	char *path = o->output ? text_of("%s", o->output) : default_output(o->directories[0]);
	int format = suffix_find(path, format_suffixes, diag);
	bool done = false;

	if (format >= 0) {
		struct drawing *d = compose(scene, o->view.width, o->view.height);
		done = write_picture(d, (enum format)format, o->scale, path, diag);
		drawing_free(d);
	}
	if (done && !o->output)
		show(path);
	free(path);
	return done;
}

static bool run(const struct options *o, struct diag *diag)
{
	struct trace *trace;
	struct scene *scene;
	bool done = false;

	if (o->output && suffix_find(o->output, format_suffixes, diag) < 0)
		return false;
	trace = trace_open(o->directories, o->ndirectories, o->spec, diag);
	if (!trace)
		return false;
	scene = view_scene(&o->view, trace, diag);
	if (scene && o->dump)
		scene_dump(scene, stdout);
	if (scene)
		done = o->dump || draw(o, scene, diag);
	if (scene)
		scene_free(scene);
	trace_close(trace);
	return done;
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv);
	struct diag diag = {.out = stderr, .program = "gorge"};
	bool done = run(&o, &diag);

	if (fflush(stdout) != 0 || ferror(stdout)) {
		diag_error(&diag, DIAG_NOWHERE, "cannot write to the standard output");
		return 2;
	}
	return done ? 0 : 2;
}
