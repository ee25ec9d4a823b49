/* What a packed file says of itself: its files, and of each block where it is and what it has. */
#ifndef GLIMPSE_TRACE_PACK_PACK_INDEX_H
#define GLIMPSE_TRACE_PACK_PACK_INDEX_H

#include "trace/pack/buffer.h"
#include "trace/pack/pack_format.h"

/* A file of the directory. */
struct pack_member {
	char *name;
	uint32_t mode;          /* permissions */
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
	int64_t from, to;       /* times of its first and last event, CLOCK_MONOTONIC; INT64_MIN and INT64_MAX: unknown */
	size_t count, ncounts;  /* which events, among the index' counts; none known: any */
};

struct pack_index {
	bool timed;             /* the directory was a trace that could be opened */
	int64_t origin;         /* if so: the time of its first event, CLOCK_MONOTONIC */
	struct pack_member *members;
	size_t nmembers;
	struct pack_entry *entries;
	size_t nentries;
	struct event_count *counts;
	size_t ncounts;
};

/* One more, all zeros. */
struct pack_member *index_member(struct pack_index *x);
struct pack_entry *index_entry(struct pack_index *x);
void index_count(struct pack_index *x, struct pack_entry *e, uint32_t id, uint32_t count);
void index_clear(struct pack_index *x);

/* Puts the entries in order, by file and offset, and tells the members where theirs are. */
void index_sort(struct pack_index *x);

/* The list of files alone, as it stands at the beginning; and all. */
void index_write_members(struct blob *to, const struct pack_index *x);
void index_write(struct blob *to, const struct pack_index *x);

/* Into an empty index; false when that is none: names that are no names of files, offsets that have no order. */
bool index_read_members(struct view *from, struct pack_index *x);
bool index_read(struct view *from, struct pack_index *x);

#endif
