/* gorge: the time-space diagram of a trace. */
#include "analysis/graph/critical_path.h"
#include "base/array.h"
#include "base/output.h"
#include "base/visible.h"
#include "spec/qualified.h"
#include "trace/open/confine_trace.h"
#include "trace/open/foreign.h"
#include "trace/symbols/confine_symbols.h"
#include "viewers/confine_viewer.h"
#include "viewers/gorge/build/build.h"
#include "viewers/gorge/document/html.h"
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/draw/flame_graph.h"
#include "viewers/gorge/headline.h"
#include "viewers/gorge/options.h"
#include "viewers/gorge/paint/paint.h"
#include "viewers/gorge/query/notes.h"
#include "viewers/gorge/query/violations.h"
#include "viewers/gorge/scene/dump.h"
#include "viewers/gorge/server/notes_file.h"
#include "viewers/gorge/server/reopen.h"
#include "viewers/gorge/server/serve.h"
#include "viewers/select.h"
#include "viewers/suffix.h"
#include "viewers/web/browser.h"
#include <libgen.h>
#include <stdlib.h>

/* html is the page itself; all others are painted. */
static const char *const suffixes[] = {"svg", "png", "pdf", "html", NULL};
enum { HTML = FORMAT_PDF + 1 };

/* The most pixels that a PNG's side may have in cairo. */
enum { GREATEST_PNG = 32767 };

/* Refuses a drawing that is too large, as cairo's own message names neither cause nor remedy. */
static bool gorge_fits(const struct drawing *d, enum paint_format format, double scale,
		       struct diag *diag)
{
	if (format != FORMAT_PNG ||
	    (d->width * scale <= GREATEST_PNG && d->height * scale <= GREATEST_PNG))
		return true;
	diag_error(diag, DIAG_NOWHERE,
		   "a png of %.0f x %.0f pixels is too large; write svg or pdf, or reduce "
		   "--height, --scale or --threads",
		   d->width * scale, d->height * scale);
	return false;
}

static bool write_picture(const struct drawing *d, enum paint_format format, double scale,
			  const char *path, struct diag *diag)
{
	struct output *output;
	const char *failure;
	FILE *file;

	if (!gorge_fits(d, format, scale, diag))
		return false;
	output = output_begin(NULL, 0, diag_write_failed, diag);
	file = output_file(output, "%s", path);
	failure = file ? drawing_paint(d, format, scale, file) : NULL;
	if (!failure)
		return output_commit(output);
	output_discard(output);
	diag_error(diag, DIAG_NOWHERE, "cannot write %s: %s", path, failure);
	return false;
}

/* Takes the window and the threads of a view. The caller frees the threads. */
static bool flame_part(const struct view *v, const struct trace *t, struct flame_part *part,
		       bool **threads, struct diag *diag)
{
	*part = (struct flame_part){v->has_from ? v->window.from : INT64_MIN,
				    v->has_to ? v->window.to : INT64_MAX, NULL};
	*threads = NULL;
	if (part->from >= part->to) {
		diag_error(diag, DIAG_NOWHERE, "--from must be earlier than --to");
		return false;
	}
	if (!v->threads)
		return true;
	part->threads = *threads = array_zero(t->nthreads, sizeof **threads);
	return select_threads(v->threads, t, *threads, diag);
}

static bool gorge_flame(const struct gorge_options *o, struct trace *t, struct diag *diag)
{
	struct flame_part part;
	struct flame *f = NULL;
	bool *threads, done;

	if (flame_part(&o->view, t, &part, &threads, diag))
		f = flame_of(t, (enum flame_kind)o->flame, &part, diag);
	free(threads);
	done = f;
	if (f && o->dump) {
		flame_print(f, stdout);
	} else if (f) {
		int format = suffix_find(o->output, format_suffixes, diag);
		struct drawing *d = format < 0 ? NULL : flame_draw(f, &o->view);

		done = d && write_picture(d, (enum paint_format)format, o->scale, o->output, diag);
		if (d)
			drawing_free(d);
	}
	if (f)
		flame_free(f);
	trace_close(t);
	return done;
}

