/* Reads the index of a packed file: its files, and the position and the content of each block. */
#ifndef GLIMPSE_TRACE_PACK_PACK_INDEX_H
#define GLIMPSE_TRACE_PACK_PACK_INDEX_H

#include "trace/pack/buffer.h"
#include "trace/pack/pack_format.h"

/* A file of the directory. */
struct pack_member {
	char *name;    /* FILE, or DIRECTORY/FILE */
	uint32_t mode; /* permissions */
	uint64_t size;
	bool parted;            /* a log that can be read in part */
	uint64_t first, last;   /* if so: least and greatest ticks of its events */
	size_t entry, nentries; /* its blocks among the index' entries, by offset */
};

struct event_count {
	uint32_t id, count;
};

struct pack_entry {
	struct pack_block block;
	int64_t from, to;      /* CLOCK_MONOTONIC, of its events; INT64_MIN, INT64_MAX: unknown */
	size_t count, ncounts; /* which events, among the index' counts; no counts: any event */
};

struct pack_index {
	bool timed;     /* the directory was a trace that could be opened */
	int64_t origin; /* if so: the time of its first event, CLOCK_MONOTONIC */
	struct pack_member *members;
	size_t nmembers;
	struct pack_entry *entries;
	size_t nentries;
	struct event_count *counts;
	size_t ncounts;
};

/* Adds a member, an entry: all zeros. */
struct pack_member *pack_index_member(struct pack_index *x);
struct pack_entry *pack_index_entry(struct pack_index *x);
/* Adds a count to the newest entry. */
void pack_index_count(struct pack_index *x, struct pack_entry *e, uint32_t id, uint32_t count);
void pack_index_clear(struct pack_index *x);

/* Sorts the entries by file and offset, and sets the members' entries. */
void pack_index_sort(struct pack_index *x);

/* Writes the list of files, which begins a packed file; writes all of the index. */
void pack_index_write_members(struct byte_buffer *to, const struct pack_index *x);
void pack_index_write(struct byte_buffer *to, const struct pack_index *x);

/*
 * Reads what the functions above wrote into an empty index. Returns false if the bytes are no
 * index: a name leads elsewhere, or offsets are out of order.
 */
bool pack_index_read_members(struct byte_view *from, struct pack_index *x);
bool pack_index_read(struct byte_view *from, struct pack_index *x);

#endif
