/*
 * Numbers objects and call sites for all threads. Any thread may ask; each keeps the answers, so it
 * asks once for each object and call site.
 */
#ifndef GLIMPSE_ANALYSIS_ACTIVITY_OBJECT_REGISTER_H
#define GLIMPSE_ANALYSIS_ACTIVITY_OBJECT_REGISTER_H

#include "analysis/activity/roles.h"
#include "base/array.h"
#include "base/hash.h"
#include "trace/trace.h"
#include <pthread.h>

#define NO_SITE UINT32_MAX
#define NO_LOCK UINT32_MAX

struct lock {
	/*
	 * Both are kept by the trace. The label is the name, or where locks of several processes
	 * have that "NAME of PROCESS".
	 */
	const char *name, *label;
	/*
	 * what a declaration calls it, or the name of the attribute: "lock", "semaphore"; ""
	 * without one
	 */
	const char *kind;
	bool is_thread;  /* a wait for it is one for a thread's end */
	bool is_outside; /* an interval's label, whose waits no thread ends: a sleep */
	bool by_name;    /* it is all that is called so and waited for: a declaration says so */
	size_t process;  /* index in the trace's processes */
	uint64_t address;
	struct event first; /* that had it, in this attribute; -1: it is an interval's label */
	int attribute;
};

/* By process and address: the order in which they are met is not the same in each run. */
static inline int lock_compare(const struct lock *a, const struct lock *b)
{
	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a->first.time > b->first.time) - (a->first.time < b->first.time);
}

struct lock_register {
	struct trace *trace;
	pthread_mutex_t mutex;
	bool ends; /* there are events that end objects: an address may be several */
	VECTOR(struct lock) locks;
	VECTOR(const char *) sites; /* "function+0x12 (file.c:41)" */
	struct hash_table known, known_sites;
	const struct role *lives;
	unsigned nlives;
};

/* lives: those of threads. */
void lock_register_open(struct lock_register *r, struct trace *t, const struct role *lives,
			unsigned nlives);
void lock_register_close(struct lock_register *r);

/*
 * Returns the number of the object at an end of an interval; *until: the address is that object
 * before this time. At this time itself it depends on the event.
 */
uint32_t lock_register_find(struct lock_register *r, const struct role *role,
			    const struct role_end *end, const struct event *e, int64_t *until);
/* Returns the number of the object in an event's attribute, or NO_LOCK if it has none yet. */
uint32_t lock_register_known(struct lock_register *r, const struct role_end *end,
			     const struct event *e);
/* Returns the number of the place that the first code attribute of an end has, or NO_SITE. */
uint32_t lock_register_site(struct lock_register *r, const struct role_end *end,
			    const struct event *e);
/*
 * Gives all objects their names, and labels. What has a label keeps it, also if objects that were
 * found later have its name.
 */
void lock_register_name(struct lock_register *r);
/*
 * Returns whether an object is meant: exact: by its label; else by a pattern of its label or of its
 * name, which may be that of several.
 */
bool lock_is_called(const struct lock *l, const char *what, bool exact);
/* Returns the name of the object with a label; the label itself if none has it. */
const char *lock_name_of(const struct lock_register *r, const char *label);

static inline const char *lock_site_text(const struct lock_register *r, uint32_t site)
{
	return site == NO_SITE ? "" : r->sites.at[site];
}

#endif