static bool gorge_draw(const struct gorge_options *o, const struct scene *scene, struct diag *diag)
{
	int format = suffix_find(o->output, format_suffixes, diag);
	struct drawing *d = scene_draw(scene, o->view.width, o->view.height);
	bool done = write_picture(d, (enum paint_format)format, o->scale, o->output, diag);

	drawing_free(d);
	return done;
}

static bool has_assertions_of_intervals(const struct spec *spec)
{
	for (unsigned i = 0; i < spec->nassertions; i++)
		if (spec->assertions[i]->interval)
			return true;
	return false;
}

/* Adds the critical path, if it is wanted. */
static void add_path(const struct gorge_options *o, struct scene *scene,
		     const struct trace_index *index)
{
	struct critical_path *path;
	struct graph *graph;

	if (!scene || !o->path)
		return;
	matcher_lend(index->matcher);
	matcher_lock(index->matcher);
	graph = graph_of(index->trace);
	matcher_unlock(index->matcher);
	path = critical_path_of(graph);
	scene_put_path(scene, index->trace, path);
	critical_path_free(path);
	graph_free(graph);
}

static bool document(const struct gorge_options *o, struct trace_index *index, struct diag *diag)
{
	bool logical = o->view.order == ORDER_LOGICAL;
	bool asserts = !logical && has_assertions_of_intervals(index->trace->spec), done;
	struct violations *violations = asserts ? violations_new(index) : NULL;
	struct view view = o->view;
	struct scene *scene;

	if (logical) {
		struct trace_index *clocks = index;
		index = trace_index_logical(clocks);
		trace_index_free(clocks);
	}
	view.complete = true;
	view.violations = violations;
	scene = scene_build(&view, index, diag);
	add_path(o, scene, index);
	if (scene && scene->states)
		headline_add(scene, index);
	done = scene;
	if (scene && o->dump) {
		scene_dump(scene, stdout);
		scene_dump_drawn(scene, o->view.width, o->view.height, stdout);
	} else if (scene) {
		done = gorge_draw(o, scene, diag);
	}
	if (scene)
		scene_free(scene);
	violations_free(violations);
	trace_index_free(index);
	return done;
}

static bool page(const struct gorge_options *o, struct trace *trace, struct diag *diag)
{
	bool done = html_write(o->output, &o->view, trace, o->source.directories[0], diag);

	trace_close(trace);
	return done;
}

/* Tells whether the options have names that are those of several specifications. */
static bool is_unclear(const struct view *v, const struct spec *spec, struct diag *diag)
{
	bool events = has_ambiguous(spec, v->events, diag);

	return has_ambiguous(spec, v->intervals, diag) || events;
}

/* Nothing that the file of notes may have stops gorge. */
static void read_notes(struct gorge_options *o, const struct trace *trace, struct diag *diag)
{
	struct notes notes;
	char *why;

	o->view.notes = notes_file_read(o->source.directories[0], &why);
	if (why)
		fprintf(stderr, "%s: warning: %s\n", diag->program, why);
	free(why);
	notes = notes_read(o->view.notes, trace);
	for (size_t i = 0; i < notes.wrong.n; i++) {
		char *line = visible_text(notes.wrong.at[i]);

		fprintf(stderr, "%s: warning: notes.txt, %s\n", diag->program, line);
		free(line);
	}
	notes_free(&notes);
}

static bool gorge_run(struct gorge_options *o, struct browser *browser, struct replayer *replayer,
		      struct diag *diag)
{
	int format = o->output ? suffix_find(o->output, suffixes, diag) : 0;
	struct trace *trace;
	struct trace_index *index;

