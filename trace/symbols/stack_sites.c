#include "trace/symbols/stack_sites.h"
#include "base/array.h"
#include "base/hash.h"
#include "trace/open/opened.h"
#include "trace/symbols/call_paths.h"
#include "trace/symbols/objects.h"
#include "trace/symbols/symbols.h"
#include "trace/symbols/wait_objects.h"
#include <stdlib.h>
#include <string.h>

struct stack_sites {
	const struct trace *trace;
	struct call_paths *paths;
	struct hash_table known; /* by number and process: the index of the site */
	VECTOR(struct stack_site) sites;
};

bool code_waits_for_caller(const struct trace *t, size_t process, uint64_t address, bool low,
			   int64_t time)
{
	return symbols_is_library(t, process, address, low, time) ||
	       symbols_is_wrapper(t, process, address, low, time);
}

/* Returns where the innermost call returns to that is in no library; passed: frames that are. */
static uint64_t address_find(const struct stack_sites *s, size_t process, uint64_t stack,
			     unsigned passed)
{
	struct frame f;

	/* the address of a frame is within the call */
	for (unsigned i = 0; i < CALL_PATH_MOST; i++, stack = f.parent) {
		if (!call_path_frame(s->paths, process, stack, &f) || !f.address)
			return 0;
		if (i >= passed &&
		    !code_waits_for_caller(s->trace, process, f.address + 1, f.low, f.time))
			return i ? f.address + 1 : 0;
	}
	return 0;
}

/* ---- what the object is called ---- */

/* The functions of a stack from the innermost one outwards, with those that are inlined. */
struct frame_walk {
	const struct stack_sites *sites;
	size_t process;
	uint64_t stack;    /* the next; 0: there is none */
	struct frame code; /* the one that the functions are at */
	const struct code_frame *frames;
	size_t left; /* of the frames */
	unsigned passed;
	VECTOR(unsigned) codes; /* by function: which code address it is at, from the innermost */
};

static bool frame_next(void *context, unsigned number, const char **function)
{
	struct frame_walk *w = context;
	const struct trace *t = w->sites->trace;

	if (!w->left) {
		if (!w->stack || w->passed++ == CALL_PATH_MOST ||
		    !call_path_frame(w->sites->paths, w->process, w->stack, &w->code) ||
		    !w->code.address)
			return false;
		w->stack = w->code.parent;
		w->frames = NULL;
		w->left = symbols_frames(t, w->process, w->code.address, w->code.low, w->code.time,
					 &w->frames);
	}
	while (w->codes.n <= number)
		*vector_add(&w->codes) = w->passed - 1;
	*function =
	    w->left ? w->frames[--w->left].function
		    : symbols_function(t, w->process, w->code.address, w->code.low, w->code.time);
	return true;
}

/* Returns the innermost function with a name, or NULL. */
static const char *function_find(const struct stack_sites *s, size_t process, uint64_t stack)
{
	struct frame_walk w = {.sites = s, .process = process, .stack = stack};
	const char *function = NULL;

	if (spec_names_waits(s->trace->spec))
		for (unsigned i = 0; !function && frame_next(&w, i, &function); i++)
			continue;
	free(w.codes.at);
	return function;
}

/* The functions that name the object are those of a library, whatever their files are. */
static struct stack_site site_find(const struct stack_sites *s, size_t process, uint64_t stack)
{
	struct frame_walk w = {.sites = s, .process = process, .stack = stack};
	struct wait_object object = {0};
	struct stack_site site;
	unsigned passed = 0;

	if (s->trace->spec->nobject_words)
		object = wait_object_find(s->trace->spec, frame_next, &w);
	if (object.words && object.site < w.codes.n)
		passed = w.codes.at[object.site];
	free(w.codes.at);
	site = (struct stack_site){address_find(s, process, stack, passed), object.words,
				   function_find(s, process, stack)};
	return site;
}

/* ---- kept with the trace ---- */

static void stack_sites_free(struct stack_sites *s)
{
	call_paths_free(s->paths);
	hash_table_free(&s->known);
	free(s->sites.at);
	free(s);
}

static struct stack_sites *stack_sites_make(const struct trace *t)
{
	struct stack_sites *s = array_zero(1, sizeof *s);

