#include "analysis/samples/samples.h"
#include "base/hash.h"
#include "spec/layout.h"
#include "trace/address.h"
#include "trace/stream/pass.h"
#include "trace/symbols/call_paths.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

bool trace_has_samples(const struct trace *t)
{
	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (t->spec->events[i]->sample && t->events_of_type[i])
			return true;
	return false;
}

/* ---- reading ---- */

/* A sample as it was logged. */
struct raw_sample {
	int64_t time;
	uint64_t number; /* of the stack, in its process */
	size_t place;    /* in the thread's list, for samples of one time */
};

struct raw_thread {
	VECTOR(struct raw_sample) list, waits;
	bool calls; /* it logs calls of its own */
	/* of events that count: without their stacks, and the numbers of these */
	VECTOR(struct stack_count) counts;
	VECTOR(uint64_t) numbers;
};

struct samples_context {
	struct samples *samples;
	struct raw_thread *threads;
	struct call_paths *frames;
	/* by number and process: the stack; NO_STACK: it is being looked up */
	struct hash_table numbers;
	struct hash_table paths; /* by parent and function */
	struct interval *calls;  /* of each event type */
};

#define NO_STACK (HASH_NOTHING - 1)

static void samples_take(void *context, const struct event_chunk *c)
{
	struct samples_context *r = context;
	struct raw_thread *t = &r->threads[c->thread];
	unsigned stack = (unsigned)c->type->stack_attribute;

	t->calls |= !c->type->sample && !c->type->wait;
	for (size_t i = 0; i < c->n && (c->type->sample || c->type->wait); i++) {
		uint64_t number = (uint64_t)record_value(c->type, stack, c->record[i]).integer;

		if (c->type->sample)
			*vector_add(&t->list) = (struct raw_sample){c->time[i], number, t->list.n};
		else
			*vector_add(&t->waits) =
			    (struct raw_sample){c->time[i], number, t->waits.n};
	}
}

static const struct event_type *call_begin(const struct interval *i)
{
	return end_event(i->direction == FORWARDS ? &i->anchor : &i->partner);
}

static void events_read(struct samples_context *r)
{
	const struct trace *t = r->samples->trace;
	bool *wanted = array_zero(t->spec->nevents + 1, sizeof *wanted);

	for (unsigned i = 0; i < t->spec->nevents; i++)
		wanted[i] = t->spec->events[i]->sample || t->spec->events[i]->wait;
	for (unsigned i = 0; i < t->spec->nintervals; i++)
		if (t->spec->intervals[i]->kind == KIND_CALL)
			wanted[call_begin(t->spec->intervals[i])->index] = true;
	trace_visit_events(t, wanted, samples_take, r);
	free(wanted);
}

static int raw_order(const void *left, const void *right)
{
	const struct raw_sample *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* Samples of several types are not in order yet. */
static void raw_sort(struct raw_sample *list, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (raw_order(&list[i - 1], &list[i]) > 0) {
			qsort(list, n, sizeof *list, raw_order);
			return;
		}
}

/* ---- stacks ---- */

unsigned frame_code(const struct event_type *type)
{
	unsigned i = 0;

	while (type->attributes[i].type != TYPE_CODE && type->attributes[i].type != TYPE_CODE32)
		i++;
	return i;
}

/* Returns the number of what a frame is in a path. */
static int64_t place_number(const struct samples *s, const struct event *frame)
{
	unsigned code = frame_code(frame->type);
	char buffer[ADDRESS_TEXT], *text;
	const char *function, *line;
	int64_t number;

	line = s->places == SAMPLE_FUNCTIONS ? NULL : address_line(s->trace, frame, code);
	if (s->places == SAMPLE_LINES)
		return symbols_number(s->trace, line ? line : SAMPLE_NO_LINE);
	function = address_is_unnamed(s->trace, frame, code)
		       ? UNNAMED_CODE
		       : address_function(s->trace, buffer, frame, code);
	if (!line)
		return symbols_number(s->trace, function);
	text = text_format("%s (%s)", function, line);
	number = symbols_number(s->trace, text);
	free(text);
	return number;
}

static uint32_t path_find(struct samples_context *r, uint32_t parent, const struct event *frame)
{
	struct samples *s = r->samples;
	unsigned code = frame_code(frame->type);
	int64_t function = place_number(s, frame);
	struct hash_slot *slot = hash_table_slot(
	    &r->paths, hash_mix((uint64_t)function ^ (uint64_t)parent << 32), parent);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)s->paths.n;
		*vector_add(&s->paths) =
		    (struct sample_path){parent, s->paths.at[parent].depth + 1, function,
					 address_is_of_run_time(s->trace, frame, code)};
	}
	return slot->head;
}

