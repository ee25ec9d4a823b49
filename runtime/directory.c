#include "runtime/directory.h"
#include "runtime/file.h"
#include "runtime/job.h"
#include "runtime/process.h"
#include "runtime/request.h"
#include "runtime/system.h"
#include "runtime/text.h"
#include "runtime/warning.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>

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

/* ---- GLIMPSE_CHILDREN ------------------------------------------------------------------------ */

/* Where forked children and processes that find the directory taken log to. */
enum children_directory { CHILDREN_BESIDE, CHILDREN_INSIDE, CHILDREN_NO };

static enum children_directory children_read(void)
{
	const char *setting = secure_getenv("GLIMPSE_CHILDREN");

	if (!setting || !*setting || strcmp(setting, "beside") == 0)
		return CHILDREN_BESIDE;
	if (strcmp(setting, "inside") == 0)
		return CHILDREN_INSIDE;
	if (strcmp(setting, "no") == 0)
		return CHILDREN_NO;
	gl_warning_print(WARNING_SETTING, "GLIMPSE_CHILDREN must be beside, inside or no, not",
			 setting, 0, NULL);
	return CHILDREN_BESIDE;
}

/* As it was when it was first asked for: what records a program may clear its environment. */
static enum children_directory directory_children(void)
{
	static bool known;
	static enum children_directory children;

	if (!known)
		children = children_read();
	known = true;
	return children;
}

bool gl_directory_wanted(void)
{
	return !gl_process.forked || directory_children() != CHILDREN_NO;
}

/* ---- Names ----------------------------------------------------------------------------------- */

static bool pid_add(char *out)
{
	return gl_text_add(out, GL_DIRECTORY_MAX, ".") &&
	       gl_text_add_number(out, GL_DIRECTORY_MAX, (uint64_t)system_getpid());
}

/* Names glimpse.PROGRAM.PID in the directory that the program was started in. */
static bool directory_default(char *out)
{
	return gl_directory_absolute(out, "glimpse.", gl_process.start) &&
	       gl_text_add(out, GL_DIRECTORY_MAX, gl_process.program) && pid_add(out);
}

static const char *directory_name(void)
{
	const char *name = *gl_process.wanted ? gl_process.wanted : secure_getenv("GLIMPSE_DIR");

	return name && *name ? name : NULL;
}

bool gl_directory_given(void)
{
	return directory_name() != NULL;
}

/*
 * A forked child of a run whose directory has a given name goes to NAME.PID. The default name has
 * the child's pid anyway. A child that goes inside is given the name of the directory to be in.
 */
static bool directory_choose(char *out, enum children_directory children)
{
	const char *name = directory_name();

	if (!name && children == CHILDREN_INSIDE && gl_process.forked)
		name = gl_process.root;
	if (!name)
		return directory_default(out);
	if (!gl_directory_absolute(out, name, gl_process.start))
		return false;
	for (size_t n = strlen(out); n > 1 && out[n - 1] == '/';)
		out[--n] = '\0';
	return !gl_process.forked || children == CHILDREN_INSIDE || pid_add(out);
}

/* ---- Claiming -------------------------------------------------------------------------------- */

