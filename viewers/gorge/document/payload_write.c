#include "base/array.h"
#include "viewers/gorge/document/payload.h"
#include "viewers/gorge/document/payload_bytes.h"
#include "viewers/gorge/document/payload_columns.h"
#include <libgen.h>
#include <stdlib.h>

/* ---- what was asked for ---- */

static void put_list(FILE *out, const char *list)
{
	payload_number(out, list != NULL);
	if (list)
		payload_text(out, list);
}

static void put_view(FILE *out, const struct view *v)
{
	payload_number(out, v->has_from);
	payload_signed(out, v->window.from);
	payload_number(out, v->has_to);
	payload_signed(out, v->window.to);
	put_list(out, v->title);
	put_list(out, v->threads);
	put_list(out, v->events);
	put_list(out, v->intervals);
	put_list(out, v->tracks);
	payload_text(out, v->theme->name);
	payload_number(out, v->sort);
	payload_number(out, v->flat);
}

/* ---- threads ---- */

static void put_threads(FILE *out, const struct trace *t)
{
	payload_number(out, t->nthreads);
	for (unsigned i = 0; i < t->nthreads; i++) {
		const struct trace_thread *thread = &t->threads[i];
		payload_number(out, thread->number);
		payload_text(out, thread->name);
		payload_number(out, thread->process);
		payload_number(out, thread->tid);
		payload_number(out, thread->events);
		payload_number(out, thread->lost);
		payload_number(out, thread->skipped);
		payload_signed(out, thread->first);
		payload_signed(out, thread->last);
	}
}

/* Of a directory the name alone: where it lay is nobody's business. */
static void put_processes(FILE *out, const struct trace *t)
{
	payload_number(out, t->nprocesses);
	for (unsigned i = 0; i < t->nprocesses; i++) {
		char *path = text_format("%s", t->processes[i].path);
		payload_text(out, basename(path));
		free(path);
		payload_text(out, t->processes[i].program);
		payload_number(out, t->processes[i].pid);
		payload_number(out, t->processes[i].first_thread);
		payload_number(out, t->processes[i].nthreads);
	}
}

static void put_gaps(FILE *out, const struct trace *t)
{
	payload_number(out, t->ngaps);
	for (size_t i = 0; i < t->ngaps; i++) {
		const struct trace_gap *gap = &t->gaps[i];
		payload_number(out, gap->kind);
		payload_number(out, gap->type ? gap->type->index + 1 : 0);
		payload_number(out, gap->thread);
		payload_signed(out, gap->from);
		payload_signed(out, gap->to);
	}
}

static void put_trace(FILE *out, const struct trace *t)
{
	payload_text(out, t->spec->text);
	payload_number(out, t->events);
	payload_signed(out, t->origin);
	payload_signed(out, t->origin_real);
	payload_signed(out, t->duration);
	payload_number(out, t->lost);
	put_threads(out, t);
	put_processes(out, t);
	put_gaps(out, t);
}

void payload_write(const struct trace_slice *x, const struct view *v, struct trace *t, FILE *out)
{
	const struct spec *spec = t->spec;

	payload_text(out, PAYLOAD_MAGIC);
	put_view(out, v);
	payload_number(out, x->whole);
	put_trace(out, t);
	for (unsigned i = 0; i < spec->nevents; i++)
		payload_events(out, x, t, spec->events[i]);
	for (unsigned i = 0; i < spec->nintervals; i++)
		payload_instances(out, x, t, spec->intervals[i]);
}
