#include "viewers/gorge/query/wait_detail.h"
#include "analysis/activity/roles.h"
#include "base/array.h"
#include "spec/layout.h"
#include "trace/address.h"
#include "viewers/gorge/index/object_index.h"
#include "viewers/gorge/query/lookup.h"
#include <stdlib.h>

/* So long is waited for each of what may still be being found: waits, causes and objects. */
enum { PATIENCE_MS = 10 };
/* ETIMEDOUT of the system that is recorded. */
enum { TIMED_OUT = 110 };

static bool is_wait(const struct role *r)
{
	return r->kind == KIND_WAIT || r->kind == KIND_SPIN || r->kind == KIND_IO;
}

/* Whether both ends are events, as those of all that has a role are. */
static bool has_role(const struct interval *i)
{
	return !i->anchor.interval && !i->partner.interval;
}

/* A wait, and what was found so far. */
struct wait_detail {
	struct trace_index *index;
	struct json *json;
	const struct interval *interval;
	struct role role;
	size_t number; /* its index */
	struct instance wait;
	uint32_t thread; /* index in the trace's threads */
	bool searching;  /* something is not found yet */
};

/*
 * Returns the instances of an interval, to be given back by trace_index_used(); NULL: not found
 * yet.
 */
static const struct instances *instances_now(struct wait_detail *d, const struct interval *interval)
{
	if (matcher_get(d->index->matcher, interval))
		return trace_index_use(d->index, interval);
	d->searching = true;
	return NULL;
}

/* Lets what is wanted be found, for a while. */
static void wanted_await(struct wait_detail *d, bool (*wanted)(const struct role *r))
{
	const struct spec *spec = d->index->trace->spec;
	bool *intervals = array_zero(spec->nintervals + 1, sizeof *intervals);

	for (unsigned i = 0; i < spec->nintervals; i++) {
		struct role r;

		if (!has_role(spec->intervals[i]))
			continue;
		r = role_of(spec->intervals[i]);
		intervals[i] = wanted(&r);
	}
	matcher_wait(d->index->matcher, intervals, PATIENCE_MS);
	free(intervals);
}

static const struct event *earlier_of(const struct wait_detail *d)
{
	bool backwards = d->interval->direction == BACKWARDS;

	return backwards && d->wait.partner.record ? &d->wait.partner : &d->wait.anchor;
}

static const struct event *later_of(const struct wait_detail *d)
{
	return d->interval->direction == BACKWARDS ? &d->wait.anchor : &d->wait.partner;
}

/* ---- the wait around a time ---- */

struct innermost_wait {
	const struct instances *instances;
	int64_t start; /* of the innermost so far */
	event_id anchor;
	const struct interval *interval;
};

static void covering_take(void *context, const struct spans *s, size_t i, int64_t start)
{
	struct innermost_wait *c = context;

	if (c->interval && start < c->start)
		return;
	c->start = start;
	c->interval = c->instances->interval;
	c->anchor = instances_anchor(c->instances, s, i);
}

/*
 * Looks among the instances of one interval for the innermost one of the thread that goes on after
 * a time.
 */
static void covering_look(struct innermost_wait *c, const struct trace_index *m, uint32_t thread,
			  int64_t time)
{
	const struct thread_spans *w = &c->instances->within[thread];
	struct spans_moment after = {time + 1, event_index_seek(m->events, thread, time + 1)};

	for (size_t row = 0; row < w->rows.n; row++) {
		const struct spans *s = &w->rows.at[row];

		spans_reaching(s, m->events, spans_find(s, after.unit), after, covering_take, c);
	}
}

/* Sets the wait to the innermost one of the thread at the time; false: there is none. */
static bool covering_find(struct wait_detail *d, int64_t time)
{
	const struct spec *spec = d->index->trace->spec;
	struct innermost_wait c = {0};

	wanted_await(d, is_wait);
	for (unsigned i = 0; i < spec->nintervals; i++) {
		struct role r;

		if (!has_role(spec->intervals[i]))
			continue;
		r = role_of(spec->intervals[i]);
		if (!is_wait(&r) || !(c.instances = instances_now(d, spec->intervals[i])))
			continue;
		covering_look(&c, d->index, d->thread, time);
		trace_index_used();
	}
	if (!c.interval)
		return false;
	d->interval = c.interval;
	d->role = role_of(c.interval);
	d->number = lookup_id(d->index, c.anchor);
	return lookup_instance(d->index, c.interval, d->number, &d->wait);
}

/* ---- who ended it ---- */

static bool is_cause(const struct role *r)
{
	return r->kind == KIND_CAUSE;
}

static bool timed_out(const struct event *e)
{
	int error = e->type->errno_attribute;

	return error >= 0 && record_value(e->type, (unsigned)error, e->record).integer == TIMED_OUT;
}

