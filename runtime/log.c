#include "runtime/log.h"
#include "runtime/fault.h"
#include "runtime/file.h"
#include "runtime/keep.h"
#include "runtime/note.h"
#include "runtime/openmp.h"
#include "runtime/pool.h"
#include "runtime/text.h"
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

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

static void header_fill(struct log_header *h, uint32_t thread)
{
	*h = (struct log_header){
		.magic = LOG_MAGIC,
		.size = sizeof *h,
		.version = 1,
		.thread = thread,
		.pid = gl_process.file->pid,
		.tid = (uint64_t)syscall(SYS_gettid),
		.clock = gl_clock_kind(),
		.opened = gl_clock_pair(),
	};
	if (!gl_openmp_name(h->name, sizeof h->name))
		prctl(PR_GET_NAME, h->name);
}

static void path_fill(struct tail *t, uint32_t thread, uint32_t level)
{
	strcpy(t->path, gl_process_path("log.", thread));
	if (level) {
		gl_text_add(t->path, sizeof t->path, ".");
		gl_text_add_number(t->path, sizeof t->path, level);
	}
}

static bool header_write(const char *path, const struct log_header *h)
{
	int fd = gl_file_create(path);
	bool done;

	if (fd < 0)
		return false;
	done = gl_file_write(fd, h, sizeof *h, 0);
	gl_file_close(fd);
	if (!done) {
		int error = errno;

		unlink(path);
		errno = error;
	}
	return done;
}

/*
 * The header is the first that the tail holds; the log's file is created when the tail is full,
 * or the thread ends. A ring is behind its log's file, which must be there.
 */
static bool log_begin(struct tail *t, uint32_t thread, uint32_t level)
{
	struct log_header h;

	header_fill(&h, thread);
	if (t->kind == TAIL_RING) {
		if (!header_write(t->path, &h))
			return false;
		gl_tail_begin_log(t, level, sizeof h, 0);
	} else {
		memcpy((unsigned char *)t + GLIMPSE_TAIL_START, &h, sizeof h);
		gl_tail_begin_log(t, level, 0, sizeof h);
	}
	gl_tail_publish(t, thread);
	return true;
}

static struct tail *log_fails(void)
{
	gl_fault(FAULT_OPEN, "cannot open a thread's log in", gl_process.directory, errno,
		 "its events are counted in the process file");
	return NULL;
}

struct tail *gl_log_open(uint32_t level, const struct tail *outer)
{
	uint32_t thread = level ? outer->hot.thread : gl_process.next_thread;
	struct tail *t = gl_pool_take(gl_keep()->ring ? TAIL_RING : TAIL_SMALL);

	if (!t)
		return log_fails();
	path_fill(t, thread, level);
	if (!log_begin(t, thread, level)) {
		struct tail *failed = log_fails();

		gl_pool_give(t);
		return failed;
	}
	gl_process.next_thread += level == 0;
	gl_note_schemas(t);
	return t;
}
