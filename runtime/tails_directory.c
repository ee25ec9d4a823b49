#include "runtime/tails_directory.h"
#include "runtime/directory.h"
#include "runtime/file.h"
#include "runtime/system.h"
#include "runtime/text.h"
#include "runtime/vdso.h"
#include "runtime/warning.h"
#include <errno.h>
#include <string.h>
#include <time.h>

#define PROCESS "process"

static struct {
	struct file_mark process, place; /* of the files that tell of the directory */
} marks;

/* Names the run's own directory: PARENT/glimpse.PID.TIME. */
static bool tails_directory_name(char *out, const char *parent)
{
	struct timespec now;

	gl_vdso_gettime(CLOCK_REALTIME, &now);
	return gl_directory_absolute(out, parent, gl_process.start) &&
	       gl_text_add(out, GL_DIRECTORY_MAX, "/glimpse.") &&
	       gl_text_add_number(out, GL_DIRECTORY_MAX, (uint64_t)system_getpid()) &&
	       gl_text_add(out, GL_DIRECTORY_MAX, ".") &&
	       gl_text_add_hex(out, GL_DIRECTORY_MAX,
			       (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
}

/* Writes the file `tails`: device and inode of the directory, and its path. */
static bool place_write(const char *path)
{
	char text[GL_DIRECTORY_MAX + 64] = "";
	struct stat st;
	bool done;
	int fd;

	if (system_stat(path, &st))
		return false;
	gl_text_add_number(text, sizeof text, st.st_dev);
	gl_text_add(text, sizeof text, " ");
	gl_text_add_number(text, sizeof text, st.st_ino);
	gl_text_add(text, sizeof text, " ");
	gl_text_add(text, sizeof text, path);
	gl_text_add(text, sizeof text, "\n");
	fd = gl_file_create(gl_process_path("tails", UINT32_MAX), &marks.place);
	if (fd < 0)
		return false;
	done = gl_file_write(fd, text, strlen(text), 0);
	gl_file_close(fd);
	if (!done)
		gl_file_remove(gl_process_path("tails", UINT32_MAX), &marks.place);
	return done;
}

static struct process_file *process_map_in_tails(void)
{
	int fd = gl_file_create(gl_process_mapped_path(PROCESS, UINT32_MAX), &marks.process);

	return fd < 0 ? NULL : gl_process_map(fd);
}

/* Removes what was made. Returns false if something is left in the directory. */
static bool tails_directory_remove(void)
{
	int error = errno;
	bool done;

	gl_file_remove(gl_process_mapped_path(PROCESS, UINT32_MAX), &marks.process);
	done = system_rmdir(gl_process.tails) == 0;
	errno = error;
	return done;
}

static void tails_directory_forget(void)
{
	*gl_process.tails = '\0';
	gl_file_tails_directory(NULL);
}

struct process_file *gl_tails_directory_enter(const char *setting, struct process_file *file)
{
	struct process_file *live = NULL;

	if (!setting || !*setting)
		return file;
	if (!tails_directory_name(gl_process.tails, setting)) {
		errno = ENAMETOOLONG;
	} else if (gl_file_directory_make(gl_process.tails)) {
		gl_file_tails_directory(gl_process.tails);
		live = process_map_in_tails();
		if (live && place_write(gl_process.tails)) {
			gl_process.copy = file;
			return live;
		}
		if (live)
			system_munmap(live, sizeof *live);
		tails_directory_remove();
	}
	tails_directory_forget();
	gl_warning_print(WARNING_DIRECTORY, "GLIMPSE_TAILS: cannot keep tails in", setting, errno,
			 "they are kept in the log directory");
	return file;
}

void gl_tails_directory_leave(void)
{
	if (!*gl_process.tails)
		return;
	gl_process_save();
	if (tails_directory_remove())
		gl_file_remove(gl_process_path("tails", UINT32_MAX), &marks.place);
	tails_directory_forget();
}
