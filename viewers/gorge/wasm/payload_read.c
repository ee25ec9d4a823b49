#include "viewers/gorge/wasm/payload_read.h"
#include "analysis/flame/time_window_store.h"
#include "base/array.h"
#include "match/join/candidate_filter.h"
#include "trace/format/bytes.h"
#include "trace/label.h"
#include "viewers/gorge/document/payload.h"
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/wasm/stored.h"
#include <stdlib.h>
#include <string.h>

/* Reads the instances that are stored, as matching would miss events in a slice. */
struct matches *__wrap_match_interval(struct trace *t, const struct interval *interval);
struct matches *__real_match_interval(struct trace *t, const struct interval *interval);

/* ---- numbers and texts ---- */

struct payload_reader {
	const unsigned char *at, *end;
	bool damaged;               /* something is missing; zeros were read for it */
	VECTOR(const char *) texts; /* of code and objects, in the order of their numbers */
};

static uint64_t read_number(struct payload_reader *r)
{
	uint64_t n;

	if (varint_read(&r->at, r->end, &n))
		return n;
	r->damaged = true;
	return 0;
}

static int64_t read_signed(struct payload_reader *r)
{
	return (int64_t)zigzag_decode(read_number(r));
}

static size_t read_count(struct payload_reader *r)
{
	uint64_t n = read_number(r);

	if (n <= (uint64_t)(r->end - r->at))
		return (size_t)n;
	r->damaged = true;
	return 0;
}

static const unsigned char *read_bytes(struct payload_reader *r, size_t *n)
{
	const unsigned char *bytes;

	*n = read_count(r);
	bytes = r->at;
	r->at += *n;
	return bytes;
}

static char *read_text(struct payload_reader *r)
{
	size_t n;
	const unsigned char *bytes = read_bytes(r, &n);
	char *text = array_zero(n + 1, 1);

	memcpy(text, bytes, n);
	return text;
}

static uint64_t read_step(struct payload_reader *r, uint64_t *before)
{
	return *before += (uint64_t)read_signed(r);
}

/* ---- where the events are ---- */

static void read_column(struct payload_reader *r, uint64_t *column, size_t n)
{
	uint64_t before = 0;

	for (size_t i = 0; i < n; i++)
		column[i] = read_step(r, &before);
}

/*
 * Reads indices of threads, of which numbers are kept; then sequence numbers, which count within a
 * thread.
 */
static void read_places(struct payload_reader *r, const struct trace *t, struct stored_events *s)
{
	uint64_t *before = array_zero(t->nthreads, sizeof *before),
		 *index = array_zero(s->count, sizeof *index);

	read_column(r, index, s->count);
	for (size_t i = 0; i < s->count; i++) {
		r->damaged |= index[i] >= t->nthreads;
		index[i] = index[i] < t->nthreads ? index[i] : 0;
		s->threads[i] = t->threads[index[i]].number;
	}
	for (size_t i = 0; i < s->count; i++)
		s->seqs[i] = read_step(r, &before[index[i]]);
	free(before);
	free(index);
}

/* ---- their records ---- */

/* All columns are read before the records are made. */
struct attribute_values {
	uint64_t *numbers; /* of strings: lengths */
	const unsigned char **strings;
};

static void read_values(struct payload_reader *r, const struct attribute *a, size_t n,
			struct attribute_values *v)
{
	uint64_t before = 0;
	size_t length;

	v->numbers = array_zero(n, sizeof *v->numbers);
	v->strings = a->type == TYPE_STRING ? array_zero(n, sizeof *v->strings) : NULL;
	for (size_t i = 0; i < n; i++) {
		if (a->type == TYPE_STRING) {
			v->strings[i] = read_bytes(r, &length);
			v->numbers[i] = length;
		} else if (a->type == TYPE_DOUBLE) {
			v->numbers[i] = before ^= __builtin_bswap64(read_number(r));
		} else {
			v->numbers[i] = read_step(r, &before);
		}
	}
}

