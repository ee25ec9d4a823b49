#include "recorder/numbers.h"
#include "base/array.h"
#include "base/file_open.h"
#include "base/search.h"
#include "recorder/processes.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static VECTOR(struct number) noted;

/* ---- notes ---- */

static uint64_t space_inode(const char *path)
{
	struct stat s;

	return stat(path, &s) == 0 ? s.st_ino : 0;
}

uint64_t numbers_own_space(void)
{
	static uint64_t own;

	if (!own)
		own = space_inode("/proc/self/ns/pid");
	return own;
}

uint64_t numbers_space(uint32_t pid)
{
	char path[32];
	uint64_t space;

	snprintf(path, sizeof path, "/proc/%" PRIu32 "/ns/pid", pid);
	space = space_inode(path);
	return space == numbers_own_space() ? 0 : space;
}

void numbers_note(uint64_t space, uint32_t pid, uint32_t tid, int64_t since)
{
	uint32_t inner = thread_number_inside((pid_t)pid, (pid_t)tid);

	if (inner)
		*vector_add(&noted) = (struct number){tid, since, space, inner};
}

void numbers_write(const char *path)
{
	FILE *f = noted.n ? file_make_private(path) : NULL;

	for (size_t i = 0; f && i < noted.n; i++)
		fprintf(f, "%" PRIu32 " %" PRId64 " %" PRIu64 " %" PRIu32 "\n", noted.at[i].tid,
			noted.at[i].since, noted.at[i].space, noted.at[i].inner);
	if (f)
		fclose(f);
	free(noted.at);
	memset(&noted, 0, sizeof noted);
}

/* ---- the file ---- */

static int number_order(const void *left, const void *right)
{
	const struct number *a = left, *b = right;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return (a->since > b->since) - (a->since < b->since);
}

struct numbers numbers_read(const char *path)
{
	VECTOR(struct number) all = {0};
	FILE *f = fopen(path, "re");
	struct number x;

	while (f && fscanf(f, "%" SCNu32 " %" SCNd64 " %" SCNu64 " %" SCNu32, &x.tid, &x.since,
			   &x.space, &x.inner) == 4)
		*vector_add(&all) = x;
	if (f)
		fclose(f);
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, number_order);
	return (struct numbers){all.at, all.n};
}

const struct number *numbers_find(const struct numbers *n, uint32_t tid, int64_t after, int64_t to)
{
	size_t end =
	    lower_bound(i, (size_t)0, n->n,
			n->at[i].tid < tid || (n->at[i].tid == tid && n->at[i].since <= to));
	const struct number *last = end ? &n->at[end - 1] : NULL;

	return last && last->tid == tid && last->since > after ? last : NULL;
}

void numbers_free(struct numbers *n)
{
	free(n->at);
	*n = (struct numbers){.n = 0};
}
