#include "trace/symbols/symbols.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/visible.h"
#include "trace/open/opened.h"
#include "trace/symbols/code_frames.h"
#include "trace/symbols/code_text.h"
#include "trace/symbols/image.h"
#include "trace/symbols/made_code.h"
#include "trace/symbols/modules.h"
#include "trace/symbols/object_names.h"
#include "trace/symbols/objects.h"
#include "trace/symbols/stored_names.h"
#include "trace/symbols/wait_objects.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Texts of one kind of address, by process and address. */
struct text_table {
	struct hash_table places; /* head: the index of the text */
	VECTOR(char *) texts;     /* NULL: there is none for this address */
};

struct process_symbols {
	struct modules modules;
	bool ordered; /* it is known where all of each module is, not only its code */
	struct object_names names;
	struct made_codes made;
	struct stored_names *stored; /* NULL: nothing was stored */
};

/* One for all traces: they share the files that are read. */
static pthread_mutex_t naming = PTHREAD_MUTEX_INITIALIZER;

struct symbols {
	const struct spec *spec;
	struct process_symbols *processes; /* as the trace's directories */
	size_t nprocesses;
	struct text_table code[CODE_PARTS], variables, objects;
	struct hash_table libraries; /* by code address: whether it is of a library */
	/* the same: whether it is of a wrapper of a wait; whether it is in a loop that waits */
	struct hash_table wrappers, spins;
	struct frame_table frames, sites;
	struct text_table numbered; /* by their hash: a text's number is its index */
	bool told;                  /* that a file is another one than that which ran */
};

/* ---- reading ---- */

/* What is needed for the time of ticks. */
struct timing {
	const struct clock *clock;
	int64_t origin;
};

static int64_t time_of(const void *context, uint64_t ticks)
{
	const struct timing *t = context;
	int64_t time;

	/* 0: from the beginning */
	if (!ticks || __builtin_sub_overflow(clock_ns(t->clock, ticks), t->origin, &time))
		return INT64_MIN;
	return time < INT64_MAX ? time : INT64_MAX - 1;
}

/* Links the modules of a process to the names that are stored of them. */
static void stored_read(struct process_symbols *p, const struct directory *d)
{
	struct file f;

	if (!file_take(&f, directory_file(d, "names"), false))
		return;
	p->stored = stored_names_read((const char *)f.bytes,
				      f.size < STORED_NAMES_SIZE ? f.size : STORED_NAMES_SIZE);
	file_unload(&f);
	for (size_t i = 0; i < p->modules.list.n; i++) {
		struct module *m = &p->modules.list.at[i];

		m->stored = stored_file_find(p->stored, m->path, &m->id);
	}
}

static void process_read(struct process_symbols *p, const struct opened *o, size_t i)
{
	const struct directory *d = &o->directories[i];
	struct timing timing = {o->processes[i].counter ? &d->counter : &d->nanoseconds,
				o->trace.origin};
	struct file f;

	if (!timing.clock->nlines)
		return;
	if (file_take(&f, directory_file(d, "modules"), false)) {
		modules_read(&p->modules, (const char *)f.bytes,
			     f.size < MODULES_SIZE ? f.size : MODULES_SIZE, time_of, &timing);
		file_unload(&f);
	}
	if (file_take(&f, directory_file(d, "objects"), false)) {
		object_names_read(&p->names, (const char *)f.bytes,
				  f.size < OBJECT_NAMES_SIZE ? f.size : OBJECT_NAMES_SIZE, time_of,
				  &timing);
		file_unload(&f);
	}
	if (file_take(&f, directory_file(d, "made"), false)) {
		made_codes_read(&p->made, (const char *)f.bytes,
				f.size < MADE_CODES_SIZE ? f.size : MADE_CODES_SIZE, time_of,
				&timing);
		file_unload(&f);
	}
	stored_read(p, d);
}

static void table_clear(struct text_table *t)
{
	hash_table_free(&t->places);
	for (size_t i = 0; i < t->texts.n; i++)
		free(t->texts.at[i]);
	free(t->texts.at);
}

static void stored_clear(struct process_symbols *p)
{
	for (size_t i = 0; i < p->modules.list.n; i++)
		free(p->modules.list.at[i].names);
	stored_names_free(p->stored);
}

