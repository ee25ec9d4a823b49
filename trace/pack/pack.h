/* Opens a packed file, and reads the files of its log directory. */
#ifndef GLIMPSE_TRACE_PACK_PACK_H
#define GLIMPSE_TRACE_PACK_PACK_H

#include "base/file.h"
#include "grammar/diag.h"
#include "trace/pack/pack_index.h"

struct pack {
	const char *path; /* the caller's */
	unsigned holders;
	struct file file;
	struct pack_index index;
	const struct pack_member **by_name; /* the index' members, sorted */
};

/* Which blocks of logs are read: besides those that every log needs, those that are wanted. */
struct pack_filter {
	bool (*wanted)(const void *context, const struct pack_index *x, const struct pack_entry *e);
	const void *context;
};

/* Contiguous bytes of a file that are there. */
struct unpacked_range {
	uint64_t from, to;
	bool lost;           /* the bytes before it are damaged, not only left out */
	bool timed;          /* upper is known */
	uint64_t upper, seq; /* as in struct pack_block, of its first block */
};

/* A file in memory; what is in no range is not there. */
struct unpacked {
	struct file file; /* damaged bytes are 0xff */
	struct unpacked_range *ranges;
	size_t nranges;
	uint64_t lost;    /* bytes that are damaged or missing */
	uint64_t lost_at; /* the first of them */
	bool whole;       /* nothing was left out */
};

/* Returns whether the file at a path is a packed file. */
bool pack_is(const char *path);
/*
 * Opens a packed file; returns NULL, after a report to diag, if nothing of it can be read. Warns
 * diag if the index is damaged, and reads all blocks that are intact.
 */
struct pack *pack_open(const char *path, struct diag *diag);
/*
 * Opens a packed file as pack_open() does; one that would unpack to more bytes than the limit is an
 * error. pack_open() has the limit PACK_LIMIT, or, if that is more, PACK_RATIO times the file.
 */
#define PACK_LIMIT (UINT64_C(1) << 30)
#define PACK_RATIO 200
struct pack *pack_open_limited(const char *path, uint64_t limit, struct diag *diag);
/* Delays closing until pack_close() is called once more; NULL stays NULL. */
struct pack *pack_hold(struct pack *p);
void pack_close(struct pack *p);

/* Returns the index of a member, or SIZE_MAX. */
size_t pack_find(const struct pack *p, const char *name);
/*
 * Unpacks a file on all processors; filter: NULL, or which of its blocks. Returns false when there
 * is no memory. unpacked_clear() frees the result.
 */
bool pack_load(const struct pack *p, size_t member, const struct pack_filter *filter,
	       struct unpacked *u);
void unpacked_clear(struct unpacked *u);
/* Opens a descriptor of a whole, small file; -1 with errno set if it is damaged, or missing. */
int pack_descriptor(const struct pack *p, const char *name);

#endif