/* Adds the stack of a function and its callers. What is too deep is its outer part alone. */
static uint32_t function_add(struct samples_context *r, const struct event *frame, uint32_t caller)
{
	struct samples *s = r->samples;
	struct sample_stack stack = {*frame, caller, 0, SAMPLE_NO_MODULE};
	uint32_t path = s->stacks.at[caller].path;
	const char *module;

	if (s->paths.at[path].depth >= CALL_PATH_MOST)
		return caller;
	stack.path = path_find(r, path, frame);
	module = address_module(s->trace, frame, frame_code(frame->type));
	if (module)
		stack.module = symbols_number(s->trace, module);
	*vector_add(&s->stacks) = stack;
	s->calls[frame->type->index] = &r->calls[frame->type->index];
	return (uint32_t)s->stacks.n - 1;
}

/*
 * Adds the stack of a frame and its callers: that of its function, and then of those inlined in it.
 */
static uint32_t stack_add(struct samples_context *r, const struct frame *f, uint32_t caller)
{
	struct event frame = {.time = f->time,
			      .type = f->type,
			      .record = f->record,
			      .thread = r->samples->trace->threads[f->thread].number};
	uint32_t n = address_frames(r->samples->trace, &frame, frame_code(f->type));

	if (!n)
		return function_add(r, &frame, caller);
	for (frame.level = 1; frame.level <= n; frame.level++)
		caller = function_add(r, &frame, caller);
	return caller;
}

/*
 * Returns the stack of a number, found by its callers from the innermost one to one that is known.
 */
static uint32_t stack_find(struct samples_context *r, size_t process, uint64_t number)
{
	VECTOR(struct {
		uint64_t number;
		struct frame frame;
	})
	way = {0};
	uint32_t found = number ? NO_STACK : STACK_CUT;

	while (found == NO_STACK) {
		struct hash_slot *slot = hash_table_slot(&r->numbers, hash_mix(number), process);
		struct frame f;

		if (slot->head != HASH_NOTHING) {
			/* a loop of callers ends here */
			found = slot->head == NO_STACK ? STACK_CUT : slot->head;
			break;
		}
		if (!call_path_frame(r->frames, process, number, &f) || !f.address) {
			found = slot->head = STACK_CUT;
			break;
		}
		slot->head = NO_STACK;
		vector_add(&way)->number = number;
		way.at[way.n - 1].frame = f;
		number = f.parent;
		if (!number)
			found = STACK_WHOLE;
	}
	while (way.n-- > 0) {
		found = stack_add(r, &way.at[way.n].frame, found);
		hash_table_slot(&r->numbers, hash_mix(way.at[way.n].number), process)->head = found;
	}
	free(way.at);
	return found;
}

uint32_t sample_own(const struct samples *s, uint32_t stack)
{
	uint32_t own = stack;

	while (s->paths.at[s->stacks.at[own].path].depth &&
	       s->paths.at[s->stacks.at[own].path].of_run_time)
		own = s->stacks.at[own].caller;
	return s->paths.at[s->stacks.at[own].path].depth ? own : stack;
}

/* ---- all ---- */

/* Returns from when on no samples of a thread were taken; INT64_MAX: they were up to the end. */
static int64_t samples_until(const struct trace *t, size_t thread)
{
	int64_t until = INT64_MAX;

	for (size_t i = 0; i < t->ngaps; i++) {
		const struct trace_gap *g = &t->gaps[i];

		if (g->kind == GAP_OFF && g->type && g->type->sample && g->to == t->duration &&
		    (g->thread == EVERY_THREAD || g->thread == thread) && g->from < until)
			until = g->from;
	}
	return until;
}

static void thread_make(struct samples_context *r, size_t thread)
{
	struct samples *s = r->samples;
	struct raw_thread *raw = &r->threads[thread];
	struct thread_samples *to = &s->threads[thread];
	const struct trace_thread *t = &s->trace->threads[thread];
	bool counts = !raw->calls || s->places != SAMPLE_FUNCTIONS;
	int64_t from = t->first;

	to->until = samples_until(s->trace, thread);
	raw_sort(raw->list.at, raw->list.n);
	raw_sort(raw->waits.at, raw->waits.n);
	for (size_t i = 0; i < raw->list.n && counts; i++) {
		int64_t until = i + 1 == raw->list.n ? t->last : raw->list.at[i].time;

		/* what stands for no time says nothing */
		if (until <= from)
			continue;
		*vector_add(&to->list) = (struct stack_sample){
		    from, until, stack_find(r, t->directory, raw->list.at[i].number), true, false};
		from = until;
	}
	if (to->list.n)
		to->list.at[to->list.n - 1].to = INT64_MAX;
	for (size_t i = 0; i < raw->waits.n && to->list.n; i++)
		*vector_add(&to->waits) = (struct stack_wait){
		    raw->waits.at[i].time, stack_find(r, t->directory, raw->waits.at[i].number)};
	free(raw->list.at);
	free(raw->waits.at);
}

