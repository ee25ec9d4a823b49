#include "trace/open/foreign.h"
#include "base/array.h"
#include "base/path.h"
#include "trace/pack/pack_format.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what is foreign ---- */

static bool file_is_packed(const char *path)
{
	char magic[sizeof PACK_MAGIC - 1] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool packed;

	packed = fd >= 0 && read(fd, magic, sizeof magic) == sizeof magic &&
		 memcmp(magic, PACK_MAGIC, sizeof magic) == 0;
	if (fd >= 0)
		close(fd);
	return packed;
}

static bool is_of_logs(const char *name)
{
	return strncmp(name, "log.", 4) == 0 || strncmp(name, "tail.", 5) == 0 ||
	       strcmp(name, "logs") == 0 || strcmp(name, "process") == 0;
}

/* Returns whether a directory has logs, or one within it. */
static bool has_logs(const char *path, bool within)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	bool found = false;

	while (dir && !found && (entry = readdir(dir))) {
		char *inner;

		found = is_of_logs(entry->d_name);
		if (found || !within || entry->d_name[0] == '.' || entry->d_type == DT_REG)
			continue;
		inner = text_format("%s/%s", path, entry->d_name);
		found = has_logs(inner, false);
		free(inner);
	}
	if (dir)
		closedir(dir);
	return found;
}

static bool is_empty(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	bool empty = true;

	while (dir && empty && (entry = readdir(dir)))
		empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
	if (dir)
		closedir(dir);
	return empty;
}

/*
 * Returns whether a path may be another tool's trace: it is there, and neither a packed file nor
 * has it logs.
 */
static bool foreign_is(const char *path)
{
	struct stat status;

	if (stat(path, &status) != 0)
		return false;
	if (S_ISDIR(status.st_mode))
		return !has_logs(path, true) && !is_empty(path);
	return S_ISREG(status.st_mode) && status.st_size && !file_is_packed(path);
}

/* ---- importing ---- */

/* Finds glimpse beside this program, where it was built or installed; else the shell's. */
static char *command_find(void)
{
	char *path = text_format("%s/glimpse", path_own_folder());

	if (access(path, X_OK) == 0)
		return path;
	free(path);
	return text_format("glimpse");
}

/* program: what the import's messages begin with, as the user ran it. */
static pid_t import_spawn(const char *path, const char *spec, const char *program, int to)
{
	char *command = command_find(), *cached = text_format("--cached=%s", program);
	const char *argv[] = {
	    command, "import", cached, spec ? "-s" : "--", spec ? spec : path, spec ? "--" : NULL,
	    path,    NULL};
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int status;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, to, 1);
	status = posix_spawnp(&pid, command, &actions, NULL, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	free(cached);
	free(command);
	return status ? -1 : pid;
}

/* Reads the line that names the logs. The caller frees it. */
static char *line_read(int fd)
{
	FILE *in = fdopen(fd, "r");
	char *line = NULL;
	size_t room = 0;

	if (in && getline(&line, &room, in) > 0)
		line[strcspn(line, "\n")] = '\0';
	if (in)
		fclose(in);
	return line;
}

/* Returns the logs that are made of a trace; path: it is none; NULL: it was reported. */
static const char *logs_make(const char *path, const char *spec, struct diag *diag)
{
	int ends[2], status = 0;
	char *line;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return path;
	pid = import_spawn(path, spec, diag->program, ends[1]);
	close(ends[1]);
	line = line_read(ends[0]);
	if (pid < 0)
		return path;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && line)
		return line;
	free(line);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 1)
		return path;
	if (!WIFEXITED(status))
		diag_error(diag, DIAG_NOWHERE, "glimpse import ended by a signal as it read %s",
			   path);
	return NULL;
}

const char *const *foreign_open(const char *const *paths, unsigned n, const char *spec,
				struct diag *diag)
{
	static const char **copy; /* lasts as long as the program */

	copy = array_new(n + 1, sizeof *copy);

	for (unsigned i = 0; i < n; i++) {
		copy[i] = foreign_is(paths[i]) ? logs_make(paths[i], spec, diag) : paths[i];
		if (!copy[i]) {
			free(copy);
			return NULL;
		}
	}
	copy[n] = NULL;
	return copy;
}
