#include "analysis/stacks/wait_stacks.h"
#include "base/hash.h"
#include "spec/layout.h"
#include "trace/address.h"
#include "trace/stream/pass.h"
#include "trace/symbols/call_paths.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>
#include <string.h>

/* A stack as it was logged, by its number in its process. */
struct raw_wait {
	int64_t time;
	uint64_t number;
	size_t place; /* in the thread's list, for events of one time */
};

typedef VECTOR(struct raw_wait) raw_vector;

static void waits_take(void *context, const struct event_chunk *c)
{
	raw_vector *list = &((raw_vector *)context)[c->thread];
	unsigned stack = (unsigned)c->type->stack_attribute;

	for (size_t i = 0; i < c->n; i++) {
		uint64_t number = (uint64_t)record_value(c->type, stack, c->record[i]).integer;

		*vector_add(list) = (struct raw_wait){c->time[i], number, list->n};
	}
}

static int raw_order(const void *left, const void *right)
{
	const struct raw_wait *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* Returns by thread what was logged, or NULL if the trace has no such events. */
static raw_vector *waits_read(const struct trace *t)
{
	bool *wanted = array_zero(t->spec->nevents + 1, sizeof *wanted), any = false;
	raw_vector *lists = array_zero(t->nthreads, sizeof *lists);

	for (unsigned i = 0; i < t->spec->nevents; i++) {
		wanted[i] = t->spec->events[i]->wait;
		any |= wanted[i] && t->events_of_type[i];
	}
	if (any)
		trace_visit_events(t, wanted, waits_take, lists);
	free(wanted);
	if (any)
		return lists;
	free(lists);
	return NULL;
}

/* ---- stacks ---- */

struct wait_stack_search {
	struct wait_stacks *stacks;
	const struct trace *trace;
	struct call_paths *frames;
	struct hash_table numbers; /* by number and process: the stack */
};

static unsigned code_of(const struct event_type *type)
{
	unsigned i = 0;

	while (type->attributes[i].type != TYPE_CODE && type->attributes[i].type != TYPE_CODE32)
		i++;
	return i;
}

static const char *kept(const struct trace *t, const char *text)
{
	return symbols_numbered(t, symbols_number(t, text));
}

static struct wait_stack stack_of(const struct trace *t, const struct frame *f, uint32_t caller)
{
	struct event e = {.time = f->time,
			  .type = f->type,
			  .record = f->record,
			  .thread = t->threads[f->thread].number};
	unsigned code = code_of(f->type);
	char buffer[ADDRESS_TEXT], *file;
	const char *line = address_line(t, &e, code);
	const char *colon = line ? strrchr(line, ':') : NULL;
	struct wait_stack s = {kept(t, address_function(t, buffer, &e, code)), NULL, caller};

	if (colon) {
		file = text_format("%.*s", (int)(colon - line), line);
		s.file = kept(t, file);
		free(file);
	}
	return s;
}

/* A frame on the way from the innermost one outwards. */
struct stack_step {
	uint64_t number;
	struct frame frame;
};

/*
 * Returns the stack of a number. Loops of callers end where there are as many frames as a stack can
 * have.
 */
static uint32_t stack_find(struct wait_stack_search *f, size_t process, uint64_t number)
{
	VECTOR(struct stack_step) way = {0};
	uint32_t found = WAIT_STACK_CUT;

	while (number && way.n < CALL_PATH_MOST) {
		const struct hash_slot *known =
		    hash_table_find(&f->numbers, hash_mix(number), process);
		struct stack_step step = {number, {0}};

		if (known) {
			found = known->head;
			break;
		}
		if (!call_path_frame(f->frames, process, number, &step.frame) ||
		    !step.frame.address)
			break;
		*vector_add(&way) = step;
		number = step.frame.parent;
		found = number ? WAIT_STACK_CUT : WAIT_STACK_NONE;
	}
	while (way.n-- > 0) {
		const struct stack_step *step = &way.at[way.n];

		*vector_add(&f->stacks->stacks) = stack_of(f->trace, &step->frame, found);
		found = (uint32_t)f->stacks->stacks.n - 1;
		hash_table_slot(&f->numbers, hash_mix(step->number), process)->head = found;
	}
	free(way.at);
	return found;
}

void wait_stacks_find(struct wait_stacks *w, const struct trace *t)
{
	raw_vector *raw = waits_read(t);
	struct wait_stack_search f = {w, t, NULL, {0}};

	*w = (struct wait_stacks){.threads = array_zero(t->nthreads, sizeof *w->threads),
				  .nthreads = t->nthreads};
	for (int i = WAIT_STACK_NONE; i <= WAIT_STACK_CUT; i++)
		vector_add(&w->stacks);
	if (!raw)
		return;
	f.frames = call_paths_make(t);
	for (unsigned i = 0; i < t->nthreads; i++) {
		if (raw[i].n)
			qsort(raw[i].at, raw[i].n, sizeof *raw[i].at, raw_order);
		for (size_t k = 0; k < raw[i].n; k++)
			*vector_add(&w->threads[i]) = (struct wait_stack_event){
			    raw[i].at[k].time,
			    stack_find(&f, t->threads[i].directory, raw[i].at[k].number)};
		free(raw[i].at);
	}
	call_paths_free(f.frames);
	hash_table_free(&f.numbers);
	free(raw);
}

void wait_stacks_free(struct wait_stacks *w)
{
	for (unsigned i = 0; i < w->nthreads; i++)
		free(w->threads[i].at);
	free(w->threads);
	free(w->stacks.at);
}
