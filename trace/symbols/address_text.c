#include "spec/layout.h"
#include "trace/address.h"
#include "trace/symbols/modules.h"
#include "trace/symbols/objects.h"
#include "trace/symbols/stack_sites.h"
#include "trace/symbols/symbols.h"
#include "trace/symbols/wait_sites.h"
#include <string.h>

/* A code address, as an attribute of an event has it. */
struct code_at {
	size_t process;
	uint64_t address;
	bool low;
};

static bool is_code(enum type type)
{
	return type == TYPE_CODE || type == TYPE_CODE32;
}

/* A wait that begins in a library is at the program's call of it. */
static struct code_at code_of(const struct trace *t, const struct event *e, unsigned attribute)
{
	enum type type = e->type->attributes[attribute].type;
	struct code_at c = {
	    .process = process_of_event(t, e),
	    .address = (uint64_t)record_value(e->type, attribute, e->record).integer,
	    .low = type == TYPE_CODE32,
	};

	if (is_code(type) && wait_site_find(t, e, c.process, c.low, &c.address))
		c.low = false;
	return c;
}

uint64_t address_code(const struct trace *t, const struct event *e, unsigned attribute)
{
	return code_of(t, e, attribute).address;
}

/*
 * Returns the frame that an event is at the level of, or that its call site stands for; NULL: it is
 * as it was logged. The frames of a call stack stay what they are.
 */
static const struct code_frame *frame_of(const struct trace *t, const struct event *e,
					 unsigned attribute, struct code_at c)
{
	enum type type = e->type->attributes[attribute].type;
	const struct code_frame *frames;

	if (!is_code(type))
		return NULL;
	if (!e->level && e->type->caller_attribute < 0)
		return symbols_site(t, c.process, c.address, c.low, e->time);
	if (!e->level ||
	    e->level > symbols_frames(t, c.process, c.address, c.low, e->time, &frames))
		return NULL;
	return &frames[e->level - 1];
}

uint32_t address_frames(const struct trace *t, const struct event *e, unsigned attribute)
{
	struct code_at c = code_of(t, e, attribute);
	const struct code_frame *frames;

	return (uint32_t)symbols_frames(t, c.process, c.address, c.low, e->time, &frames);
}

static const char *object_text(const struct trace *t, char buffer[ADDRESS_TEXT], struct code_at c,
			       const struct event *e)
{
	const char *by_site = c.address ? object_by_site(t, e) : NULL;

	return by_site ? by_site
		       : symbols_object(t, buffer, c.process, c.address, e,
					object_kind(t, c.process, c.address, e));
}

const char *address_text(const struct trace *t, char buffer[ADDRESS_TEXT], const struct event *e,
			 unsigned attribute)
{
	enum type type = e->type->attributes[attribute].type;
	struct code_at c = code_of(t, e, attribute);
	const struct code_frame *frame = frame_of(t, e, attribute, c);
	const char *text = NULL;

	if (frame)
		return frame->text;
	if (type == TYPE_OBJECT)
		text = object_text(t, buffer, c, e);
	else if (type != TYPE_ADDRESS)
		text = symbols_code(t, c.process, c.address, c.low, e->time);
	return text ? text : address_digits(buffer, c.address);
}

const char *address_function(const struct trace *t, char buffer[ADDRESS_TEXT],
			     const struct event *e, unsigned attribute)
{
	struct code_at c = code_of(t, e, attribute);
	const struct code_frame *frame = frame_of(t, e, attribute, c);
	const char *text;

	if (frame)
		return frame->function;
	text = symbols_function(t, c.process, c.address, c.low, e->time);
	return text ? text : address_digits(buffer, c.address);
}

bool address_is_unnamed(const struct trace *t, const struct event *e, unsigned attribute)
{
	struct code_at c = code_of(t, e, attribute);
	const struct modules *modules = symbols_modules(t, c.process);

	return modules && modules->list.n && !frame_of(t, e, attribute, c) &&
	       !symbols_function(t, c.process, c.address, c.low, e->time);
}

bool address_spins(const struct trace *t, const struct event *e, unsigned attribute)
{
	struct code_at c = code_of(t, e, attribute);

	return symbols_spins(t, c.process, c.address, c.low, e->time);
}

const char *address_line(const struct trace *t, const struct event *e, unsigned attribute)
{
	struct code_at c = code_of(t, e, attribute);
	const struct code_frame *frame = frame_of(t, e, attribute, c);

	return frame ? frame->line : symbols_line(t, c.process, c.address, c.low, e->time);
}

const char *address_module(const struct trace *t, const struct event *e, unsigned attribute)
{
	struct code_at c = code_of(t, e, attribute);

	return symbols_module(t, c.process, c.address, c.low, e->time);
}

bool address_is_of_run_time(const struct trace *t, const struct event *e, unsigned attribute)
{
	return module_is_of_run_time(address_module(t, e, attribute));
}

int64_t address_key(const struct trace *t, const struct event *e, unsigned attribute)
{
	char buffer[ADDRESS_TEXT];

	return symbols_number(t, address_text(t, buffer, e, attribute));
}

const char *address_key_text(const struct trace *t, int64_t key)
{
	return symbols_numbered(t, key);
}

int64_t text_key(const struct trace *t, const char *text)
{
	return symbols_number(t, text);
}