/* Enters an existing directory that may be used: it is this user's and has no log. */
static bool directory_enter(const char *path, struct stat *st)
{
	if (gl_file_enter(path, st) && st->st_uid == system_geteuid() &&
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
 * Returns the pid of the run that has the directory, or -1 if it has ended, or there is none. A run
 * that is just beginning has pid 0 yet. A process that executed another program goes on.
 */
static pid_t directory_pid(void)
{
	struct {
		uint64_t magic;
		uint32_t version, pid, clock, state;
	} other = { .pid = 0 };
	int fd = gl_file_open(gl_process_path("process", UINT32_MAX), O_RDONLY, NULL);
	bool known;

	if (fd < 0)
		return -1;
	known = system_read(fd, &other, sizeof other) >= 0;
	gl_file_close(fd);
	return known && (!other.state || other.state == GL_STATE_EXECUTED) ? (pid_t)other.pid : -1;
}

/* Another runtime in this process, that of Java or a plugin, is no other process. */
static bool directory_alive(pid_t pid)
{
	return pid >= 0 && pid != system_getpid() && (system_kill(pid, 0) == 0 || errno == EPERM);
}

/*
 * Returns whether the run that has the directory is that of another process of a pipeline, a script
 * or a job, all of which were given the same name: it is going on in this process's group, or both
 * are ranks.
 */
static bool directory_shared(pid_t pid)
{
	return pid >= 0 && (system_getpgid(pid) == system_getpgid(0) ||
			    (gl_job_rank() && directory_alive(pid)));
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

/* Claims DIRECTORY/PROGRAM.PID. */
static int directory_inside(char *path)
{
	int fd;

	if (!gl_text_add(path, GL_DIRECTORY_MAX, "/") ||
	    !gl_text_add(path, GL_DIRECTORY_MAX, gl_process.program) || !pid_add(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = directory_claim(path);
	return fd < 0 && errno == EEXIST ? directory_sibling(path) : fd;
}

static int directory_beside(char *path, pid_t taken)
{
	bool shared = directory_shared(taken);
	struct stat status;
	bool file = system_stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
	int fd = directory_sibling(path);

	if (fd >= 0 && !shared)
		gl_warning_print(WARNING_NOTICE,
				 file ? "GLIMPSE_DIR names a file; this run is logged to"
				      : "an earlier run is kept; this one is logged to",
				 path, 0, NULL);
	return fd;
}

static int directory_claim_any(char *path, enum children_directory children)
{
	pid_t taken;
	int fd;

	if (!gl_request_root_is_run(path))
		return -1;
	if (children == CHILDREN_INSIDE && gl_process.forked)
		return directory_inside(path);
	fd = directory_claim(path);
	if (fd >= 0 || errno != EEXIST)
		return fd;
	if (children == CHILDREN_INSIDE)
		return directory_inside(path);
	taken = directory_pid();
	/* it was another program, before exec */
	if (children == CHILDREN_NO && taken == system_getpid())
		return directory_inside(path);
	if (children == CHILDREN_NO && directory_alive(taken)) {
		errno = 0;
		return -1;
	}
	return directory_beside(path, taken);
}

/*
 * Claims a directory that the recorder makes, where this process may not. Keeps errno if it does
 * not.
 */
static int directory_claim_asked(char *path)
{
	const char *name = directory_name(), *root = gl_request_root();
	int error = errno, fd = -1;

	if (root && (!name || strcmp(name, root) == 0) &&
	    gl_file_enter_asked(gl_process.program, path, GL_DIRECTORY_MAX))
		fd = gl_file_claim(gl_process_path("process", UINT32_MAX));
	if (fd < 0)
		errno = error;
	return fd;
}

/* ---- Opening --------------------------------------------------------------------------------- */

void gl_directory_refuse(const char *what, const char *path, int error, const char *remedy)
{
	if (!gl_file_may_ask() || !gl_request_missing(gl_process.program, error))
		gl_warning_print(WARNING_DIRECTORY, what, path, error, remedy);
}

/* Returns whether the process may be logged, after a warning if not. */
static bool process_may_log(void)
{
	struct rlimit limit;

	if (system_getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < DESCRIPTORS_LEAST) {
		gl_directory_refuse("the program may have fewer than 16 descriptors (ulimit -n)",
				    NULL, 0, "nothing is logged, so that the program can use them");
		return false;
	}
	if (getauxval(AT_SECURE) && !*gl_process.wanted) {
		gl_warning_print(
		    WARNING_DIRECTORY,
		    "a set-user-ID program logs only to a directory that it names itself", NULL, 0,
		    "nothing is logged");
		return false;
	}
	return true;
}

int gl_directory_open(void)
{
	enum children_directory children = directory_children();
	char *path = gl_process.directory;
	int fd;

	if (!process_may_log())
		return -1;
	if (!directory_choose(path, children)) {
		gl_warning_print(WARNING_DIRECTORY, "the log directory's name is too long", NULL, 0,
				 "nothing is logged");
		return -1;
	}
	/* forks go there, too, when a server has emptied its environment */
	if (children == CHILDREN_INSIDE && !*gl_process.root)
		strcpy(gl_process.root, path);
	fd = directory_claim_any(path, children);
	if (fd < 0 && errno && errno != ENOSPC && errno != EDQUOT)
		fd = directory_claim_asked(path);
	if (fd < 0 && errno)
		gl_directory_refuse("cannot create", path, errno,
				    errno == ENOENT ? "nothing is logged; create its parent "
						      "directory, or set GLIMPSE_DIR to another"
						    : "nothing is logged; set GLIMPSE_DIR to "
						      "another directory");
	return fd;
}
