#include "runtime/pool.h"
#include "runtime/file.h"
#include "runtime/map_replace.h"
#include "runtime/map_unlocked.h"
#include "runtime/retention.h"
#include "runtime/system.h"
#include "runtime/thread_tails.h"
#include <fcntl.h>
#include <string.h>

#define TAIL_MAGIC UINT64_C(0x474c494d50534554)
#define TAIL_VERSION 3u
#define PLACES 16u /* for small tails in one file */
#define PLACE (GLIMPSE_TAIL_START + GL_TAIL_SMALL)
#define LARGE_PAGE ((size_t)2 << 20)

static struct {
	struct tail *files; /* the first tail of each */
	struct tail *free[TAIL_KINDS];
	uint32_t next; /* K of the next file */
} pool;

/*
 * Reserves address space for `span` bytes that begins where a large page may. Returns NULL if there
 * is none.
 */
static unsigned char *span_reserve(size_t span)
{
	size_t whole = span + LARGE_PAGE, before;
	unsigned char *room =
	    gl_map_unlocked(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	if (room == MAP_FAILED)
		return NULL;
	before = (LARGE_PAGE - (uintptr_t)room % LARGE_PAGE) % LARGE_PAGE;
	if (before)
		system_munmap(room, before);
	system_munmap(room + before + span, whole - before - span);
	return room + before;
}

/* Uses large pages: 512 small ones cost 512 faults, and more on their way to the disk. */
static void *span_map(int fd, size_t span)
{
	unsigned char *at = span < LARGE_PAGE ? NULL : span_reserve(span);
	void *map = gl_map_unlocked(at, span, PROT_READ | PROT_WRITE, MAP_SHARED, fd);

	if (at && map == MAP_FAILED)
		system_munmap(at, span);
	else if (at)
		system_madvise(map, span, MADV_HUGEPAGE);
	return map;
}

/* Maps `span` bytes of a new file, of which only `reserved` have blocks: a ring grows later. */
static struct tail *tails_map(const char *path, size_t reserved, size_t span,
			      struct file_mark *mark)
{
	void *map = MAP_FAILED;
	int fd = gl_file_create(path, mark);

	if (fd < 0)
		return NULL;
	if (gl_file_reserve(fd, reserved))
		map = span_map(fd, span);
	gl_file_close(fd);
	if (map == MAP_FAILED) {
		gl_file_remove(path, mark);
		return NULL;
	}
	return map;
}

static struct tail *tails_create(uint32_t places, size_t reserved, size_t span)
{
	struct file_mark mark;
	struct tail *t =
	    tails_map(gl_process_mapped_path("tail.", pool.next), reserved, span, &mark);

	if (!t)
		return NULL;
	t->mark = mark;
	t->index = pool.next++;
	t->span = span;
	t->places = places;
	t->stride = places > 1 ? PLACE : 0;
	t->next = pool.files;
	pool.files = t;
	return t;
}

/*
 * Creates a file for as many small tails as the disk has room for. Most forked children have one
 * thread, and leave the file when they execute another program.
 */
static struct tail *tails_create_small(void)
{
	struct tail *t = NULL;

	for (uint32_t places = gl_process.forked && !pool.files ? 1 : PLACES; places && !t;
	     places /= 4)
		t = tails_create(places, (size_t)places * PLACE, (size_t)places * PLACE);
	return t;
}

static struct tail *tails_create_for(enum tail_kind kind)
{
	size_t large = GLIMPSE_TAIL_START + GL_TAIL_LARGE + GL_STAGING;

	if (kind == TAIL_SMALL)
		return tails_create_small();
	if (kind == TAIL_LARGE)
		return tails_create(1, large, large);
	return tails_create(1, PLACE, GLIMPSE_TAIL_START + (size_t)gl_retention()->ring);
}

/* Takes the next place of a file, whose page is touched only now that it is needed. */
static struct tail *place_take(struct tail *file, enum tail_kind kind)
{
	struct tail *t = (struct tail *)((unsigned char *)file + (size_t)file->taken * PLACE);

	t->file = file;
	t->place = file->taken++;
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
	while (file && (file->kind != kind || file->taken == file->places))
		file = file->next;
	if (!file)
		file = tails_create_for(kind);
	return file ? place_take(file, kind) : NULL;
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
	if (t && t->place + 1 < t->file->taken)
		return (struct tail *)((unsigned char *)t + PLACE);
	return t ? t->file->next : pool.files;
}

/* A large page must be all in the file when it is touched first. */
bool gl_pool_reserve(const struct tail *t, uint32_t size)
{
	size_t whole = GLIMPSE_TAIL_START + (size_t)size;
	size_t pages = (whole + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
	bool done;
	int fd;

	gl_process_lock();
	fd = gl_file_open(gl_process_mapped_path("tail.", t->file->index), O_RDWR, &t->file->mark);
	gl_process_unlock();
	if (fd < 0)
		return false;
	done = gl_file_reserve(fd, pages <= t->file->span ? pages : whole);
	gl_file_close(fd);
	return done;
}

static bool tails_have(struct tail *file, bool (*has)(const struct tail *))
{
	for (struct tail *t = file; t && t->file == file; t = gl_pool_next(t))
		if (has(t))
			return true;
	return false;
}

static bool tail_is_used(const struct tail *t)
{
	return t->hot.thread != GL_TAIL_FREE;
}

void gl_pool_remove_free(void)
{
	for (struct tail *file = pool.files; file; file = file->next)
		if (!tails_have(file, tail_is_used)) {
			gl_file_remove(gl_process_mapped_path("tail.", file->index), &file->mark);
			file->kind = TAIL_KINDS; /* an even later log gets another file */
		}
	memset(pool.free, 0, sizeof pool.free);
}

void gl_pool_unlock(void)
{
	for (struct tail *file = pool.files; file; file = file->next)
		system_munlock(file, file->span);
}

static bool tail_is_own(const struct tail *t)
{
	return gl_thread_tails_owns(t) || (t->moved && gl_thread_tails_owns(t->moved));
}

/*
 * The interrupted event goes on in this memory, and may be about to ask where its head is. Where
 * there is no other memory, the tails stay as they are: they are the parent's.
 */
static void tails_blank(struct tail *file)
{
	uint32_t taken = file->taken;

	if (!gl_map_replace(file, file->span))
		return;
	for (uint32_t k = 0; k < taken; k++)
		gl_tail_place((struct tail *)((unsigned char *)file + (size_t)k * PLACE));
}

void gl_pool_forget(void)
{
	for (struct tail *file = pool.files, *next; file; file = next) {
		next = file->next;
		if (tails_have(file, tail_is_own))
			tails_blank(file);
		else
			system_munmap(file, file->span);
	}
	memset(&pool, 0, sizeof pool);
}
