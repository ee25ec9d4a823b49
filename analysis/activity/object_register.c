#include "analysis/activity/object_register.h"
#include "spec/layout.h"
#include "trace/address.h"
#include "trace/symbols/objects.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

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

uint32_t lock_register_find(struct lock_register *r, const struct role *role,
			    const struct role_end *end, const struct event *e, int64_t *until)
{
	size_t process = process_of_event(r->trace, e);
	struct lock lock = {.process = process, .first = *e, .attribute = end->object, .kind = ""};
	struct hash_slot *slot;
	uint64_t key, rest;
	uint32_t number;

	*until = INT64_MAX;
	pthread_mutex_lock(&r->mutex);
	if (end->object < 0) {
		lock.name = style_label(&role->interval->style, role->interval->name);
		key = (uint64_t)symbols_number(r->trace, lock.name);
		rest = UINT64_MAX - process;
	} else {
		lock.kind = e->type->attributes[end->object].name;
		lock.is_thread = names_thread(r, lock.kind);
		key = lock.address =
		    (uint64_t)record_value(e->type, (unsigned)end->object, e->record).integer;
		rest = process ^ generation(r, process, lock.address, e, until);
	}
	slot = hash_table_slot(&r->known, hash_mix(key), rest);
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)r->locks.n;
		*vector_add(&r->locks) = lock;
	}
	number = slot->head;
	pthread_mutex_unlock(&r->mutex);
	return number;
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

void lock_register_name(struct lock_register *r)
{
	for (size_t i = 0; i < r->locks.n; i++) {
		struct lock *l = &r->locks.at[i];

		if (!l->name)
			l->name = address_key_text(
			    r->trace, address_key(r->trace, &l->first, (unsigned)l->attribute));
	}
}