static size_t padded(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

static size_t sizes_set(const struct event_type *type, const struct attribute_values *v,
			struct stored_events *s)
{
	size_t size = 0;

	for (size_t i = 0; i < s->count; i++) {
		s->offsets[i] = (uint32_t)size;
		size += type->fixed_size;
		for (unsigned a = 0; a < type->nattributes; a++)
			if (v[a].strings)
				size += 4 + padded(v[a].numbers[i]);
	}
	return size;
}

/* Makes a record: both machines are little-endian. */
static void record_set(const struct event_type *type, const struct attribute_values *v, size_t i,
		       unsigned char *record)
{
	unsigned char *at = record + type->fixed_size;

	write_32(record, (uint32_t)i);
	for (unsigned a = 0; a < type->nattributes; a++) {
		const struct attribute *attribute = &type->attributes[a];
		if (!v[a].strings) {
			memcpy(record + attribute->offset, &v[a].numbers[i],
			       type_size(attribute->type));
			continue;
		}
		memcpy(at, &v[a].numbers[i], 4);
		memcpy(at + 4, v[a].strings[i], v[a].numbers[i]);
		at += 4 + padded(v[a].numbers[i]);
	}
}

/* Returns the texts of an attribute, by event. */
static const char **read_address_texts(struct payload_reader *r, size_t n)
{
	const char **texts = array_zero(n, sizeof *texts);

	for (size_t i = 0; i < n; i++) {
		uint64_t number = read_number(r);

		if (number == r->texts.n)
			*vector_add(&r->texts) = read_text(r);
		r->damaged |= number >= r->texts.n;
		texts[i] = number < r->texts.n ? r->texts.at[number] : "";
	}
	return texts;
}

static void read_records(struct payload_reader *r, const struct event_type *type,
			 struct stored_events *s)
{
	struct attribute_values *v = array_zero(type->nattributes, sizeof *v);

	s->texts = array_zero(type->nattributes, sizeof *s->texts);
	for (unsigned a = 0; a < type->nattributes; a++) {
		read_values(r, &type->attributes[a], s->count, &v[a]);
		if (type_is_symbolic(type->attributes[a].type))
			s->texts[a] = read_address_texts(r, s->count);
	}
	s->records = array_zero(sizes_set(type, v, s), 1);
	for (size_t i = 0; i < s->count; i++)
		record_set(type, v, i, s->records + s->offsets[i]);
	for (unsigned a = 0; a < type->nattributes; a++) {
		free(v[a].numbers);
		free(v[a].strings);
	}
	free(v);
}

static void events_read(struct payload_reader *r, const struct event_type *type,
			const struct trace *t, struct stored_events *s)
{
	size_t n = s->count = read_count(r);

	s->times = array_zero(n, sizeof *s->times);
	s->ranks = array_zero(n, sizeof *s->ranks);
	s->seqs = array_zero(n, sizeof *s->seqs);
	s->threads = array_zero(n, sizeof *s->threads);
	s->offsets = array_zero(n, sizeof *s->offsets);
	read_column(r, (uint64_t *)s->times, n);
	read_column(r, s->ranks, n);
	read_places(r, t, s);
	read_records(r, type, s);
}

/* ---- instances ---- */

static struct moments moments_all(struct trace *t, const struct interval_end *end)
{
	const struct event_list *list = trace_events(t, end_event(end));

	return (struct moments){.trace = t, .count = event_list_size(list), .list = list};
}

/* Reads a place among the moments; anything beyond is damage. */
static size_t read_place(struct payload_reader *r, uint64_t *before, const struct moments *m)
{
	uint64_t place = read_step(r, before);

	if (place < m->count)
		return (size_t)place;
	r->damaged = true;
	return 0;
}

static struct matches *instances_read(struct payload_reader *r, struct trace *t,
				      const struct interval *interval)
{
	struct moments anchors = moments_all(t, &interval->anchor);
	struct moments partners = moments_all(t, &interval->partner);
	uint64_t anchor = 0, partner = 0;
	size_t n = read_count(r);
	struct matches *m;

	anchors.pick = array_zero(n, sizeof *anchors.pick);
	for (size_t i = 0; i < n; i++)
		anchors.pick[i] = (uint32_t)read_place(r, &anchor, &anchors);
	anchors.count = n;
	m = matches_new(interval, anchors, partners);
	for (size_t i = 0; i < n; i++)
		if (read_number(r))
			m->partner_of[i] = read_place(r, &partner, &partners);
	matches_count(m);
	return m;
}

/* In a slice, matching would miss events: the instances are stored. */
struct matches *__wrap_match_interval(struct trace *t, const struct interval *interval)
{
	const struct stored *s = (const struct stored *)t;
	struct payload_reader r;

	if (!s->instances)
		return __real_match_interval(t, interval);
	r = s->instances[interval->index];
	return instances_read(&r, t, interval);
}

/* Nothing is sieved: the lists are there. */
void match_intervals(struct trace *t, const struct interval *const *intervals, unsigned n,
		     struct matches **found)
{
	for (unsigned i = 0; i < n; i++)
		found[i] = match_interval(t, intervals[i]);
}

/* ---- what was asked for ---- */

static char *read_list(struct payload_reader *r)
{
	return read_number(r) ? read_text(r) : NULL;
}

static void read_view(struct payload_reader *r, struct view *v)
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
	v->lanes = read_list(r);
	theme = read_text(r);
	v->theme = theme_find(theme);
	r->damaged |= !v->theme;
	free(theme);
	v->sort = (enum sort)read_number(r);
	v->group = (enum grouping)read_number(r);
	v->fold = read_list(r);
	v->open = read_list(r);
	v->notes = read_list(r);
	r->damaged |= v->group > GROUP_NONE;
}

