/*
 * What the files logs_*.c share: logs.c begins and ends, logs_types has event types, logs_threads
 * processes and threads, logs_names the names of addresses, logs_write the records.
 */
#ifndef GLIMPSE_FORMATS_LOGS_INSIDE_H
#define GLIMPSE_FORMATS_LOGS_INSIDE_H

#include "base/array.h"
#include "base/hash.h"
#include "formats/logs.h"
#include "trace/format/record.h"
#include <stdio.h>

enum {
	SPECS_MOST = 8,
	HEAD_ROOM = 2048,  /* of each log, for its header and the notes that say what its ids are */
	MADE_FIRST = 2048, /* the first id of events of the specification that is made */
	MADE_MOST = RECORD_IDS - MADE_FIRST,
	BUFFER = 32768 /* of a thread; one that logs more gets a larger one */
};

struct logs_event {
	const struct event_type *type;
	/* a specification of this event alone; NULL: it is of one that was added */
	struct spec *alone;
	uint32_t id;
};

struct added_spec {
	struct spec *spec;
	struct logs_event *events;
	uint32_t base;
};

struct logs_thread {
	struct logs_process *process;
	uint64_t tid;
	uint32_t number;
	char *name, *later; /* in the header; from a note at the end, or NULL */
	unsigned char *buffer;
	size_t used, room;
	uint64_t upper; /* of the time of the last event; UINT64_MAX: none yet */
	int64_t first;
	bool begun; /* there is a file */
	bool kept;  /* there is one even without events */
};

/* A name that an address has from a time on. */
struct address_name {
	uint64_t address;
	int64_t time;
	char *name;
	bool ended; /* the object that had it */
};

struct logs_process {
	struct logs *logs;
	uint32_t pid;
	char *name, *path;
	/* its name is to be this; NULL: one that is made; "": it is that of the logs */
	char *directory;
	VECTOR(struct logs_thread *) threads;
	struct hash_table by_tid;
	char *numbered;      /* by number: whether a thread has it */
	VECTOR(char *) code; /* names of code, by its address */
	struct hash_table by_code;
	VECTOR(struct address_name) names;
	struct hash_table by_address; /* head: the last name of an address */
	size_t nnumbered;
};

struct logs {
	char *directory, *name;
	struct diag *diag;
	struct added_spec added[SPECS_MOST];
	unsigned nadded;
	uint32_t next_id;
	VECTOR(struct logs_event *) made;
	FILE *text; /* of the specification that is made: its events, then its intervals */
	char *events_text, *intervals_text;
	size_t events_size, intervals_size;
	FILE *intervals;
	VECTOR(char *) names; /* of events that are taken */
	VECTOR(struct logs_process *) processes;
	struct hash_table by_pid;
	int64_t first, last; /* of all events */
	int64_t ahead;       /* real time less the time of events */
	bool dated;
	uint64_t events, misfits, cut, negative;
	int error; /* of the first write that failed */
};

/* Notes the error of errno, if it is the first one. */
static inline void logs_failed(struct logs *l, int error)
{
	if (!l->error)
		l->error = error;
}

/* Gives a key of a table an index, another one than it may have had. */
static inline void logs_note(struct hash_table *t, uint64_t key, size_t index)
{
	struct hash_slot *slot = hash_table_slot(t, hash_mix(key), key);

	slot->head = (uint32_t)index;
	slot->tail = 0;
}

/* Returns an identifier that looks like a text. The caller frees it. */
char *logs_identifier(const char *text, const char *otherwise);
/*
 * Returns a name, which it takes over, that is no keyword and that none of the list has. The caller
 * frees it.
 */
char *logs_unique_name(char *name, char *const *list, size_t n);

/* Returns the last name of an address, or NULL. */
struct address_name *logs_address_find(const struct logs_process *p, uint64_t address);
/*
 * Writes the files that give code and objects of a process their names. Returns false with errno
 * set.
 */
bool logs_names_write(const struct logs_process *p);

/* Appends what a thread has logged to its file. */
void logs_flush(struct logs_thread *t);
/* Returns room for a record of at most `size` bytes; the caller counts those that it uses. */
unsigned char *logs_room(struct logs_thread *t, size_t size);
/* Logs the name that a thread was given after its log began. */
void logs_later_put(struct logs_thread *t);

#endif