static void symbols_free(struct symbols *s)
{
	for (size_t i = 0; i < s->nprocesses; i++) {
		stored_clear(&s->processes[i]);
		modules_clear(&s->processes[i].modules);
		object_names_clear(&s->processes[i].names);
		made_codes_clear(&s->processes[i].made);
	}
	free(s->processes);
	for (enum code_part part = 0; part < CODE_PARTS; part++)
		table_clear(&s->code[part]);
	table_clear(&s->variables);
	table_clear(&s->objects);
	table_clear(&s->numbered);
	hash_table_free(&s->libraries);
	hash_table_free(&s->wrappers);
	hash_table_free(&s->spins);
	code_frames_clear(&s->frames);
	code_frames_clear(&s->sites);
	free(s);
}

static struct symbols *symbols_read(const struct opened *o)
{
	struct symbols *s = array_zero(1, sizeof *s);

	s->spec = o->trace.spec;
	s->nprocesses = o->ndirectories;
	s->processes = array_zero(s->nprocesses, sizeof *s->processes);
	for (size_t i = 0; i < s->nprocesses; i++)
		process_read(&s->processes[i], o, i);
	return s;
}

/* Returns those of the trace, which are of its logs: another specification has the same. */
static struct symbols *symbols_of(const struct trace *t)
{
	struct opened *o = opened_of(t);

	if (o->own_spec)
		o = o->base;
	pthread_mutex_lock(&o->making);
	if (!o->symbols) {
		o->symbols = symbols_read(o);
		o->symbols_free = symbols_free;
	}
	pthread_mutex_unlock(&o->making);
	return o->symbols;
}

/* ---- files ---- */

/* Says it once, as all the others may be of the same update of the system. */
static void tell_other(struct symbols *s, const struct module *m)
{
	char *path = visible_text(m->path);

	if (!s->told)
		fprintf(stderr,
			"%s: warning: %s is not the file that the program ran with: its build id "
			"differs; addresses in it (and in others like it) are shown as %s+0x...\n",
			program_invocation_short_name, path, module_name(m));
	s->told = true;
	free(path);
}

/* Returns what answers with the names that are stored of a module. */
static struct image *names_of(struct module *m)
{
	if (!m->names)
		m->names = image_stored(m->stored);
	return m->names;
}

/*
 * Returns the file that ran, or the names that are stored of it; NULL: there is neither. told: say
 * so if another file is there.
 */
static struct image *image_of(struct symbols *s, struct module *m, bool told)
{
	enum image_state state;

	if (m->image || m->missing)
		return m->image;
	m->image = image_find(m->path, &m->id, &state);
	if (!m->image && m->stored) {
		m->image = names_of(m);
		m->is_stored = true;
		return m->image;
	}
	if (state == IMAGE_OTHER && told)
		tell_other(s, m);
	m->missing = !m->image && (told || state != IMAGE_OTHER);
	return m->image;
}

/*
 * The same to name code at an address in the file. Where names with lines are stored, nothing that
 * has come since, such as debug information, knows more, and the file need not be read.
 */
static struct image *image_naming(struct symbols *s, struct module *m, uint64_t address)
{
	unsigned line;

	if (m->stored && image_line(names_of(m), address, &line) &&
	    image_line(names_of(m), address - 1, &line))
		return m->names;
	return image_of(s, m, true);
}

/* ---- texts ---- */

static uint64_t text_hash(const char *text, uint64_t hash)
{
	size_t n = strlen(text);

	for (uint64_t word; n > 0; text += 8, n -= n < 8 ? n : 8) {
		word = 0;
		memcpy(&word, text, n < 8 ? n : 8);
		hash = hash_mix(hash ^ word ^ n << 56);
	}
	return hash;
}

/* Returns the text for an address, of which there may be none yet. */
static char **table_text(struct text_table *t, uint64_t word, uint64_t address, bool *known)
{
	struct hash_slot *slot =
	    hash_table_slot(&t->places, hash_mix(address ^ hash_mix(word)), word);

	*known = slot->head != HASH_NOTHING;
	if (!*known) {
		slot->head = (uint32_t)t->texts.n;
		vector_add(&t->texts);
	}
	return &t->texts.at[slot->head];
}

static const char *code_find(struct symbols *s, struct module *m, uint64_t address,
			     enum code_part part)
{
	bool known;
	char **text = table_text(&s->code[part], (uint64_t)(uintptr_t)m, address, &known);

	if (!known)
		*text =
		    code_text(image_naming(s, m, address - m->base), m, address - m->base, part);
	return *text;
}

/* The kernel has the upper half of all addresses. */
static bool is_kernels(uint64_t address)
{
	return address >> 63;
}

/* Code that the program made has no lines, and all of it is one module; so is the kernel's. */
static const char *made_find(struct symbols *s, const struct made_code *c, uint64_t address,
			     enum code_part part)
{
	bool known;
	char **text;

