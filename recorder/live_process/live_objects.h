/*
 * Reads what the objects of glibc's threads have in memory: who owns a mutex, how many wait for a
 * condition variable. Their layouts are those of glibc 2.25 and later.
 */
#ifndef GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_OBJECTS_H
#define GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_OBJECTS_H

#include "recorder/live_process/live_stacks.h"
#include "trace/symbols/wait_objects.h"

enum live_kind {
	LIVE_UNKNOWN, /* what a thread waits for is not known */
	LIVE_NOTHING, /* it does not wait */
	LIVE_MUTEX,
	LIVE_RWLOCK,
	LIVE_CONDITION,
	LIVE_SEMAPHORE,
	LIVE_BARRIER,
	LIVE_JOIN,
	LIVE_ONCE,
	LIVE_FUTEX,      /* a word that no function of a table explains */
	LIVE_DESCRIPTOR, /* input or output */
	LIVE_POLL,       /* any of several descriptors, or a time */
	LIVE_SLEEP,
	LIVE_CHILD, /* the end of a process */
	LIVE_SIGNAL,
	LIVE_CALL, /* another system call */
	LIVE_KINDS
};

struct live_object {
	enum live_kind kind;
	uint64_t address;                 /* of the object, or the futex word; 0: there is none */
	const struct object_words *words; /* the declaration that names it; NULL: none */
	pid_t owner;   /* the thread that it waits for, as the process's memory has it; 0: none */
	bool timed;    /* the wait ends by itself */
	char text[96]; /* what the object's memory says, "2 waiters"; "": nothing */
};

/* Returns what an object is called: "mutex", or the name in its declaration. */
const char *live_object_word(const struct live_object *o);

/*
 * Says what a thread that is blocked by a futex waits for, from its stack and the word. Names of
 * languages come from the declarations of the specification; NULL: there are none.
 */
struct live_object live_futex(const struct live_threads *t, const struct live_thread *thread,
			      const struct live_stack *stack, const struct spec *spec);

#endif