	s->trace = t;
	s->paths = call_paths_make(t);
	return s;
}

struct stack_site stack_site_find(const struct trace *t, size_t process, uint64_t stack)
{
	struct opened *o = opened_of(t);
	struct stack_site site;
	struct hash_slot *slot;

	pthread_mutex_lock(&o->making);
	if (!o->stack_sites) {
		o->stack_sites = stack_sites_make(t);
		o->stack_sites_free = stack_sites_free;
	}
	slot = hash_table_slot(&o->stack_sites->known, hash_mix(stack), process);
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)o->stack_sites->sites.n;
		*vector_add(&o->stack_sites->sites) = site_find(o->stack_sites, process, stack);
	}
	site = o->stack_sites->sites.at[slot->head];
	pthread_mutex_unlock(&o->making);
	return site;
}

/* ---- objects of events ---- */

/* Returns the declaration that names an object by the stack of the first wait for it, or NULL. */
static const struct object_words *awaited_words(const struct trace *t, size_t process,
						const struct object *object)
{
	const char *function =
	    object->wait_stack ? stack_site_find(t, process, object->wait_stack).function : NULL;

	return function ? wait_caller_words(t->spec, object->attribute, function) : NULL;
}

const char *object_kind(const struct trace *t, size_t process, uint64_t address,
			const struct event *e)
{
	const struct object_words *words;
	struct object object;

	if (!t->spec->nobject_words || !symbols_life(t, process, address, e, &object))
		return NULL;
	words = object.stack ? stack_site_find(t, process, object.stack).words
			     : awaited_words(t, process, &object);
	return words ? words->name : NULL;
}

/* Of an event that has a stack itself. */
static const struct object_words *own_words(const struct trace *t, const struct event *e)
{
	uint64_t stack = t->spec->nobject_words ? object_stack(e->type, e->record) : 0;

	return stack ? stack_site_find(t, process_of_event(t, e), stack).words : NULL;
}

/* Returns the declaration of an attribute whose name is that of the object, or NULL. */
static const struct object_words *named_words(const struct spec *spec, const char *of,
					      const char *name)
{
	for (unsigned i = 0; name && i < spec->nobject_words; i++) {
		const struct object_words *words = spec->object_words[i];

		if (words->name && words->of && strcmp(words->of, of) == 0 &&
		    strcmp(words->name, name) == 0)
			return words;
	}
	return NULL;
}

const struct object_words *object_words_of(const struct trace *t, const struct event *e,
					   int attribute)
{
	size_t process = process_of_event(t, e);
	const struct object_words *words;
	char buffer[ADDRESS_TEXT];
	struct object object;
	uint64_t address;

	if (attribute < 0 || event_has_stack_and_code(e->type) || !spec_names_waits(t->spec) ||
	    e->type->attributes[attribute].type != TYPE_OBJECT)
		return own_words(t, e);
	address = (uint64_t)record_value(e->type, (unsigned)attribute, e->record).integer;
	if (!address || !symbols_life(t, process, address, e, &object))
		return NULL;
	words = awaited_words(t, process, &object);
	return words ? words
		     : named_words(t->spec, e->type->attributes[attribute].name,
				   symbols_object(t, buffer, process, address, e, NULL));
}

const char *object_by_site(const struct trace *t, const struct event *e)
{
	const struct object_words *words = own_words(t, e);
	size_t process = process_of_event(t, e);
	const struct code_frame *frame;
	const char *site, *name;
	uint64_t address;
	char *text;

	if (!words || !words->by_site)
		return NULL;
	address = stack_site_find(t, process, object_stack(e->type, e->record)).address;
	if (!address)
		return NULL;
	frame = symbols_site(t, process, address, false, e->time);
	site = frame ? frame->text : symbols_code(t, process, address, false, e->time);
	text = text_format("%s of %s", words->name, site ? site : "?");
	name = symbols_numbered(t, symbols_number(t, text));
	free(text);
	return name;
}

bool is_held_by_nobody(const struct trace *t, const struct event *e)
{
	const struct object_words *words = own_words(t, e);

	return !words || !words->hold;
}