/* Of several causes the last one let the thread go on; it came from another one during the wait. */
static bool cause_find(struct wait_detail *d, event_id end, event_id *cause)
{
	const struct spec *spec = d->index->trace->spec;
	int64_t last = d->wait.start - 1;
	bool known = false;

	wanted_await(d, is_cause);
	for (unsigned i = 0; i < spec->nintervals; i++) {
		const struct instances *n;
		struct found_instance f;
		struct role r;

		if (!has_role(spec->intervals[i]))
			continue;
		r = role_of(spec->intervals[i]);
		if (!is_cause(&r) || r.end.event != later_of(d)->type ||
		    !(n = instances_now(d, spec->intervals[i])))
			continue;
		if (instances_find_later(n, end, &f) && f.start > last) {
			event_id early = r.interval->direction == BACKWARDS ? f.partner : f.anchor;

			if (event_id_thread(early) != d->thread) {
				known = true;
				last = f.start;
				*cause = early;
			}
		}
		trace_index_used();
	}
	return known;
}

static void thread_write(const struct trace *t, uint32_t thread, struct json *j)
{
	json_uint(j, "thread", t->threads[thread].number);
	json_string(j, "label", t->threads[thread].label);
}

/* Writes where an event was called, if that is known. */
static void site_write(const struct trace *t, const struct event *e, const struct role_end *end,
		       struct json *j)
{
	char buffer[ADDRESS_TEXT];

	if (end->code[0] >= 0)
		json_string(j, "at", address_text(t, buffer, e, (unsigned)end->code[0]));
}

static void ended_write(struct wait_detail *d)
{
	const struct trace *t = d->index->trace;
	struct role_end end;
	const char *until;
	event_id cause;
	struct event e;

	if (!later_of(d)->record)
		return;
	until = timed_out(later_of(d)) ? "a timer" : NULL;
	if (!until && cause_find(d, event_index_id(d->index->events, later_of(d)), &cause) &&
	    event_index_event(d->index->events, cause, &e)) {
		end = role_end_of(e.type, -1);
		json_object(d->json, "ended");
		thread_write(t, event_id_thread(cause), d->json);
		json_string(d->json, "event", e.type->name);
		json_int(d->json, "time", e.time);
		json_uint(d->json, "index", lookup_id(d->index, cause));
		site_write(t, &e, &end, d->json);
		json_close(d->json);
		return;
	}
	if (!until)
		until = d->interval->until;
	if (until)
		json_string(d->json, "until", until);
}

/* ---- who held it ---- */

struct object_holder {
	struct object_index *index;
	uint32_t waiter;
	const struct traced_object *object;
	const struct object_span *span; /* that began last */
};

static void holder_take(void *context, const struct traced_object *o, size_t i)
{
	struct object_holder *h = context;
	const struct object_span *s = &o->spans.at[i];

	if (object_holds(h->index, s) && s->thread != h->waiter)
		h->span = s;
}

/* Writes who held the object when the wait began, as far as somebody did. */
static void held_write(struct wait_detail *d)
{
	const struct event *start = earlier_of(d);
	struct object_holder h = {.waiter = d->thread};
	event_id anchor;

	h.index = trace_index_objects(d->index, PATIENCE_MS);
	if (!h.index) {
		d->searching = true;
		return;
	}
	h.object = object_index_find(h.index, d->thread, start, d->role.start.object);
	if (h.object)
		object_reaching(h.object, object_seek(h.object, start->time + 1), start->time + 1,
				holder_take, &h);
	if (!h.span || !object_anchor(h.index, d->index, h.span, &anchor))
		return;
	json_object(d->json, "held");
	thread_write(d->index->trace, h.span->thread, d->json);
	json_string(d->json, "interval", h.index->roles.at[h.span->role].interval->name);
	json_uint(d->json, "index", lookup_id(d->index, anchor));
	json_close(d->json);
}

/* ---- all ---- */

static void wait_write(struct wait_detail *d)
{
	const struct trace *t = d->index->trace;
	const struct event *start = earlier_of(d);
	char buffer[ADDRESS_TEXT];
	int object = d->role.start.object;

	json_object(d->json, "wait");
	json_string(d->json, "interval", d->interval->name);
	json_string(d->json, "name", style_label(&d->interval->style, d->interval->name));
	json_uint(d->json, "index", d->number);
	if (object >= 0 && type_is_address(start->type->attributes[object].type)) {
		json_string(d->json, "for", address_text(t, buffer, start, (unsigned)object));
		held_write(d);
	}
	site_write(t, start, &d->role.start, d->json);
	ended_write(d);
	if (d->searching)
		json_bool(d->json, "searching", true);
	json_close(d->json);
}

void wait_detail_write(struct trace_index *m, const struct interval *interval, size_t index,
		       const struct instance *i, struct json *j)
{
	struct wait_detail d = {
	    .index = m, .json = j, .interval = interval, .number = index, .wait = *i};

	if (!has_role(interval) || event_index_order(m->events) || !i->partner.record)
		return;
	d.role = role_of(interval);
	d.thread = trace_thread_index(m->trace, i->anchor.thread);
	if (is_wait(&d.role) || (d.role.kind == KIND_STATE && d.role.state == STATE_BLOCKED &&
				 covering_find(&d, i->start)))
		wait_write(&d);
}
