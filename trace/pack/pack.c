#include "trace/pack/pack.h"
#include "base/array.h"
#include "trace/pack/pack_block.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

bool pack_is(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	char magic[8];
	bool is;

	if (fd < 0)
		return false;
	is = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	     pread(fd, magic, sizeof magic, 0) == sizeof magic &&
	     memcmp(magic, PACK_MAGIC, sizeof magic) == 0;
	close(fd);
	return is;
}

/* ---- the index ---- */

/*
 * What the blocks of that member from at on hold, one behind the other; where the next block
 * stands. Its content has a part for each.
 */
static uint64_t list_read(const struct pack *p, uint32_t member, uint64_t at, struct blob *list)
{
	struct block_scratch scratch = {.plain = {NULL, 0, 0}};
	struct pack_block b;

	while (block_read(&b, p->file.bytes, p->file.size, at) && b.member == member &&
	       b.offset == list->size &&
	       block_unpack(&b, p->file.bytes, blob_reserve(list, b.size), &scratch)) {
		list->size += b.size;
		at += BLOCK_HEADER + b.stored;
	}
	block_scratch_free(&scratch);
	return at;
}

static bool index_find(struct pack *p)
{
	const unsigned char *trailer;
	struct blob list = {NULL, 0, 0};
	struct view view;
	bool good;

	if (p->file.size < PACK_HEADER + PACK_TRAILER)
		return false;
	trailer = p->file.bytes + p->file.size - PACK_TRAILER;
	if (memcmp(trailer + 8, PACK_END_MAGIC, 8) != 0)
		return false;
	list_read(p, MEMBER_INDEX, read_little_64(trailer), &list);
	view = blob_view(&list);
	good = list.size > 0 && index_read(&view, &p->index);
	free(list.bytes);
	if (!good)
		index_clear(&p->index);
	return good;
}

/* The next place where a block seems to begin. */
static uint64_t block_next(const struct pack *p, uint64_t at)
{
	static const unsigned char magic[4] = {'G', 'L', 'B', 'K'};
	const unsigned char *found;

	if (at >= p->file.size)
		return p->file.size;
	found = memmem(p->file.bytes + at, p->file.size - at, magic, sizeof magic);
	return found ? (uint64_t)(found - p->file.bytes) : p->file.size;
}

/* Without the index: the list of files at the beginning, and every block that is intact. */
static bool index_recover(struct pack *p)
{
	struct blob list = {NULL, 0, 0};
	uint64_t at = list_read(p, MEMBER_LIST, PACK_HEADER, &list);
	struct view view = blob_view(&list);
	bool good = list.size > 0 && index_read_members(&view, &p->index);
	struct pack_block b;

	free(list.bytes);
	while (good && (at = block_next(p, at)) < p->file.size) {
		bool intact = block_read(&b, p->file.bytes, p->file.size, at) &&
			      block_intact(&b, p->file.bytes);

		if (intact && b.member < p->index.nmembers)
			index_entry(&p->index)->block = b;
		at += intact ? BLOCK_HEADER + b.stored : 1;
	}
	if (good)
		index_sort(&p->index);
	return good;
}

static int name_compare(const void *left, const void *right)
{
	const struct pack_member *const *a = left, *const *b = right;

	return strcmp((*a)->name, (*b)->name);
}

static void names_sort(struct pack *p)
{
	size_t n = p->index.nmembers;

	p->by_name = array_new(n, sizeof(struct pack_member *));
	for (size_t i = 0; i < n; i++)
		p->by_name[i] = &p->index.members[i];
	if (n)
		qsort(p->by_name, n, sizeof(struct pack_member *), name_compare);
}

static bool pack_read(struct pack *p, struct diag *diag)
{
	if (!file_load(&p->file, p->path, false)) {
		diag_error(diag, DIAG_NOWHERE, "%s: %s", p->path, strerror(errno));
		return false;
	}
	if (p->file.size < PACK_HEADER || read_little_32(p->file.bytes + 8) != PACK_VERSION) {
		diag_error(diag, DIAG_NOWHERE,
			   "%s: this packed file is of another version than this program reads",
			   p->path);
		return false;
	}
	if (index_find(p))
		return true;
	if (index_recover(p)) {
		diag_warning(
		    diag, "pack", DIAG_NOWHERE,
		    "%s: its index is damaged or cut off; what is intact of %zu files is read",
		    p->path, p->index.nmembers);
		return true;
	}
	diag_error(diag, DIAG_NOWHERE,
		   "%s: neither the index nor the list of files of this packed file is intact",
		   p->path);
	return false;
}

struct pack *pack_open(const char *path, struct diag *diag)
{
	struct pack *p = array_zero(1, sizeof *p);

	p->path = path;
	if (!pack_read(p, diag)) {
		pack_close(p);
		return NULL;
	}
	names_sort(p);
	return p;
}

void pack_close(struct pack *p)
{
	if (!p)
		return;
	file_unload(&p->file);
	index_clear(&p->index);
	free(p->by_name);
	free(p);
}

size_t pack_find(const struct pack *p, const char *name)
{
	const struct pack_member wanted = {.name = (char *)name}, *key = &wanted, **found = NULL;

	if (p->index.nmembers)
		found = bsearch(&key, p->by_name, p->index.nmembers, sizeof key, name_compare);
	return found ? (size_t)(*found - p->index.members) : SIZE_MAX;
}
