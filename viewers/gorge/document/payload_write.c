#include "base/array.h"
#include "viewers/gorge/document/payload.h"
#include "viewers/gorge/document/payload_bytes.h"
#include "viewers/gorge/document/payload_columns.h"
#include <libgen.h>
#include <stdlib.h>

/* ---- what was asked for ---- */

static void put_list(FILE *out, const char *list)
{
	parcel_number(out, list != NULL);
	if (list)
		parcel_text(out, list);
}

static void put_view(FILE *out, const struct view *v)
{
	parcel_number(out, v->has_from);
	parcel_signed(out, v->window.from);
	parcel_number(out, v->has_to);
	parcel_signed(out, v->window.to);
	put_list(out, v->title);
	put_list(out, v->threads);
	put_list(out, v->events);
	put_list(out, v->intervals);
	put_list(out, v->tracks);
	parcel_text(out, v->theme->name);
	parcel_number(out, v->sort);
	parcel_number(out, v->flat);
}

/* ---- threads ---- */

static void put_threads(FILE *out, const struct trace *t)
{
	parcel_number(out, t->nthreads);
	for (unsigned i = 0; i < t->nthreads; i++) {
		const struct trace_thread *thread = &t->threads[i];
		parcel_number(out, thread->number);
		parcel_text(out, thread->name);
		parcel_number(out, thread->process);
		parcel_number(out, thread->tid);
		parcel_number(out, thread->events);
		parcel_number(out, thread->lost);
		parcel_number(out, thread->skipped);
		parcel_signed(out, thread->first);
		parcel_signed(out, thread->last);
	}
}

/* Of a directory the name alone: where it lay is nobody's business. */
static void put_processes(FILE *out, const struct trace *t)
{
	parcel_number(out, t->nprocesses);
	for (unsigned i = 0; i < t->nprocesses; i++) {
		char *path = text_format("%s", t->processes[i].path);
		parcel_text(out, basename(path));
		free(path);
		parcel_text(out, t->processes[i].program);
		parcel_number(out, t->processes[i].pid);
		parcel_number(out, t->processes[i].first_thread);
		parcel_number(out, t->processes[i].nthreads);
	}
}

static void put_gaps(FILE *out, const struct trace *t)
{
	parcel_number(out, t->ngaps);
	for (size_t i = 0; i < t->ngaps; i++) {
		const struct trace_gap *gap = &t->gaps[i];
		parcel_number(out, gap->kind);
		parcel_number(out, gap->type ? gap->type->index + 1 : 0);
		parcel_number(out, gap->thread);
		parcel_signed(out, gap->from);
		parcel_signed(out, gap->to);
	}
}

static void put_trace(FILE *out, const struct trace *t)
{
	parcel_text(out, t->spec->text);
	parcel_number(out, t->events);
	parcel_signed(out, t->origin);
	parcel_signed(out, t->origin_real);
	parcel_signed(out, t->duration);
	parcel_number(out, t->lost);
	put_threads(out, t);
	put_processes(out, t);
	put_gaps(out, t);
}

void parcel_write(const struct excerpt *x, const struct view *v, struct trace *t, FILE *out)
{
	const struct spec *spec = t->spec;

	parcel_text(out, PARCEL_MAGIC);
	put_view(out, v);
	parcel_number(out, x->whole);
	put_trace(out, t);
	for (unsigned i = 0; i < spec->nevents; i++)
		parcel_events(out, x, t, spec->events[i]);
	for (unsigned i = 0; i < spec->nintervals; i++)
		parcel_instances(out, x, t, spec->intervals[i]);
}
