#include "runtime/side_files.h"
#include "runtime/file.h"
#include "runtime/process.h"
#include "runtime/warning.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

static struct {
	bool made;
	struct file_mark mark;
} files[SIDE_FILES];

/* What an earlier run has left there is not this run's. */
static int side_file_open(enum side_file file)
{
	static const char *const names[] = { "modules", "objects" };
	const char *path = gl_process_path(names[file], UINT32_MAX);
	int fd;

	if (files[file].made)
		return gl_file_open(path, O_WRONLY | O_APPEND, &files[file].mark);
	fd = gl_file_open(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL, &files[file].mark);
	files[file].made = fd >= 0;
	if (fd < 0 && errno == EEXIST)
		fd = gl_file_open(path, O_WRONLY | O_APPEND | O_CREAT, NULL);
	return fd;
}

static bool side_file_write(enum side_file file, const char *text, size_t size)
{
	int fd = side_file_open(file);
	bool done;

	if (fd < 0)
		return false;
	done = gl_file_append(fd, text, size);
	gl_file_close(fd);
	return done;
}

void gl_side_file_append(enum side_file file, const char *text, size_t size)
{
	gl_process_lock();
	if (size && gl_process.state == PROCESS_OPEN && !side_file_write(file, text, size))
		gl_warning_print(WARNING_REGISTER, "cannot write", gl_process.path, errno,
				 "addresses have no names");
	gl_process_unlock();
}

void gl_side_files_forget(void)
{
	memset(files, 0, sizeof files);
}
