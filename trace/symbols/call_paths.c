#include "trace/symbols/call_paths.h"
#include "base/array.h"
#include "base/hash.h"
#include "spec/layout.h"
#include "trace/stream/pass.h"
#include "trace/symbols/symbols.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct call_paths {
	const struct trace *trace;
	struct hash_table numbers; /* by number and process; head: index of the frame */
	VECTOR(struct frame) frames;
	uint32_t *process_of; /* by thread */
	pthread_mutex_t mutex;
};

static int code_attribute(const struct event_type *type)
{
	for (unsigned i = 0; i < type->nattributes; i++)
		if (type->attributes[i].type == TYPE_CODE ||
		    type->attributes[i].type == TYPE_CODE32)
			return (int)i;
	return -1;
}

static uint64_t word(const struct event_type *type, int attribute, const unsigned char *record)
{
	return (uint64_t)record_value(type, (unsigned)attribute, record).integer;
}

static void frames_take(void *context, const struct event_chunk *c)
{
	struct call_paths *p = context;
	int code = code_attribute(c->type);
	uint32_t process = p->process_of[c->thread];

	pthread_mutex_lock(&p->mutex);
	for (size_t i = 0; i < c->n; i++) {
		uint64_t number = word(c->type, c->type->stack_attribute, c->record[i]);
		struct hash_slot *slot = hash_table_slot(&p->numbers, hash_mix(number), process);

		if (slot->head != HASH_NOTHING)
			continue;
		slot->head = (uint32_t)p->frames.n;
		*vector_add(&p->frames) = (struct frame){
		    .address = word(c->type, code, c->record[i]),
		    .parent = word(c->type, c->type->caller_attribute, c->record[i]),
		    .time = c->time[i],
		    .type = c->type,
		    .record = c->record[i],
		    .thread = (uint32_t)c->thread,
		    .low = c->type->attributes[code].type == TYPE_CODE32,
		};
	}
	pthread_mutex_unlock(&p->mutex);
}

struct call_paths *call_paths_make(const struct trace *t)
{
	struct call_paths *p = array_zero(1, sizeof *p);
	bool *wanted = array_zero(t->spec->nevents + 1, sizeof *wanted);

	p->trace = t;
	pthread_mutex_init(&p->mutex, NULL);
	p->process_of = array_zero(t->nthreads, sizeof *p->process_of);
	for (unsigned i = 0; i < t->nprocesses; i++)
		for (uint32_t k = 0; k < t->processes[i].nthreads; k++)
			p->process_of[t->processes[i].first_thread + k] = i;
	for (unsigned i = 0; i < t->spec->nevents; i++)
		wanted[i] = t->spec->events[i]->caller_attribute >= 0;
	trace_visit_events(t, wanted, frames_take, p);
	free(wanted);
	return p;
}

void call_paths_free(struct call_paths *p)
{
	hash_table_free(&p->numbers);
	free(p->frames.at);
	free(p->process_of);
	pthread_mutex_destroy(&p->mutex);
	free(p);
}

bool call_path_frame(const struct call_paths *p, size_t process, uint64_t stack, struct frame *f)
{
	const struct hash_slot *slot = hash_table_find(&p->numbers, hash_mix(stack), process);

	if (!stack || !slot)
		return false;
	*f = p->frames.at[slot->head];
	return true;
}

/* Where the line is known, the offset in the function tells nothing more. */
char *code_name(const struct trace *t, size_t process, uint64_t address, bool low, int64_t time)
{
	const char *text = symbols_code(t, process, address, low, time);
	const char *line = text ? strrchr(text, '(') : NULL, *offset;
	char digits[ADDRESS_TEXT];

	if (!text)
		return text_format("%s", address_digits(digits, address));
	for (offset = line; offset && offset > text && *offset != '+'; offset--)
		continue;
	if (!line || offset == text || strncmp(offset, "+0x", 3) != 0)
		return text_format("%s", text);
	return text_format("%.*s %s", (int)(offset - text), text, line);
}
