#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/wasm/payload_read.h"
#include "base/array.h"
#include "viewers/gorge/document/payload.h"
#include "viewers/gorge/wasm/reader.h"
#include "viewers/gorge/wasm/tables.h"
#include <stdlib.h>
#include <string.h>

/* ---- what was asked for ---- */

static char *read_list(struct reader *r)
{
	return read_number(r) ? read_text(r) : NULL;
}

static void read_view(struct reader *r, struct view *v)
{
	char *theme;

	v->has_from = read_number(r);
	v->window.from = read_signed(r);
	v->has_to = read_number(r);
	v->window.to = read_signed(r);
	v->title = read_list(r);
	v->threads = read_list(r);
	v->events = read_list(r);
	v->intervals = read_list(r);
	v->tracks = read_list(r);
	theme = read_text(r);
	v->theme = theme_find(theme);
	r->damaged |= !v->theme;
	free(theme);
	v->sort = (enum sort)read_number(r);
	v->flat = read_number(r);
}

/* ---- threads ---- */

static void read_threads(struct reader *r, struct trace *t)
{
	struct trace_thread *threads =
	    array_zero(t->nthreads = (unsigned)read_count(r), sizeof *threads);

	t->threads = threads;
	for (unsigned i = 0; i < t->nthreads; i++)
		threads[i] = (struct trace_thread){
			.number = (uint32_t)read_number(r), .name = read_text(r), .path = "",
			.process = (uint32_t)read_number(r), .tid = read_number(r),
			.events = read_number(r), .lost = read_number(r),
			.skipped = read_number(r), .first = read_signed(r),
			.last = read_signed(r),
		};
}

static void read_processes(struct reader *r, struct trace *t)
{
	struct trace_process *all =
	    array_zero(t->nprocesses = (unsigned)read_count(r), sizeof *all);

	t->processes = all;
	for (unsigned i = 0; i < t->nprocesses; i++)
		all[i] = (struct trace_process){
			.path = read_text(r), .program = read_text(r),
			.pid = (uint32_t)read_number(r),
			.first_thread = (uint32_t)read_number(r),
			.nthreads = (uint32_t)read_number(r),
		};
}

static const struct event_type *read_type(struct reader *r, const struct spec *spec)
{
	uint64_t n = read_number(r);

	return n && n <= spec->nevents ? spec->events[n - 1] : NULL;
}

static void read_gaps(struct reader *r, struct trace *t, const struct spec *spec)
{
	struct trace_gap *gaps = array_zero(t->ngaps = read_count(r), sizeof *gaps);

	t->gaps = gaps;
	for (size_t i = 0; i < t->ngaps; i++)
		gaps[i] = (struct trace_gap){
			.kind = (enum gap_kind)read_number(r), .type = read_type(r, spec),
			.thread = (uint32_t)read_number(r), .from = read_signed(r),
			.to = read_signed(r),
		};
}

static void read_trace(struct reader *r, struct trace *t, const struct spec *spec)
{
	t->events = read_number(r);
	t->origin = read_signed(r);
	t->origin_real = read_signed(r);
	t->duration = read_signed(r);
	t->lost = read_number(r);
	read_threads(r, t);
	read_processes(r, t);
	read_gaps(r, t, spec);
}

/* ---- all of it ---- */

static bool read_magic(struct reader *r)
{
	char *magic = read_text(r);
	bool same = !strcmp(magic, PAYLOAD_MAGIC);

	free(magic);
	return same;
}

/* Each interval's are read when they are asked for; this finds where they stand. */
static void find_instances(struct reader *r, struct trace *t)
{
	struct stored *s = (struct stored *)t;

	s->found = array_zero(t->spec->nintervals, sizeof *s->found);
	for (unsigned i = 0; i < t->spec->nintervals; i++) {
		s->found[i] = *r;
		matches_free(instances_read(r, t, t->spec->intervals[i]));
	}
}

static void read_tables(struct reader *r, struct payload *p, const struct trace *like,
			struct spec *spec, struct diag *diag)
{
	struct trace *t;

	p->events = array_zero(p->logged->nevents, sizeof *p->events);
	for (unsigned i = 0; i < p->logged->nevents; i++)
		events_read(r, p->logged->events[i], like, &p->events[i]);
	t = stored_new(like, spec, p->logged, p->events, diag);
	find_instances(r, t);
	p->index = trace_index_new(t, diag);
}

bool payload_read(struct payload *p, const unsigned char *bytes, size_t size, struct diag *diag)
{
	struct reader r = {.at = bytes, .end = bytes + size};
	struct trace like = {0};
	struct spec *spec;
	char *text;

	*p = (struct payload){.view = {.width = 1200}};
	if (!read_magic(&r))
		return false;
	read_view(&r, &p->view);
	p->whole = read_number(&r);
	text = read_text(&r);
	p->logged = spec_parse("definitions", text, diag);
	spec = spec_parse("definitions", text, diag);
	free(text);
	if (!spec)
		return false;
	read_trace(&r, &like, p->logged);
	read_tables(&r, p, &like, spec, diag);
	return !r.damaged;
}
