#include "trace/symbols/store_names.h"
#include "base/array.h"
#include "base/file_open.h"
#include "base/hash.h"
#include "base/print.h"
#include "spec/layout.h"
#include "trace/open/opened.h"
#include "trace/stream/pass.h"
#include "trace/symbols/image.h"
#include "trace/symbols/modules.h"
#include "trace/symbols/symbols.h"
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- the addresses of a run ---- */

typedef VECTOR(struct file_place) file_places;

/* Addresses that were seen lately: most events have the address of an earlier one. */
enum { RECENT = 4096 };

struct recent {
	uint64_t address;
	uint32_t process;
	enum type type;
};

struct address_pass {
	const struct trace *trace;
	uint32_t *process_of;      /* by thread */
	struct hash_table seen;    /* addresses of code in the events, by process and type */
	struct hash_table objects; /* the same of objects that are variables */
	file_places *places;       /* by process */
	struct recent *recent;
	pthread_mutex_t mutex;
};

/*
 * A call returns to an address: the byte before it has the call's line. The address of a frame is
 * within the call, whose return is looked for behind it.
 */
static void code_add(file_places *to, struct file_place place)
{
	for (int i = -1; i <= 1; i++) {
		struct file_place *one = vector_add(to);

		*one = place;
		one->address += (uint64_t)i;
	}
}

/* If several files were at an address in turn, the first one that is met counts. */
static void code_seen(struct address_pass *p, uint32_t process, uint64_t address, bool low,
		      int64_t time)
{
	struct file_place place;
	struct hash_slot *slot =
	    hash_table_slot(&p->seen, hash_mix(address), (uint64_t)process << 1 | low);

	if (slot->head != HASH_NOTHING)
		return;
	slot->head = 0;
	if (symbols_code_place(p->trace, process, address, low, time, &place))
		code_add(&p->places[process], place);
}

/* Of objects, those on the heap are not kept in mind: there may be millions. */
static void object_seen(struct address_pass *p, uint32_t process, uint64_t address, int64_t time)
{
	struct file_place place;
	struct hash_slot *slot;

	if (!symbols_object_place(p->trace, process, address, time, &place))
		return;
	slot = hash_table_slot(&p->objects, hash_mix(address), process);
	if (slot->head == HASH_NOTHING)
		*vector_add(&p->places[process]) = place;
	slot->head = 0;
}

static bool is_recent(struct address_pass *p, uint32_t process, uint64_t address, enum type type)
{
	struct recent *r = &p->recent[hash_mix(address + type) % RECENT];
	bool is = r->address == address && r->process == process && r->type == type;

	*r = (struct recent){address, process, type};
	return is;
}

static void chunk_take(void *context, const struct event_chunk *c)
{
	struct address_pass *p = context;
	uint32_t process = p->process_of[c->thread];

	pthread_mutex_lock(&p->mutex);
	for (unsigned a = 0; a < c->type->nattributes; a++) {
		enum type type = c->type->attributes[a].type;

		for (size_t i = 0; i < c->n && type_is_address(type); i++) {
			uint64_t address = (uint64_t)record_value(c->type, a, c->record[i]).integer;

			if (!address || is_recent(p, process, address, type))
				continue;
			if (type == TYPE_OBJECT)
				object_seen(p, process, address, c->time[i]);
			else if (type != TYPE_ADDRESS)
				code_seen(p, process, address, type == TYPE_CODE32, c->time[i]);
		}
	}
	pthread_mutex_unlock(&p->mutex);
}

static bool has_addresses(const struct event_type *type)
{
	bool has = false;

	for (unsigned a = 0; a < type->nattributes; a++)
		has |= type_is_address(type->attributes[a].type);
	return has;
}

static void addresses_find(struct address_pass *p)
{
	const struct trace *t = p->trace;
	bool *wanted = array_zero(t->spec->nevents + 1, sizeof *wanted);

	p->process_of = array_zero(t->nthreads, sizeof *p->process_of);
	p->places = array_zero(t->nprocesses, sizeof *p->places);
	p->recent = array_zero(RECENT, sizeof *p->recent);
	for (unsigned i = 0; i < t->nprocesses; i++)
		for (uint32_t k = 0; k < t->processes[i].nthreads; k++)
			p->process_of[t->processes[i].first_thread + k] = i;
	for (unsigned i = 0; i < t->spec->nevents; i++)
		wanted[i] = has_addresses(t->spec->events[i]);
	pthread_mutex_init(&p->mutex, NULL);
	trace_visit_events(t, wanted, chunk_take, p);
	pthread_mutex_destroy(&p->mutex);
	hash_table_free(&p->seen);
	hash_table_free(&p->objects);
	free(p->process_of);
	free(p->recent);
	free(wanted);
}

/* ---- writing ---- */

/* A file `names` that is written. */
struct names_file {
	FILE *f;
	struct hash_table numbers; /* of texts, by hash and length; head: their numbers */
	uint32_t ntexts;
	file_places *places;
	size_t next; /* the place to be written next */
};

