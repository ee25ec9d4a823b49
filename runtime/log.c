#include "runtime/log.h"
#include "runtime/append.h"
#include "runtime/container.h"
#include "runtime/file.h"
#include "runtime/openmp.h"
#include "runtime/pool.h"
#include "runtime/retention.h"
#include "runtime/ring.h"
#include "runtime/system.h"
#include "runtime/text.h"
#include "runtime/thread_tails.h"
#include "runtime/warning.h"
#include <errno.h>
#include <string.h>

#define LOG_MAGIC UINT64_C(0x474c494d50534531)

struct log_header {
	uint64_t magic;
	uint32_t size;
	uint32_t version;
	uint32_t thread;
	uint32_t pid;
	uint64_t tid;
	uint32_t clock;
	uint32_t ring;
	struct clock_pair opened;
	char name[64];
};

_Static_assert(sizeof(struct log_header) == 128, "doc/log-format.md");

/* A log that the thread has selected is said to be the thread's that it is for. */
static void header_fill_foreign(struct log_header *h, const struct glimpse_log *log)
{
	h->pid = log->pid;
	h->tid = log->tid;
	memcpy(h->name, log->name, sizeof h->name);
}

static void header_fill(struct log_header *h, uint32_t thread)
{
	*h = (struct log_header){
		.magic = LOG_MAGIC,
		.size = sizeof *h,
		.version = 1,
		.thread = thread,
		.pid = gl_process.file->pid,
		.tid = (uint64_t)system_gettid(),
		.clock = gl_clock_kind(),
		.opened = gl_clock_pair(),
	};
	if (gl_self.log)
		header_fill_foreign(h, gl_self.log);
	else if (!gl_openmp_name(h->name, sizeof h->name))
		system_prctl(PR_GET_NAME, h->name);
}

static void path_fill(struct tail *t, uint32_t thread, uint32_t level)
{
	strcpy(t->path, gl_process_path("log.", thread));
	if (level) {
		gl_text_add(t->path, sizeof t->path, ".");
		gl_text_add_number(t->path, sizeof t->path, level);
	}
}

static bool log_header_write(struct tail *t, const struct log_header *h)
{
	int fd = gl_file_create(t->path, &t->log);
	bool done;

	if (fd < 0)
		return false;
	done = gl_file_write(fd, h, sizeof *h, 0);
	gl_file_close(fd);
	if (!done)
		gl_file_remove(t->path, &t->log);
	return done;
}

/*
 * The tail holds the log's header at first; the log's file is created when the tail is full or the
 * log ends. Only a ring needs the file at once, for its notes.
 */
static bool tail_begin(struct tail *t, uint32_t thread, uint32_t level)
{
	struct log_header h;

	header_fill(&h, thread);
	if (t->kind == TAIL_RING) {
		if (!log_header_write(t, &h))
			return false;
		gl_ring_begin(t, level, sizeof h);
	} else {
		memcpy(gl_tail_records(t), &h, sizeof h);
		gl_append_begin(t, level, 0, sizeof h);
	}
	gl_tail_publish(t, thread);
	return true;
}

bool gl_log_note(struct tail *t, enum log_note kind, const void *content, uint32_t size)
{
	unsigned char note[GL_NOTE_MOST];
	uint32_t total = gl_note_put(note, kind, content, size);

	return t->block ? gl_ring_note(t, note, total) : gl_append_note(t, note, total);
}

void gl_log_schema(struct tail *t, const struct spec_entry *entry)
{
	unsigned char content[16 + sizeof entry->name];
	uint32_t length = (uint32_t)strlen(entry->name);

	glimpse_put64(content, entry->schema);
	glimpse_put32(content + 8, entry->base);
	glimpse_put32(content + 12, entry->count);
	memcpy(content + 16, entry->name, length);
	gl_log_note(t, NOTE_SCHEMA, content, 16 + length);
}

/*
 * Chooses the number and the level of the calling thread's next log. After the thread's log has
 * ended, destructors may still log: a further level keeps their events with their thread. Once
 * there is no level left, a log gets a new number, and a handler none.
 */
static bool name_next(uint32_t level, uint32_t *thread, uint32_t *free_level)
{
	if (gl_self.levels < GL_LEVELS && gl_self.levels) {
		*thread = gl_self.number;
		*free_level = gl_self.levels;
		return true;
	}
	*thread = gl_process.next_thread;
	*free_level = 0;
	return level == 0;
}

static void name_taken(uint32_t thread, uint32_t level)
{
	gl_process.next_thread += level == 0;
	if (gl_self.log)
		return;
	gl_self.number = thread;
	gl_self.levels = level + 1;
}

struct tail *gl_log_begin(uint32_t level, const struct tail *outer)
{
	uint32_t thread = level ? outer->hot.thread : gl_process.next_thread;
	const struct spec_entry *e = gl_process.file->specs;
	bool begun = false;
	struct tail *t;

	if (!gl_self.log && !name_next(level, &thread, &level))
		return NULL;
	t = gl_pool_take(gl_retention()->ring ? TAIL_RING : TAIL_SMALL);
	if (t) {
		path_fill(t, thread, level);
		begun = tail_begin(t, thread, level);
	}
	if (!begun) {
		gl_warning_print(WARNING_OPEN, "cannot open a thread's log in",
				 gl_process.directory, errno,
				 "its events are counted in the process file");
		if (t)
			gl_pool_give(t);
		return NULL;
	}
	/* A log for another thread does not end with this one, nor has it large tails to itself. */
	t->tid = gl_self.log ? system_getpid() : system_gettid();
	if (gl_self.log)
		t->grow_at = UINT32_MAX;
	name_taken(thread, level);
	for (unsigned i = 0; i < GL_SPECS && e[i].count; i++)
		gl_log_schema(t, &e[i]);
	return t;
}

/*
 * A tail whose records could not be appended stays where it is, for the readers. It may be ended
 * once more: the small tail that it had before may be another thread's then.
 */
static void log_end(struct tail *t)
{
	bool finished = t->block ? gl_ring_finish(t) : gl_append_finish(t);
	bool copied;

	if (t->former)
		gl_pool_give(t->former);
	t->former = NULL;
	if (!finished)
		return;
	gl_budget_return(t->granted);
	copied = t->block && gl_container_copy(t);
	gl_pool_give(t);
	if (copied)
		gl_file_remove(t->path, &t->log);
}

void gl_log_end_all(struct tail **tails)
{
	for (uint32_t level = 0; level < GL_LEVELS && tails[level]; level++) {
		struct tail *t = tails[level];

		tails[level] = NULL;
		gl_thread_tails_point();
		log_end(t);
	}
}

static bool thread_is_dead(const struct tail *t)
{
	return t->hot.thread != GL_TAIL_FREE &&
	       SYSTEM_CALL(SYS_tgkill, system_getpid(), t->tid, 0) && errno == ESRCH;
}

void gl_log_end_dead(void)
{
	for (struct tail *t = NULL; (t = (struct tail *)gl_pool_next(t));)
		if (thread_is_dead(t))
			log_end(t);
}
