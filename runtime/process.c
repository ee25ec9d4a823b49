#include "runtime/process.h"
#include "runtime/file.h"
#include "runtime/map_replace.h"
#include "runtime/map_unlocked.h"
#include "runtime/system.h"
#include "runtime/text.h"

_Static_assert(offsetof(struct process_file, program) == 128, "doc/log-format.md");
_Static_assert(offsetof(struct process_file, specs) == 256, "doc/log-format.md");
_Static_assert(offsetof(struct process_file, switches) == 4096, "doc/log-format.md");
_Static_assert(offsetof(struct process_file, pairs) == 20480, "doc/log-format.md");
_Static_assert(offsetof(struct process_file, keep) == 28640, "doc/log-format.md");
_Static_assert(sizeof(struct process_file) == 28672, "doc/log-format.md");

struct process gl_process = { .lock = PTHREAD_MUTEX_INITIALIZER };

void gl_process_lock(void)
{
	pthread_mutex_lock(&gl_process.lock);
}

void gl_process_unlock(void)
{
	pthread_mutex_unlock(&gl_process.lock);
}

struct process_file *gl_process_map(int fd)
{
	struct process_file *file = MAP_FAILED;

	if (gl_file_reserve(fd, sizeof *file))
		file = gl_map_unlocked(NULL, sizeof *file, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
	gl_file_close(fd);
	return file == MAP_FAILED ? NULL : file;
}

void gl_process_begin(struct process_file *file)
{
	gl_process.file = file;
	gl_process.next_thread = 0;
	gl_process.next_id = GLIMPSE_FIRST_ID;
	gl_process.state = PROCESS_OPEN;
}

static const char *path_write(const char *directory, const char *name, uint32_t number)
{
	char *path = gl_process.path;

	*path = '\0';
	gl_text_add(path, GL_PATH_MAX, directory);
	gl_text_add(path, GL_PATH_MAX, "/");
	gl_text_add(path, GL_PATH_MAX, name);
	if (number != UINT32_MAX)
		gl_text_add_number(path, GL_PATH_MAX, number);
	return path;
}

const char *gl_process_path(const char *name, uint32_t number)
{
	return path_write(gl_process.directory, name, number);
}

const char *gl_process_mapped_path(const char *name, uint32_t number)
{
	return path_write(*gl_process.tails ? gl_process.tails : gl_process.directory, name,
			  number);
}

/* Other threads and `glimpse ctl` may be storing to the file. */
void gl_process_save(void)
{
	const uint64_t *from = (const uint64_t *)(const void *)gl_process.file;
	uint64_t *to = (uint64_t *)(void *)gl_process.copy;

	for (size_t i = 0; to && i < sizeof *gl_process.file / sizeof *to; i++)
		to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}

void gl_process_dropped(uint64_t events)
{
	if (gl_process.file)
		__atomic_fetch_add(&gl_process.file->dropped, events, __ATOMIC_RELAXED);
}

/*
 * Other memory replaces the mapped file at its address, because an event that a handler interrupted
 * to fork goes on in the child and may hold the address of the switches. Where there is no other
 * memory the file stays there, but the child does not write to it: it is the parent's.
 */
void gl_process_forget(void)
{
	if (!gl_map_replace(gl_process.file, sizeof *gl_process.file))
		gl_process.file = NULL;
	if (gl_process.copy)
		system_munmap(gl_process.copy, sizeof *gl_process.copy);
	gl_process.copy = NULL;
	*gl_process.tails = '\0';
	if (!*gl_process.root)
		strcpy(gl_process.root, gl_process.directory);
	gl_process.forked = true;
	gl_process.state = PROCESS_NEW;
}