	if (part == CODE_MODULE)
		return is_kernels(c->start) ? "[kernel]" : "[jit]";
	if (part == CODE_FUNCTION)
		return c->name;
	if (part == CODE_LINE)
		return NULL;
	text = table_text(&s->code[part], (uint64_t)(uintptr_t)c, address, &known);
	if (!known)
		*text = address > c->start
			    ? text_format("%s+0x%" PRIx64, c->name, address - c->start)
			    : text_format("%s", c->name);
	return *text;
}

/* Returns the module of a code address, and all of the address. */
static struct module *code_module(struct symbols *s, size_t process, uint64_t *address, bool low,
				  int64_t time)
{
	const struct modules *list = &s->processes[process].modules;

	return low ? modules_at_low(list, (uint32_t)*address, time, address)
		   : modules_at(list, *address, time);
}

static const char *part_of_code(const struct trace *t, size_t process, uint64_t address, bool low,
				int64_t time, enum code_part part)
{
	struct symbols *s = symbols_of(t);
	const char *text = NULL;
	const struct made_code *made;
	struct module *m;

	if (process >= s->nprocesses)
		return NULL;
	/* without modules the upper half of an address is not known to be lost: it may be 0 */
	low = low && s->processes[process].modules.list.n;
	if (!low && object_names_have(&s->processes[process].names, address))
		return part == CODE_LINE || part == CODE_MODULE
			   ? NULL
			   : object_names_find(&s->processes[process].names, address, time,
					       INT64_MIN, INT64_MAX);
	if (!s->processes[process].modules.list.n && !s->processes[process].made.list.n)
		return NULL;
	pthread_mutex_lock(&naming);
	m = code_module(s, process, &address, low, time);
	if (m)
		text = code_find(s, m, address, part);
	else if (!low && (made = made_codes_at(&s->processes[process].made, address, time)))
		text = made_find(s, made, address, part);
	else if (!low && part == CODE_MODULE && is_kernels(address))
		text = "[kernel]";
	pthread_mutex_unlock(&naming);
	return text;
}

const char *symbols_code(const struct trace *t, size_t process, uint64_t address, bool low,
			 int64_t time)
{
	return part_of_code(t, process, address, low, time, CODE_WHOLE);
}

const char *symbols_function(const struct trace *t, size_t process, uint64_t address, bool low,
			     int64_t time)
{
	return part_of_code(t, process, address, low, time, CODE_FUNCTION);
}

const char *symbols_line(const struct trace *t, size_t process, uint64_t address, bool low,
			 int64_t time)
{
	return part_of_code(t, process, address, low, time, CODE_LINE);
}

const char *symbols_module(const struct trace *t, size_t process, uint64_t address, bool low,
			   int64_t time)
{
	return part_of_code(t, process, address, low, time, CODE_MODULE);
}

/* ---- inlined calls ---- */

static struct code_frames frames_find(struct symbols *s, struct module *m, uint64_t address)
{
	bool known;
	struct code_frames *f = code_frames_find(&s->frames, m, address, &known);

	if (!known)
		*f = code_frames_make(image_naming(s, m, address - m->base), m, address - m->base);
	return *f;
}

size_t symbols_frames(const struct trace *t, size_t process, uint64_t address, bool low,
		      int64_t time, const struct code_frame **frames)
{
	struct symbols *s = symbols_of(t);
	struct code_frames found = {0};
	struct module *m;

	if (process >= s->nprocesses || !s->processes[process].modules.list.n ||
	    (!low && object_names_have(&s->processes[process].names, address)))
		return 0;
	pthread_mutex_lock(&naming);
	m = code_module(s, process, &address, low, time);
	if (m)
		found = frames_find(s, m, address);
	pthread_mutex_unlock(&naming);
	*frames = found.at;
	return found.n;
}

/*
 * Returns the frame that stands for a call at an address; NULL: there is none, or no debug
 * information.
 */
static const struct code_frame *site_find(struct symbols *s, struct module *m, uint64_t address)
{
	bool known;
	struct code_frames *f = code_frames_find(&s->sites, m, address, &known);

	if (!known)
		*f = code_site_make(image_naming(s, m, address - m->base), m, address - m->base);
	return f->n ? f->at : NULL;
}

const struct code_frame *symbols_site(const struct trace *t, size_t process, uint64_t address,
				      bool low, int64_t time)
{
	struct symbols *s = symbols_of(t);
	const struct code_frame *site = NULL;
	struct module *m;

	if (process >= s->nprocesses || !s->processes[process].modules.list.n ||
	    (!low && object_names_have(&s->processes[process].names, address)))
		return NULL;
	pthread_mutex_lock(&naming);
	m = code_module(s, process, &address, low, time);
	if (m)
		site = site_find(s, m, address);
	pthread_mutex_unlock(&naming);
	return site;
}

