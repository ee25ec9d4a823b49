#include "runtime/pool.h"
#include "runtime/file.h"
#include "runtime/keep.h"
#include "runtime/thread.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TAIL_MAGIC UINT64_C(0x474c494d50534554)
#define TAIL_VERSION 3u
#define SLOTS 16u
#define SLOT (GLIMPSE_TAIL_START + GL_TAIL_SMALL)
#define LARGE_PAGE ((size_t)2 << 20)

static struct {
	struct tail *files;     /* the first tail of each */
	struct tail *free[TAIL_KINDS];
	uint32_t next;          /* K of the next file */
} pool;

/* Address space for `span` bytes that begins where a large page may. NULL: there is none. */
static unsigned char *span_reserve(size_t span)
{
	size_t whole = span + LARGE_PAGE, before;
	unsigned char *room = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (room == MAP_FAILED)
		return NULL;
	before = (LARGE_PAGE - (uintptr_t)room % LARGE_PAGE) % LARGE_PAGE;
	if (before)
		munmap(room, before);
	munmap(room + before + span, whole - before - span);
	return room + before;
}

/*
 * A fault for each of a large page's 512 small ones costs more than one for it, and so does their
 * way to the disk.
 */
static void *span_map(int fd, size_t span)
{
	unsigned char *at = span < LARGE_PAGE ? NULL : span_reserve(span);
	void *map = mmap(at, span, PROT_READ | PROT_WRITE, at ? MAP_SHARED | MAP_FIXED : MAP_SHARED,
			 fd, 0);

	if (at && map == MAP_FAILED)
		munmap(at, span);
	else if (at)
		madvise(map, span, MADV_HUGEPAGE);
	return map;
}

/* A map may be longer than what its file has now: a ring grows. */
static struct tail *file_map(const char *path, size_t reserved, size_t span)
{
	void *map = MAP_FAILED;
	int fd = gl_file_create(path);

	if (fd < 0)
		return NULL;
	if (gl_file_reserve(fd, reserved))
		map = span_map(fd, span);
	gl_file_close(fd);
	if (map == MAP_FAILED) {
		int error = errno;

		unlink(path);
		errno = error;
		return NULL;
	}
	return map;
}

static struct tail *file_create(uint32_t slots, size_t reserved, size_t span)
{
	struct tail *t = file_map(gl_process_path("tail.", pool.next), reserved, span);

	if (!t)
		return NULL;
	t->index = pool.next++;
	t->span = span;
	t->slots = slots;
	t->stride = slots > 1 ? SLOT : 0;
	t->next = pool.files;
	pool.files = t;
	return t;
}

/* As many small tails as there is room for on the disk. */
static struct tail *file_create_small(void)
{
	struct tail *t = NULL;

	for (uint32_t slots = SLOTS; slots && !t; slots /= 4)
		t = file_create(slots, (size_t)slots * SLOT, (size_t)slots * SLOT);
	return t;
}

static struct tail *file_create_for(enum tail_kind kind)
{
	size_t large = GLIMPSE_TAIL_START + GL_TAIL_LARGE + GL_SHUTTLE;

	if (kind == TAIL_SMALL)
		return file_create_small();
	if (kind == TAIL_LARGE)
		return file_create(1, large, large);
	return file_create(1, SLOT, GLIMPSE_TAIL_START + (size_t)gl_keep()->ring);
}

/* Its page is touched only now, when it is needed. */
static struct tail *slot_begin(struct tail *file, enum tail_kind kind)
{
	struct tail *t = (struct tail *)((unsigned char *)file + (size_t)file->taken * SLOT);

	t->file = file;
	t->slot = file->taken++;
	t->kind = kind;
	t->hot.version = TAIL_VERSION;
	t->hot.start = GLIMPSE_TAIL_START;
	t->hot.size = kind == TAIL_LARGE ? GL_TAIL_LARGE : GL_TAIL_SMALL;
	t->hot.thread = GL_TAIL_FREE;
	gl_tail_place(t);
	__atomic_store_n(&t->hot.magic, TAIL_MAGIC, __ATOMIC_RELEASE);
	return t;
}

struct tail *gl_pool_take(enum tail_kind kind)
{
	struct tail *t = pool.free[kind], *file = pool.files;

	if (t) {
		pool.free[kind] = t->free;
		return t;
	}
	while (file && (file->kind != kind || file->taken == file->slots))
		file = file->next;
	if (!file)
		file = file_create_for(kind);
	return file ? slot_begin(file, kind) : NULL;
}

void gl_pool_give(struct tail *t)
{
	__atomic_store_n(&t->hot.thread, GL_TAIL_FREE, __ATOMIC_RELEASE);
	gl_tail_head_set(t, 0);
	t->free = pool.free[t->kind];
	pool.free[t->kind] = t;
}

struct tail *gl_pool_next(const struct tail *t)
{
	if (t && t->slot + 1 < t->file->taken)
		return (struct tail *)((unsigned char *)t + SLOT);
	return t ? t->file->next : pool.files;
}

/* A large page must be all in the file when it is touched first. */
static size_t file_size(const struct tail *file, uint32_t records)
{
	size_t size = GLIMPSE_TAIL_START + (size_t)records;
	size_t whole = (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;

	return whole <= file->span ? whole : size;
}

bool gl_pool_reserve(const struct tail *t, uint32_t size)
{
	bool done;
	int fd;

	gl_process_lock();
	fd = gl_file_open(gl_process_path("tail.", t->file->index), O_RDWR);
	gl_process_unlock();
	if (fd < 0)
		return false;
	done = gl_file_reserve(fd, file_size(t->file, size));
	gl_file_close(fd);
	return done;
}

static bool file_has(struct tail *file, bool (*has)(const struct tail *))
{
	for (struct tail *t = file; t && t->file == file; t = gl_pool_next(t))
		if (has(t))
			return true;
	return false;
}

static bool tail_used(const struct tail *t)
{
	return t->hot.thread != GL_TAIL_FREE;
}

void gl_pool_remove_free(void)
{
	for (struct tail *file = pool.files; file; file = file->next)
		if (!file_has(file, tail_used)) {
			unlink(gl_process_path("tail.", file->index));
			file->kind = TAIL_KINDS;        /* what logs even later gets another */
		}
	memset(pool.free, 0, sizeof pool.free);
}

static bool tail_own(const struct tail *t)
{
	return gl_thread_owns(t) || (t->moved && gl_thread_owns(t->moved));
}

/* The event that was interrupted goes on in this memory, and may be about to look where. */
static void file_blank(struct tail *file)
{
	uint32_t taken = file->taken;

	mmap(file, file->span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
	     -1, 0);
	for (uint32_t k = 0; k < taken; k++)
		gl_tail_place((struct tail *)((unsigned char *)file + (size_t)k * SLOT));
}

static void file_forget(struct tail *file)
{
	if (file_has(file, tail_own))
		file_blank(file);
	else
		munmap(file, file->span);
}

void gl_pool_forget(void)
{
	for (struct tail *file = pool.files, *next; file; file = next) {
		next = file->next;
		file_forget(file);
	}
	memset(&pool, 0, sizeof pool);
}
