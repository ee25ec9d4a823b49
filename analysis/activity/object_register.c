#include "analysis/activity/object_register.h"
#include "spec/layout.h"
#include "trace/address.h"
#include "trace/symbols/objects.h"
#include "trace/symbols/stack_sites.h"
#include "trace/symbols/symbols.h"
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* In place of what tells objects of one address apart: they are known by their call sites. */
#define BY_SITE (UINT64_MAX / 2)
/* In place of a process: a name is that of objects of several. */
#define SEVERAL (HASH_NOTHING - 1)

/* The objects that lives of threads are about are threads. */
static bool names_thread(const struct lock_register *r, const char *attribute)
{
	for (unsigned i = 0; i < r->nlives; i++) {
		const struct role_end *start = &r->lives[i].start;

		if (start->object >= 0 &&
		    strcmp(start->event->attributes[start->object].name, attribute) == 0)
			return true;
	}
	return false;
}

void lock_register_open(struct lock_register *r, struct trace *t, const struct role *lives,
			unsigned nlives)
{
	*r = (struct lock_register){
	    .trace = t, .mutex = PTHREAD_MUTEX_INITIALIZER, .lives = lives, .nlives = nlives};
	for (unsigned i = 0; i < t->spec->nevents; i++)
		r->ends |= t->spec->events[i]->ends_attribute >= 0 && t->events_of_type[i];
}

void lock_register_close(struct lock_register *r)
{
	pthread_mutex_destroy(&r->mutex);
	hash_table_free(&r->known);
	hash_table_free(&r->known_sites);
	free(r->locks.at);
	free(r->sites.at);
}

/* Returns what tells apart the objects that were at one address. */
static uint64_t generation(struct lock_register *r, size_t process, uint64_t address,
			   const struct event *e, int64_t *until)
{
	struct object object;

	*until = INT64_MAX;
	if (!r->ends || !symbols_life(r->trace, process, address, e, &object))
		return 0;
	*until = object.until;
	return hash_mix((uint64_t)symbols_number(r->trace, object.attribute) << 32 | object.number);
}

/* How an object is found: by a hash, and what else tells it apart. */
struct lock_key {
	uint64_t hash, rest;
};

/* Fill in an object of an attribute, or an interval's label, and return its key. */
static struct lock_key object_key(struct lock_register *r, const struct role_end *end,
				  const struct event *e, struct lock *lock, int64_t *until)
{
	size_t process = process_of_event(r->trace, e);
	const struct object_words *words;
	const char *by_site;

	*lock = (struct lock){.process = process, .first = *e, .attribute = end->object};
	lock->kind = e->type->attributes[end->object].name;
	lock->is_thread = names_thread(r, lock->kind);
	words = object_words_of(r->trace, e, end->object);
	by_site = object_by_site(r->trace, e);
	if (words && !words->of)
		lock->kind = words->name;
	lock->by_name = words && words->by_name;
	if (lock->by_name)
		by_site = words->name;
	if (by_site) {
		lock->address = (uint64_t)symbols_number(r->trace, by_site);
		return (struct lock_key){hash_mix(lock->address), BY_SITE - process};
	}
	lock->address = (uint64_t)record_value(e->type, (unsigned)end->object, e->record).integer;
	return (struct lock_key){hash_mix(lock->address),
				 process ^ generation(r, process, lock->address, e, until)};
}

static struct lock_key label_key(struct lock_register *r, const struct role *role,
				 const struct event *e, struct lock *lock)
{
	size_t process = process_of_event(r->trace, e);

	*lock = (struct lock){.process = process, .first = *e, .attribute = -1, .kind = ""};
	lock->name = style_label(&role->interval->style, role->interval->name);
	lock->is_outside = role->interval->until != NULL;
	return (struct lock_key){hash_mix((uint64_t)symbols_number(r->trace, lock->name)),
				 UINT64_MAX - process};
}