static struct interval *calls_make(const struct trace *t)
{
	struct interval *calls = array_zero(t->spec->nevents, sizeof *calls);
	struct event_type *sample = NULL;

	for (unsigned i = 0; i < t->spec->nevents && !sample; i++)
		if (t->spec->events[i]->sample)
			sample = t->spec->events[i];
	for (unsigned i = 0; i < t->spec->nevents; i++)
		calls[i] = (struct interval){.name = t->spec->events[i]->name,
					     .anchor.event = t->spec->events[i],
					     .partner.event = sample,
					     .connection = CONNECTION_RECTANGLE,
					     .kind = KIND_CALL};
	return calls;
}

static struct samples_context context_open(const struct trace *t, enum sample_places places)
{
	struct samples_context r = {.samples = array_zero(1, sizeof *r.samples)};

	r.samples->trace = t;
	r.samples->places = places;
	r.samples->threads = array_zero(t->nthreads, sizeof *r.samples->threads);
	r.samples->calls = array_zero(t->spec->nevents, sizeof *r.samples->calls);
	r.samples->made = r.calls = calls_make(t);
	r.threads = array_zero(t->nthreads, sizeof *r.threads);
	r.frames = call_paths_make(t);
	for (uint32_t i = STACK_WHOLE; i <= STACK_CUT; i++) {
		vector_add(&r.samples->paths)->parent = i;
		vector_add(&r.samples->stacks)->path = i;
	}
	return r;
}

static struct samples *context_close(struct samples_context *r)
{
	call_paths_free(r->frames);
	hash_table_free(&r->numbers);
	hash_table_free(&r->paths);
	free(r->threads);
	return r->samples;
}

struct samples *samples_of(const struct trace *t, enum sample_places places)
{
	struct samples_context r;

	if (!trace_has_samples(t))
		return NULL;
	r = context_open(t, places);
	events_read(&r);
	for (size_t i = 0; i < t->nthreads; i++)
		thread_make(&r, i);
	return context_close(&r);
}

/* ---- counts ---- */

/* The threads are read side by side. */
static void counts_take(void *context, const struct event_chunk *c)
{
	struct samples_context *r = context;
	struct raw_thread *t = &r->threads[c->thread];
	unsigned stack = (unsigned)c->type->stack_attribute;
	unsigned counts = (unsigned)c->type->counts_attribute;

	for (size_t i = 0; i < c->n; i++) {
		int64_t n = record_value(c->type, counts, c->record[i]).integer;

		*vector_add(&t->counts) = (struct stack_count){
		    .thread = (uint32_t)c->thread,
		    .time = c->time[i],
		    .occurrences = n > 0 ? n : 1,
		};
		*vector_add(&t->numbers) =
		    (uint64_t)record_value(c->type, stack, c->record[i]).integer;
	}
}

static void counts_make(struct samples_context *r, size_t thread)
{
	struct raw_thread *raw = &r->threads[thread];

	for (size_t i = 0; i < raw->counts.n; i++) {
		uint64_t number = raw->numbers.at[i];

		raw->counts.at[i].stack =
		    number ? stack_find(r, r->samples->trace->threads[thread].directory, number)
			   : STACK_WHOLE;
		*vector_add(&r->samples->counts) = raw->counts.at[i];
	}
	free(raw->counts.at);
	free(raw->numbers.at);
}

struct samples *samples_counted(const struct trace *t, enum sample_places places,
				const struct event_type *type)
{
	struct samples_context r = context_open(t, places);
	bool *wanted = array_zero(t->spec->nevents + 1, sizeof *wanted);

	wanted[type->index] = true;
	trace_visit_events(t, wanted, counts_take, &r);
	for (size_t i = 0; i < t->nthreads; i++)
		counts_make(&r, i);
	free(wanted);
	return context_close(&r);
}

void samples_free(struct samples *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < s->trace->nthreads; i++) {
		free(s->threads[i].list.at);
		free(s->threads[i].waits.at);
	}
	free(s->threads);
	free(s->counts.at);
	free(s->stacks.at);
	free(s->paths.at);
	free(s->calls);
	free(s->made);
	free(s);
}