/* ---- threads ---- */

static struct trace_thread *read_threads(struct payload_reader *r, struct trace *t)
{
	struct trace_thread *threads =
	    array_zero(t->nthreads = (unsigned)read_count(r), sizeof *threads);

	t->threads = threads;
	for (unsigned i = 0; i < t->nthreads; i++)
		threads[i] = (struct trace_thread){
		    .number = (uint32_t)read_number(r),
		    .name = read_text(r),
		    .owner = read_text(r),
		    .path = "",
		    .process = (uint32_t)read_number(r),
		    .tid = read_number(r),
		    .events = read_number(r),
		    .lost = read_number(r),
		    .skipped = read_number(r),
		    .first = read_signed(r),
		    .last = read_signed(r),
		};
	labels_make(threads, t->nthreads);
	return threads;
}

static void read_processes(struct payload_reader *r, struct trace *t, struct trace_thread *threads)
{
	struct trace_process *all =
	    array_zero(t->nprocesses = (unsigned)read_count(r), sizeof *all);

	t->processes = all;
	for (unsigned i = 0; i < t->nprocesses; i++)
		all[i] = (struct trace_process){
		    .path = read_text(r),
		    .program = read_text(r),
		    .pid = (uint32_t)read_number(r),
		    .first_thread = (uint32_t)read_number(r),
		    .nthreads = (uint32_t)read_number(r),
		};
	for (uint32_t i = 0; i < t->nprocesses; i++)
		for (uint32_t k = all[i].first_thread;
		     k < t->nthreads && k - all[i].first_thread < all[i].nthreads; k++)
			threads[k].directory = i;
}

static const struct event_type *read_type(struct payload_reader *r, const struct spec *spec)
{
	uint64_t n = read_number(r);

	return n && n <= spec->nevents ? spec->events[n - 1] : NULL;
}

static void read_gaps(struct payload_reader *r, struct trace *t, const struct spec *spec)
{
	struct trace_gap *gaps = array_zero(t->ngaps = read_count(r), sizeof *gaps);

	t->gaps = gaps;
	for (size_t i = 0; i < t->ngaps; i++)
		gaps[i] = (struct trace_gap){
		    .kind = (enum gap_kind)read_number(r),
		    .type = read_type(r, spec),
		    .thread = (uint32_t)read_number(r),
		    .from = read_signed(r),
		    .to = read_signed(r),
		};
}