/* What is asked about a code address: of its file, at its address there. */
typedef bool code_ask(struct image *image, const struct module *m, uint64_t address);

/* Asks once about each code address; answers: what was said so far; names: they are all it asks. */
static bool code_answer(const struct trace *t, size_t process, uint64_t address, bool low,
			int64_t time, struct hash_table *answers, code_ask *ask, bool names)
{
	struct symbols *s = symbols_of(t);
	struct module *m;
	struct hash_slot *slot;
	bool is = false;

	if (process >= s->nprocesses || !s->processes[process].modules.list.n)
		return false;
	pthread_mutex_lock(&naming);
	m = code_module(s, process, &address, low, time);
	if (m) {
		slot = hash_table_slot(answers, hash_mix(address), (uint64_t)(uintptr_t)m);
		if (slot->head == HASH_NOTHING)
			slot->head = ask(names ? image_naming(s, m, address - m->base)
					       : image_of(s, m, true),
					 m, address - m->base);
		is = slot->head;
	}
	pthread_mutex_unlock(&naming);
	return is;
}

bool symbols_is_library(const struct trace *t, size_t process, uint64_t address, bool low,
			int64_t time)
{
	return code_answer(t, process, address, low, time, &symbols_of(t)->libraries,
			   code_is_library, true);
}

bool symbols_is_wrapper(const struct trace *t, size_t process, uint64_t address, bool low,
			int64_t time)
{
	return code_answer(t, process, address, low, time, &symbols_of(t)->wrappers,
			   code_is_wrapper, true);
}

static bool code_spins(struct image *image, const struct module *m, uint64_t address)
{
	struct code_bytes c;

	(void)m;
	return image && image_code(image, address, &c) && spin_code_is(&c);
}

bool symbols_spins(const struct trace *t, size_t process, uint64_t address, bool low, int64_t time)
{
	return code_answer(t, process, address, low, time, &symbols_of(t)->spins, code_spins,
			   false);
}

const struct modules *symbols_modules(const struct trace *t, size_t process)
{
	struct symbols *s = symbols_of(t);

	return process < s->nprocesses ? &s->processes[process].modules : NULL;
}

/* ---- objects ---- */

/* Finds out where the variables of all modules are: in files, of which little is read. */
static void modules_locate(struct symbols *s, struct process_symbols *p)
{
	for (size_t i = 0; i < p->modules.list.n && !p->ordered; i++) {
		struct module *m = &p->modules.list.at[i];
		struct image *image = image_of(s, m, false);

		if (!image)
			continue;
		image_range(image, &m->low, &m->high);
		m->low += m->base;
		m->high += m->base;
	}
	if (!p->ordered)
		modules_order_memory(&p->modules);
	p->ordered = true;
}

/* Whether it is a static variable of a function that waits for its caller: "f(int)::words[3]". */
static bool is_of_wait(const struct spec *spec, const char *variable)
{
	const char *end = strstr(variable, ")::");
	char *function = end ? text_format("%.*s)", (int)(end - variable), variable) : NULL;
	bool is = function && object_words_matching(spec, function);

	free(function);
	return is;
}

/*
 * Returns the variable at an address. What a library waits for in the program's place has no name:
 * std::barrier waits for a word that objects share out.
 */
static const char *variable_find(struct symbols *s, struct process_symbols *p, uint64_t address,
				 int64_t time)
{
	struct module *m;
	char **text;
	bool known;

	if (!p->modules.list.n)
		return NULL;
	modules_locate(s, p);
	m = modules_with(&p->modules, address, time);
	if (!m)
		return NULL;
	text = table_text(&s->variables, (uint64_t)(uintptr_t)m, address, &known);
	if (!known) {
		*text = code_variable(image_of(s, m, true), address - m->base);
		if (*text && is_of_wait(s->spec, *text)) {
			free(*text);
			*text = NULL;
		}
	}
	return *text;
}

/* Returns the objects of the trace, which depend on its specification. */
static struct objects *objects_of(const struct trace *t)
{
	struct opened *o = opened_of(t);

	pthread_mutex_lock(&o->making);
	if (!o->objects) {
		o->objects = objects_make(&o->trace);
		o->objects_free = objects_free;
	}
	pthread_mutex_unlock(&o->making);
	return o->objects;
}

/*
 * Writes a number, of which there may be very many, into the buffer; those of attributes with long
 * names are kept.
 */
