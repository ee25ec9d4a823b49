/* What the page learns first: what there is, and what of it is shown. */
#include "viewers/gorge/build/build.h"
#include "viewers/gorge/server/session.h"
#include <stdlib.h>

static void write_entry(struct json *j, const char *name, bool shown)
{
	json_object(j, NULL);
	json_string(j, "name", name);
	json_bool(j, "shown", shown);
	json_close(j);
}

static void write_names(const struct choice *c, const struct spec *spec, struct json *j)
{
	json_array(j, "events");
	for (unsigned i = 0; i < spec->nevents; i++)
		write_entry(j, spec->events[i]->name, c->events[i]);
	json_close(j);
	json_array(j, "intervals");
	for (unsigned i = 0; i < spec->nintervals; i++)
		write_entry(j, spec->intervals[i]->name, c->intervals[i]);
	json_close(j);
}

static void write_threads(const struct choice *c, const struct trace *t, struct json *j)
{
	json_array(j, "threads");
	for (unsigned i = 0; i < t->nthreads; i++) {
		json_object(j, NULL);
		json_uint(j, "number", t->threads[i].number);
		json_string(j, "name", t->threads[i].name);
		json_uint(j, "process", t->threads[i].process);
		json_uint(j, "events", t->threads[i].events);
		json_int(j, "first", t->threads[i].first);
		json_int(j, "last", t->threads[i].last);
		json_bool(j, "shown", c->threads[i]);
		json_close(j);
	}
	json_close(j);
}

static void write_processes(const struct trace *t, struct json *j)
{
	json_array(j, "processes");
	for (unsigned i = 0; i < t->nprocesses; i++) {
		json_object(j, NULL);
		json_string(j, "path", t->processes[i].path);
		json_string(j, "program", t->processes[i].program);
		json_uint(j, "pid", t->processes[i].pid);
		json_uint(j, "first", t->processes[i].first_thread);
		json_uint(j, "threads", t->processes[i].nthreads);
		json_close(j);
	}
	json_close(j);
}

static void write_window(const struct view *v, struct json *j)
{
	if (v->has_from)
		json_int(j, "from", v->window.from);
	if (v->has_to)
		json_int(j, "to", v->window.to);
}

struct reply answer_start(struct session *s, const struct http_request *a)
{
	const struct view *v = &s->options->view;
	const struct trace *t = s->index->trace;
	struct choice chosen = choice_new(v, t, &(struct diag){0});
	struct reply_stream w;
	struct json json = json_begin(reply_begin(&w), 1), *j = &json;

	(void)a;
	json_object(j, NULL);
	json_int(j, "duration", t->duration);
	json_uint(j, "count", t->events);
	json_string(j, "theme", v->theme->name);
	json_bool(j, "followed", s->options->follow);
	json_string(j, "spec", t->spec->text);
	json_uint(j, "redefined", s->redefined);
	write_names(&chosen, t->spec, j);
	write_threads(&chosen, t, j);
	write_processes(t, j);
	json_string(j, "sort", sort_name(v->sort));
	json_string(j, "tracks", v->tracks ? v->tracks : "");
	json_bool(j, "flat", v->flat);
	write_window(v, j);
	json_close(j);
	choice_free(&chosen);
	return reply_end(&w, "application/json");
}
