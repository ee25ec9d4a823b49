#include "runtime/directory.h"
#include "runtime/file.h"
#include "runtime/process.h"
#include "runtime/text.h"
#include "runtime/warning.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIBLINGS 10000u
#define DESCRIPTORS_LEAST 16

bool gl_directory_absolute(char *out, const char *path, const char *from)
{
	*out = '\0';
	if (*path != '/' &&
	    !(gl_text_add(out, GL_DIRECTORY_MAX, from) && gl_text_add(out, GL_DIRECTORY_MAX, "/")))
		return false;
	return gl_text_add(out, GL_DIRECTORY_MAX, path);
}

/* Names glimpse.PROGRAM.PID in the directory that the program was started in. */
static bool directory_default(char *out)
{
	return gl_directory_absolute(out, "glimpse.", gl_process.start) &&
	       gl_text_add(out, GL_DIRECTORY_MAX, program_invocation_short_name) &&
	       gl_text_add(out, GL_DIRECTORY_MAX, ".") &&
	       gl_text_add_number(out, GL_DIRECTORY_MAX, (uint64_t)getpid());
}

/*
 * A forked child of a run whose directory has a given name goes to NAME.PID. The default name has
 * the child's pid anyway.
 */
static bool directory_choose(char *out)
{
	const char *name = *gl_process.wanted ? gl_process.wanted : secure_getenv("GLIMPSE_DIR");

	if (!name || !*name)
		return directory_default(out);
	if (!gl_directory_absolute(out, name, gl_process.start))
		return false;
	for (size_t n = strlen(out); n > 1 && out[n - 1] == '/';)
		out[--n] = '\0';
	return !gl_process.forked ||
	       (gl_text_add(out, GL_DIRECTORY_MAX, ".") &&
		gl_text_add_number(out, GL_DIRECTORY_MAX, (uint64_t)getpid()));
}

/* Enters an existing directory that may be used: it is this user's and has no log. */
static bool directory_enter(const char *path, struct stat *st)
{
	if (gl_file_enter(path, st) && st->st_uid == geteuid() &&
	    !gl_file_exists(gl_process_path("log.", 0)))
		return true;
	errno = EEXIST;
	return false;
}

/* Returns -1 with errno EEXIST if the directory is another run's. */
static int directory_claim(const char *path)
{
	struct stat st;
	int fd;

	if (gl_file_directory_make(path) ? !gl_file_enter(path, &st)
					 : errno != EEXIST || !directory_enter(path, &st))
		return -1;
	fd = gl_file_claim(gl_process_path("process", UINT32_MAX));
	if (fd >= 0 && st.st_mode & S_IWOTH)
		gl_warning_print(WARNING_NOTICE, "any user may remove or replace logs in", path, 0,
				 "chmod o-w");
	return fd;
}

/*
 * Returns whether the run that has the directory is going on in this process's group: that of
 * another process of a pipeline, a script or a job, all of which were given the same name. A run
 * that is just beginning has no pid yet.
 */
static bool directory_shared(void)
{
	struct {
		uint64_t magic;
		uint32_t version, pid, clock, state;
	} other = { .pid = 0 };
	int fd = gl_file_open(gl_process_path("process", UINT32_MAX), O_RDONLY, NULL);
	bool known;

	if (fd < 0)
		return false;
	known = read(fd, &other, sizeof other) >= 0;
	gl_file_close(fd);
	return known && !other.state && getpgid((pid_t)other.pid) == getpgrp();
}

static int directory_sibling(char *path)
{
	size_t length = strlen(path);

	for (uint32_t n = 1; n < SIBLINGS; n++) {
		int fd;

		path[length] = '\0';
		if (!gl_text_add(path, GL_DIRECTORY_MAX, ".") ||
		    !gl_text_add_number(path, GL_DIRECTORY_MAX, n))
			break;
		fd = directory_claim(path);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

int gl_directory_open(void)
{
	char *path = gl_process.directory;
	struct rlimit limit;
	int fd;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < DESCRIPTORS_LEAST) {
		gl_warning_print(WARNING_DIRECTORY,
				 "the program may have fewer than 16 descriptors (ulimit -n)", NULL,
				 0, "they are left to it, and nothing is logged");
		return -1;
	}
	if (getauxval(AT_SECURE) && !*gl_process.wanted) {
		gl_warning_print(WARNING_DIRECTORY,
				 "a set-user-ID program logs only where it says itself", NULL, 0,
				 "nothing is logged");
		return -1;
	}
	if (!directory_choose(path)) {
		gl_warning_print(WARNING_DIRECTORY, "the log directory's name is too long", NULL, 0,
				 "nothing is logged");
		return -1;
	}
	fd = directory_claim(path);
	if (fd < 0 && errno == EEXIST) {
		bool shared = directory_shared();

		fd = directory_sibling(path);
		if (fd >= 0 && !shared)
			gl_warning_print(WARNING_NOTICE,
					 "an earlier run is kept; this one is logged to", path, 0,
					 NULL);
	}
	if (fd < 0)
		gl_warning_print(WARNING_DIRECTORY, "cannot create", path, errno,
				 "nothing is logged; GLIMPSE_DIR names another directory");
	return fd;
}
