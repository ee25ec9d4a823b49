/* Finds the classes of one thread's spans, with one look-up if the same class began before. */
#ifndef GLIMPSE_ANALYSIS_ACTIVITY_SPAN_CLASSES_H
#define GLIMPSE_ANALYSIS_ACTIVITY_SPAN_CLASSES_H

#include "analysis/activity/instance_set.h"
#include "base/hash.h"

/* It has no keys, and is about no object and processor. */
extern const struct span_class span_class_none;

struct known_class {
	int64_t until; /* the address is the same object before then */
	uint32_t class;
};

struct thread_classes {
	const struct instance_set *set;
	VECTOR(struct span_class) found; /* of this thread; keys are set by span_classes_merge() */
	VECTOR(struct known_class) known;
	struct hash_table *by_role; /* by object and first code: in known */
	struct hash_table rare;     /* by all that a class is about: in found */
};

void thread_classes_open(struct thread_classes *c, const struct instance_set *set);
void thread_classes_close(struct thread_classes *c);
/* Returns the number of the class of what begins with an event; role: in the set's. */
uint32_t thread_class_of(struct thread_classes *c, uint32_t role, const struct event *start,
			 uint64_t conditions);

/*
 * Adds the classes of a thread to those of the set, with their keys. Returns the set's class of
 * each of them, as an array that the caller frees.
 */
uint32_t *span_classes_merge(struct instance_set *set, struct hash_table *known,
			     const struct thread_classes *c);

#endif