/* Returns the number of a text; 0: none. A new one gets a line. */
static uint32_t text_number(struct names_file *n, const char *text)
{
	struct hash_slot *slot;

	if (!text)
		return 0;
	slot = hash_table_slot(&n->numbers, hash_text(text), strlen(text));
	if (slot->head == HASH_NOTHING) {
		slot->head = ++n->ntexts;
		fputs("text ", n->f);
		print_octal_line(n->f, text, strlen(text));
	}
	return slot->head;
}

/* Writes a line of numbers after the texts that it names. */
static void code_write(struct names_file *n, struct image *image, uint64_t address)
{
	struct inlined_call calls[INLINED_MOST];
	uint32_t files[INLINED_MOST], names[INLINED_MOST], name, file;
	unsigned line = 0;
	struct place p;
	size_t ncalls;

	if (!image_function(image, address, &p))
		return;
	name = text_number(n, p.name);
	file = text_number(n, image_line(image, address, &line));
	ncalls = image_inlined(image, address, calls);
	for (size_t i = 0; i < ncalls; i++) {
		files[i] = text_number(n, calls[i].file);
		names[i] = text_number(n, calls[i].name);
		free(calls[i].name);
	}
	fprintf(n->f, "code %" PRIx64 " %" PRIx64 " %" PRIu32 " %u %" PRIu32, address, p.offset,
		name, line, file);
	for (size_t i = 0; i < ncalls; i++)
		fprintf(n->f, " %u %" PRIu32 " %" PRIu32, calls[i].line, files[i], names[i]);
	putc('\n', n->f);
}

static void variable_write(struct names_file *n, struct image *image, uint64_t address)
{
	uint32_t name, member;
	struct place p;
	char *text;

	if (!image_variable(image, address, &p))
		return;
	text = image_member(image, address, &p);
	name = text_number(n, p.name);
	member = text_number(n, text);
	free(text);
	fprintf(n->f, "data %" PRIx64 " %" PRIx64 " %" PRIu32 " 0 %" PRIu32 "\n", address, p.offset,
		name, member);
}

static void module_write(struct names_file *n, const struct module *m)
{
	char id[BUILD_ID_TEXT];
	uint64_t low, high;

	image_range(m->image, &low, &high);
	fprintf(n->f, "file %" PRIx64 " %" PRIx64 " %s ", low, high,
		m->id.n ? build_id_text(id, &m->id) : "-");
	print_octal_line(n->f, m->path, strlen(m->path));
}

/* Those of the program's own files first. */
static int order_by_place(const void *a, const void *b)
{
	const struct file_place *p = a, *q = b;
	bool packaged = image_is_packaged(p->module->image);

	if (packaged != image_is_packaged(q->module->image))
		return packaged ? 1 : -1;
	if (p->module != q->module)
		return p->module < q->module ? -1 : 1;
	if (p->variable != q->variable)
		return p->variable - q->variable;
	return p->address < q->address ? -1 : p->address > q->address;
}

/* Writes on, up to the first place in another kind of file. */
static void places_write(struct names_file *n, bool packaged)
{
	const file_places *p = n->places;

	for (; n->next < p->n; n->next++) {
		const struct file_place *one = &p->at[n->next], *last = n->next ? one - 1 : NULL;
		struct image *image = one->module->image;

		if (image_is_packaged(image) != packaged)
			break;
		if (!last || one->module != last->module)
			module_write(n, one->module);
		else if (order_by_place(one, last) == 0)
			continue;
		if (one->variable)
			variable_write(n, image, one->address);
		else
			code_write(n, image, one->address);
	}
	fflush(n->f);
}

/* The lock says that more will come. It is no error if the file system has none. */
static FILE *names_create(const struct directory *d)
{
	char *path = directory_join(d, "names");
	FILE *f;

	unlink(path);
	f = file_make_private(path);
	free(path);
	if (f)
		flock(fileno(f), LOCK_EX | LOCK_NB);
	return f;
}

/* Writes those of the program's own files. */
static void names_begin(struct names_file *n, const struct directory *d, file_places *p)
{
	n->f = names_create(d);
	n->places = p;
	qsort(p->at, p->n, sizeof *p->at, order_by_place);
	if (n->f)
		places_write(n, false);
}

static bool names_close(struct names_file *n)
{
	bool good = !ferror(n->f);

	hash_table_free(&n->numbers);
	return fclose(n->f) == 0 && good;
}

/* A run of many processes has as many files, all open. */
static void descriptors_raise(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

bool store_names(const struct trace *t, void (*own_stored)(void *context), void *context)
{
	struct address_pass p = {.trace = t};
	struct names_file *files = array_zero(t->nprocesses, sizeof *files);
	bool good = true;

	descriptors_raise();
	addresses_find(&p);
	for (unsigned i = 0; i < t->nprocesses; i++) {
		if (!p.places[i].n)
			continue;
		names_begin(&files[i], &opened_of(t)->directories[i], &p.places[i]);
		good &= files[i].f && !ferror(files[i].f);
	}
	if (good)
		own_stored(context);
	for (unsigned i = 0; i < t->nprocesses; i++) {
		if (files[i].f) {
			places_write(&files[i], true);
			good &= names_close(&files[i]);
		}
		free(p.places[i].at);
	}
	free(p.places);
	free(files);
	return good;
}
