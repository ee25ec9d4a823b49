#include "runtime/container.h"
#include "runtime/system.h"
#include "runtime/warning.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define RECORD_MAGIC UINT64_C(0x474c494d5053454c)

/* Stands before each log in the container. */
struct record_head {
	uint64_t magic;
	uint32_t thread;
	uint32_t level;
	uint32_t size;  /* bytes of the log, which follows */
	uint32_t check; /* of the fields before */
};

_Static_assert(sizeof(struct record_head) == 24, "doc/log-format.md");
_Static_assert(sizeof(struct tail) + sizeof(struct record_head) <= GLIMPSE_TAIL_START,
	       "a record's head has room between the header of a tail and its records");

static struct {
	bool wanted;
	bool created;
	uint64_t size; /* of all whole records */
	struct file_mark mark;
} container;

void gl_container_choose(const char *setting)
{
	gl_container_forget();
	if (!setting || !*setting || strcmp(setting, "apart") == 0)
		return;
	container.wanted = strcmp(setting, "pooled") == 0;
	if (!container.wanted)
		gl_warning_print(WARNING_SETTING, "GLIMPSE_LOGS must be apart or pooled, not",
				 setting, 0, "each log has a file of its own");
}

bool gl_container_wanted(void)
{
	return container.wanted;
}

void gl_container_forget(void)
{
	memset(&container, 0, sizeof container);
}

static int container_open(void)
{
	const char *path = gl_process_path("logs", UINT32_MAX);
	int fd;

	if (container.created)
		return gl_file_open(path, O_WRONLY, &container.mark);
	fd = gl_file_create(path, &container.mark);
	container.created = fd >= 0;
	if (fd < 0 && errno == EEXIST) {
		container.wanted = false;
		gl_warning_print(WARNING_SETTING, "GLIMPSE_LOGS=pooled has no effect:", path,
				 EEXIST, "each log has a file of its own");
	}
	return fd;
}

/* Returns FNV-1a, of 32 bits, over the bytes of a head before the field itself. */
static uint32_t head_check(const struct record_head *head)
{
	const unsigned char *at = (const unsigned char *)head;
	uint32_t check = 0x811c9dc5;

	for (size_t i = 0; i < offsetof(struct record_head, check); i++)
		check = (check ^ at[i]) * 0x01000193;
	return check;
}

/* Appends `size` bytes of a log, before which there is room for a head, in one write with it. */
static bool record_write(const struct tail *t, unsigned char *log, uint32_t size)
{
	struct record_head head = { RECORD_MAGIC, t->hot.thread, t->hot.level, size, 0 };
	bool done;
	int fd = container_open(), error;

	if (fd < 0)
		return false;
	head.check = head_check(&head);
	memcpy(log - sizeof head, &head, sizeof head);
	done = gl_file_write(fd, log - sizeof head, sizeof head + size, container.size);
	error = errno;
	/* What cannot be cut off is seen as such; the next record is written over it. */
	if (done || system_ftruncate(fd, (off_t)container.size))
		container.size += done ? sizeof head + size : 0;
	errno = error;
	gl_file_close(fd);
	return done;
}

bool gl_container_put(struct tail *t)
{
	return container.wanted && record_write(t, gl_tail_records(t), gl_tail_head(t));
}

/* Reads the file of a log. Returns the log's size, or 0 if it is not small or not readable. */
static uint32_t log_file_read(struct tail *t, unsigned char *to)
{
	int fd = gl_file_open(t->path, O_RDONLY, &t->log);
	struct stat st = { .st_size = 0 };
	uint32_t size = 0;

	if (fd < 0)
		return 0;
	if (system_fstat(fd, &st) == 0 && st.st_size <= GL_TAIL_SMALL &&
	    system_pread(fd, to, (size_t)st.st_size, 0) == st.st_size)
		size = (uint32_t)st.st_size;
	gl_file_close(fd);
	return size;
}

bool gl_container_copy(struct tail *t)
{
	size_t span = GL_TAIL_SMALL + sizeof(struct record_head);
	unsigned char *memory;
	uint32_t size;
	bool done;

	if (!container.wanted)
		return false;
	memory =
	    system_mmap(NULL, span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return false;
	size = log_file_read(t, memory + sizeof(struct record_head));
	done = size && record_write(t, memory + sizeof(struct record_head), size);
	system_munmap(memory, span);
	return done;
}