uint32_t lock_register_find(struct lock_register *r, const struct role *role,
			    const struct role_end *end, const struct event *e, int64_t *until)
{
	struct lock lock;
	struct lock_key key;
	struct hash_slot *slot;
	uint32_t number;

	*until = INT64_MAX;
	pthread_mutex_lock(&r->mutex);
	key = end->object < 0 ? label_key(r, role, e, &lock) : object_key(r, end, e, &lock, until);
	slot = hash_table_slot(&r->known, key.hash, key.rest);
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)r->locks.n;
		*vector_add(&r->locks) = lock;
	}
	number = slot->head;
	pthread_mutex_unlock(&r->mutex);
	return number;
}

uint32_t lock_register_known(struct lock_register *r, const struct role_end *end,
			     const struct event *e)
{
	const struct hash_slot *slot;
	struct lock lock;
	struct lock_key key;
	int64_t until;

	pthread_mutex_lock(&r->mutex);
	key = object_key(r, end, e, &lock, &until);
	slot = hash_table_find(&r->known, key.hash, key.rest);
	pthread_mutex_unlock(&r->mutex);
	return slot ? slot->head : NO_LOCK;
}

uint32_t lock_register_site(struct lock_register *r, const struct role_end *end,
			    const struct event *e)
{
	struct hash_slot *slot;
	uint32_t number;
	int64_t key;

	if (end->code[0] < 0)
		return NO_SITE;
	key = address_key(r->trace, e, (unsigned)end->code[0]);
	pthread_mutex_lock(&r->mutex);
	slot = hash_table_slot(&r->known_sites, hash_mix((uint64_t)key), 0);
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)r->sites.n;
		*vector_add(&r->sites) = address_key_text(r->trace, key);
	}
	number = slot->head;
	pthread_mutex_unlock(&r->mutex);
	return number;
}

/* Returns whether the locks of several processes have the name of one. */
static bool is_shared_name(const struct hash_table *owners, int64_t name)
{
	const struct hash_slot *slot = hash_table_find(owners, hash_mix((uint64_t)name), 0);

	return slot && slot->head == SEVERAL;
}

static void owner_add(struct hash_table *owners, int64_t name, size_t process)
{
	struct hash_slot *slot = hash_table_slot(owners, hash_mix((uint64_t)name), 0);

	if (slot->head == HASH_NOTHING)
		slot->head = (uint32_t)process;
	else if (slot->head != process)
		slot->head = SEVERAL;
}

static const char *label_of(const struct lock_register *r, const struct lock *l)
{
	const struct trace_process *p = &r->trace->processes[l->process];
	char *process = trace_process_name(p), *text = text_format("%s of %s", l->name, process);
	const char *label = symbols_numbered(r->trace, symbols_number(r->trace, text));

	free(text);
	free(process);
	return label;
}

void lock_register_name(struct lock_register *r)
{
	struct hash_table owners = {0}; /* process, or SEVERAL, by the number of a name */

	for (size_t i = 0; i < r->locks.n; i++) {
		struct lock *l = &r->locks.at[i];
		int64_t name;

		if (l->attribute < 0)
			continue;
		name = address_key(r->trace, &l->first, (unsigned)l->attribute);
		l->name = address_key_text(r->trace, name);
		owner_add(&owners, name, l->process);
	}
	for (size_t i = 0; i < r->locks.n; i++) {
		struct lock *l = &r->locks.at[i];

		if (!l->label)
			l->label =
			    l->attribute >= 0 &&
				    is_shared_name(&owners, symbols_number(r->trace, l->name))
				? label_of(r, l)
				: l->name;
	}
	hash_table_free(&owners);
}

bool lock_is_called(const struct lock *l, const char *what, bool exact)
{
	if (strcmp(what, l->label) == 0)
		return true;
	return !exact && (fnmatch(what, l->label, 0) == 0 || fnmatch(what, l->name, 0) == 0);
}

const char *lock_name_of(const struct lock_register *r, const char *label)
{
	for (size_t i = 0; i < r->locks.n; i++)
		if (r->locks.at[i].label && strcmp(r->locks.at[i].label, label) == 0)
			return r->locks.at[i].name;
	return label;
}