static const char *number_text(struct symbols *s, char buffer[ADDRESS_TEXT],
			       const struct object *object, const char *kind)
{
	int n = snprintf(buffer, ADDRESS_TEXT, "%s %" PRIu32, kind, object->number);
	char **text;
	bool known;

	if (n < ADDRESS_TEXT)
		return buffer;
	text = table_text(&s->objects, text_hash(kind, 0), object->number, &known);
	if (!known)
		*text = text_format("%s %" PRIu32, kind, object->number);
	return *text;
}

bool symbols_is_numbered(const char *name, const char *attribute)
{
	size_t n = strlen(attribute);

	return strncmp(name, attribute, n) == 0 && name[n] == ' ' &&
	       !name[n + 1 + strspn(name + n + 1, "0123456789")];
}

/* Returns the name that the program gave, or the number. */
static const char *object_find(struct symbols *s, struct objects *objects,
			       char buffer[ADDRESS_TEXT], size_t process, uint64_t address,
			       const struct event *e, const char *kind)
{
	const struct object_names *names = &s->processes[process].names;
	const char *text = NULL;
	struct object object;

	if (!objects_find(objects, process, address, e, &object))
		return NULL;
	if (object_names_have(names, address))
		text = object_names_find(names, address, e->time, object.after, object.until);
	if (!text)
		text = variable_find(s, &s->processes[process], address, e->time);
	return text ? text : number_text(s, buffer, &object, kind ? kind : object.attribute);
}

const char *symbols_object(const struct trace *t, char buffer[ADDRESS_TEXT], size_t process,
			   uint64_t address, const struct event *e, const char *kind)
{
	struct symbols *s = symbols_of(t);
	struct process_symbols *p = &s->processes[process];
	struct objects *objects;
	const char *text = NULL;

	if (process >= s->nprocesses || !address)
		return NULL;
	pthread_mutex_lock(&naming);
	if (!object_names_have(&p->names, address))
		text = variable_find(s, p, address, e->time);
	pthread_mutex_unlock(&naming);
	if (text || !(objects = objects_of(t)))
		return text;
	pthread_mutex_lock(&naming);
	text = object_find(s, objects, buffer, process, address, e, kind);
	pthread_mutex_unlock(&naming);
	return text;
}

bool symbols_life(const struct trace *t, size_t process, uint64_t address, const struct event *e,
		  struct object *found)
{
	struct objects *objects = objects_of(t);
	bool is;

	if (!objects)
		return false;
	pthread_mutex_lock(&naming);
	is = objects_find(objects, process, address, e, found);
	pthread_mutex_unlock(&naming);
	return is;
}

/* ---- places in files ---- */

/* Returns whether the file of a place that was found is there. */
static bool place_set(struct symbols *s, struct module *m, uint64_t address, bool variable,
		      struct file_place *p)
{
	if (!m || !image_of(s, m, false) || m->is_stored)
		return false;
	*p = (struct file_place){m, address - m->base, variable};
	return true;
}

bool symbols_code_place(const struct trace *t, size_t process, uint64_t address, bool low,
			int64_t time, struct file_place *p)
{
	struct symbols *s = symbols_of(t);
	struct module *m;
	bool is;

	pthread_mutex_lock(&naming);
	m = code_module(s, process, &address, low, time);
	is = place_set(s, m, address, false, p);
	pthread_mutex_unlock(&naming);
	return is;
}

bool symbols_object_place(const struct trace *t, size_t process, uint64_t address, int64_t time,
			  struct file_place *p)
{
	struct symbols *s = symbols_of(t);
	struct process_symbols *of = &s->processes[process];
	bool is;

	pthread_mutex_lock(&naming);
	modules_locate(s, of);
	is = place_set(s, modules_with(&of->modules, address, time), address, true, p);
	pthread_mutex_unlock(&naming);
	return is;
}

/* ---- numbers of texts ---- */

/* Texts with the same two hashes are taken for the same. */
int64_t symbols_number(const struct trace *t, const char *text)
{
	struct symbols *s = symbols_of(t);
	uint64_t word = text_hash(text, 1), other = text_hash(text, 2);
	int64_t number;
	char **kept;
	bool known;

	pthread_mutex_lock(&naming);
	kept = table_text(&s->numbered, word, other, &known);
	if (!known)
		*kept = text_format("%s", text);
	number = kept - s->numbered.texts.at;
	pthread_mutex_unlock(&naming);
	return number;
}

const char *symbols_numbered(const struct trace *t, int64_t number)
{
	struct symbols *s = symbols_of(t);
	const char *text;

	pthread_mutex_lock(&naming);
	text = s->numbered.texts.at[number];
	pthread_mutex_unlock(&naming);
	return text;
}
