/* A packed file, opened for reading: the files of a log directory. */
#ifndef GLIMPSE_TRACE_PACK_PACK_H
#define GLIMPSE_TRACE_PACK_PACK_H

#include "base/file.h"
#include "grammar/diag.h"
#include "trace/pack/pack_index.h"

struct pack {
	const char *path;       /* the caller's */
	struct file file;
	struct pack_index index;
	const struct pack_member **by_name;     /* the index' members, sorted */
};

/* Which blocks of logs are to be read: those that wanted() says, and those without which no log can be understood. */
struct pack_filter {
	bool (*wanted)(const void *context, const struct pack_index *x, const struct pack_entry *e);
	const void *context;
};

/* Contiguous bytes of a file that are there. */
struct unpacked_range {
	uint64_t from, to;
	bool lost;              /* what stood before them is damaged, not only left out */
	bool timed;             /* upper is known */
	uint64_t upper, seq;    /* as in struct pack_block, of the first */
};

/* A file in memory; what is not in a piece is no part of it. */
struct unpacked {
	struct file file;       /* where what is damaged stood: ff */
	struct unpacked_range *ranges;
	size_t nranges;
	uint64_t lost;          /* bytes that are damaged or missing */
	uint64_t lost_at;       /* the first of them */
	bool whole;             /* nothing was left out */
};

/* Whether there is a packed file at that path. */
bool pack_is(const char *path);
/*
 * NULL, and diag knows why, when it cannot be read at all. A file without an intact index is read as far as its blocks
 * go, with a warning.
 */
struct pack *pack_open(const char *path, struct diag *diag);
void pack_close(struct pack *p);

/* Its place in the index, or SIZE_MAX. */
size_t pack_find(const struct pack *p, const char *name);
/*
 * Unpacks a file on all processors; filter: NULL, or which of its blocks. False when there is no memory. unpacked_clear() frees
 * what file has no more.
 */
bool pack_load(const struct pack *p, size_t member, const struct pack_filter *filter, struct unpacked *u);
void unpacked_clear(struct unpacked *u);
/* The whole file behind a descriptor, for small ones; -1 with errno set when it is damaged, or not there. */
int pack_descriptor(const struct pack *p, const char *name);

#endif