	if (format == HTML && o->flame >= 0) {
		diag_error(diag, DIAG_NOWHERE,
			   "--flame cannot write html; name an svg, png or pdf file with -o");
		return false;
	}
	if (format == HTML && o->path) {
		diag_error(diag, DIAG_NOWHERE,
			   "--path cannot write html; name an svg, png or pdf file with -o");
		return false;
	}
	if (format < 0 || (format == HTML && !html_check(diag)))
		return false;
	if (format == HTML && o->view.order == ORDER_LOGICAL) {
		diag_error(diag, DIAG_NOWHERE,
			   "an html file starts in real time, and the key y shows "
			   "the logical order; leave out --order");
		return false;
	}
	trace = reopen_trace(&o->source, o->source.spec, diag);
	if (!trace)
		return false;
	o->view.command = trace_command(trace);
	read_notes(o, trace, diag);
	if (is_unclear(&o->view, trace->spec, diag)) {
		trace_close(trace);
		return false;
	}
	if (o->flame >= 0)
		return gorge_flame(o, trace, diag);
	if (format == HTML && !o->dump)
		return page(o, trace, diag);
	index = trace_index_new(trace, diag);
	if (!index)
		return false;
	if (o->output || o->dump)
		return document(o, index, diag);
	return gorge_serve(&o->view, &o->source, o->beside ? &o->upper : NULL, o->once, browser,
			   replayer, index, diag);
}

/* Allows to put definitions from the page into temporary files, and to read logs again. */
static void allow_serving(struct confinement *c, const struct log_source *source)
{
	const char *temporary = getenv("TMPDIR");

	confine_allow(c, CONFINE_WRITE, temporary && *temporary ? temporary : "/tmp");
	/* notes.txt in the first directory, which is replaced by one beside it */
	confine_allow(c, CONFINE_WRITE, source->directories[0]);
	/* The file is read again with the logs of a program that runs; editors replace it. */
	if (source->follow && source->spec) {
		char *path = text_format("%s", source->spec);

		confine_allow(c, CONFINE_READ, dirname(path));
		free(path);
	}
}

/* Confines the program to the files that the command line names, and to what it draws with. */
static void gorge_confine(const void *options)
{
	const struct gorge_options *o = options;
	struct diag quiet = {.program = "gorge"};
	bool serves = !o->output && !o->dump;
	int format = o->output && !o->dump ? suffix_find(o->output, suffixes, &quiet) : -1;
	struct confinement c;

	if (format == FORMAT_PNG || format == FORMAT_PDF)
		paint_find_fonts();
	confine_begin(&c, (serves ? CONFINE_LISTENS : 0) | (o->source.follow ? CONFINE_ASKS : 0));
	confine_allow_trace(&c, o->source.directories, o->source.ndirectories, o->source.spec);
	confine_allow_symbols(&c, o->source.directories, o->source.ndirectories);
	if (o->beside) {
		confine_allow_trace(&c, o->upper.directories, 1, NULL);
		confine_allow_symbols(&c, o->upper.directories, 1);
	}
	if (serves)
		allow_serving(&c, &o->source);
	if (format >= 0) {
		confine_allow_fonts(&c);
		confine_allow_output(&c, o->output);
	}
	confine_end(&c);
}

int main(int argc, char **argv)
{
	struct gorge_options o = gorge_options_read(argc, argv);
	struct diag diag = {.out = stderr, .program = "gorge"};
	bool serves = !o.output && !o.dump, done;
	struct replayer *replayer;
	struct browser *browser;

	o.source.directories =
	    foreign_open(o.source.directories, o.source.ndirectories, o.source.spec, &diag);
	if (!o.source.directories)
		return 2;
	gorge_options_split(&o);
	replayer = serves ? replayer_start(&o.source, gorge_confine, &o) : NULL;
	browser = serves ? browser_prepare() : NULL;
	gorge_confine(&o);
	done = gorge_run(&o, browser, replayer, &diag);
	browser_end(browser); /* its process has inherited the replayer's socket */
	replayer_end(replayer);
	free((char *)o.view.command);
	free((char *)o.view.notes);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		diag_error(&diag, DIAG_NOWHERE, "cannot write to standard output");
		return 2;
	}
	return done ? 0 : 2;
}