static void read_trace(struct payload_reader *r, struct trace *t, const struct spec *spec)
{
	struct trace_thread *threads;

	t->events = read_number(r);
	t->origin = read_signed(r);
	t->origin_real = read_signed(r);
	t->duration = read_signed(r);
	t->lost = read_number(r);
	stored_losses = read_text(r);
	threads = read_threads(r, t);
	read_processes(r, t, threads);
	read_gaps(r, t, spec);
}

/* ---- what was found ---- */

/* Reads the number of a thread, from 1; 0 is none. */
static uint32_t read_thread(struct payload_reader *r, const struct trace *t)
{
	uint64_t n = read_number(r);

	r->damaged |= n > t->nthreads;
	return n && n <= t->nthreads ? (uint32_t)n - 1 : NO_THREAD;
}

static void read_kind(struct payload_reader *r, struct path_piece *p)
{
	uint64_t n = read_number(r);

	r->damaged |= n >> 4 > PATH_NOBODY || (n & 15) >= NACTIVITIES;
	p->kind = n >> 4 & 3;
	p->activity = (n & 15) < NACTIVITIES ? n & 15 : 0;
	p->role = NO_ROLE;
}

/* Reads pieces, which have no gap. */
static struct critical_path *read_path(struct payload_reader *r, const struct trace *t)
{
	struct critical_path *path = array_zero(1, sizeof *path);
	size_t n = path->n = read_count(r);
	int64_t time = read_signed(r);

	path->pieces = array_zero(n, sizeof *path->pieces);
	for (size_t i = 0; i < n; i++) {
		path->pieces[i].from = time;
		path->pieces[i].to = time += (int64_t)read_number(r);
	}
	for (size_t i = 0; i < n; i++)
		read_kind(r, &path->pieces[i]);
	for (size_t i = 0; i < n; i++)
		path->pieces[i].thread = read_thread(r, t);
	for (size_t i = 0; i < n; i++)
		path->pieces[i].other = read_thread(r, t);
	return path;
}

static void read_stacks(struct payload_reader *r, struct trace *t, struct stored_results *f)
{
	f->depths = array_zero(t->nthreads, sizeof *f->depths);
	for (unsigned i = 0; i < t->nthreads; i++)
		f->depths[i] = (struct stack_depth){
		    .depth = (unsigned)read_number(r),
		    .usual = (unsigned)read_number(r),
		    .common = (unsigned)read_number(r),
		    .first = (unsigned)read_number(r),
		    .telling = (unsigned)read_number(r),
		};
	f->times = time_window_read(t, &r->at, r->end);
	r->damaged |= !f->times;
}

static void read_found(struct payload_reader *r, struct payload *p)
{
	struct stored *s = (struct stored *)p->index->trace;
	struct stored_results *f = &p->found;
	bool has_path;

	read_stacks(r, &p->trace, f);
	has_path = read_number(r);
	f->why = read_text(r);
	f->headline = read_text(r);
	f->path = has_path ? read_path(r, &p->trace) : NULL;
	s->found = f;
}

/* ---- all of it ---- */

static bool read_magic(struct payload_reader *r)
{
	char *magic = read_text(r);
	bool same = !strcmp(magic, PAYLOAD_MAGIC);

	free(magic);
	return same;
}

/* Instances are read when they are asked for; this finds where those of each interval are. */
static void find_instances(struct payload_reader *r, struct trace *t)
{
	struct stored *s = (struct stored *)t;

	s->instances = array_zero(t->spec->nintervals, sizeof *s->instances);
	for (unsigned i = 0; i < t->spec->nintervals; i++) {
		s->instances[i] = *r;
		matches_free(instances_read(r, t, t->spec->intervals[i]));
	}
}

static void read_tables(struct payload_reader *r, struct payload *p, const struct trace *like,
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
	struct payload_reader r = {.at = bytes, .end = bytes + size};
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
	p->trace.spec = p->logged;
	read_trace(&r, &p->trace, p->logged);
	read_tables(&r, p, &p->trace, spec, diag);
	read_found(&r, p);
	return !r.damaged;
}
