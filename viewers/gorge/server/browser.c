#include "viewers/gorge/server/browser.h"
#include "base/array.h"
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct browser {
	struct server *server;
	char *address;
	char *folder, *file;    /* NULL: removed */
	pid_t pid;              /* of what opens the file; -1: it has ended */
};

/* Makes a folder that is the user's alone, in that of the session, else among temporary files. */
static char *folder_make(void)
{
	const char *const places[] = {getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp"};

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		char *folder = places[i] && places[i][0] == '/'
				   ? text_format("%s/gorge-XXXXXX", places[i]) : NULL;

		if (folder && mkdtemp(folder))
			return folder;
		free(folder);
	}
	return NULL;
}

static bool file_write(const char *path, const char *address)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

	if (!out)
		return false;
	fprintf(out, "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
		"<meta name=\"referrer\" content=\"no-referrer\">\n"
		"<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n"
		"<title>gorge</title>\n<p><a href=\"%s\">The view</a>\n</html>\n",
		address, address);
	return fclose(out) == 0;
}

static void file_remove(struct browser *b)
{
	if (b->file)
		unlink(b->file);
	if (b->folder)
		rmdir(b->folder);
	free(b->file);
	free(b->folder);
	b->file = b->folder = NULL;
}

static void program_start(struct browser *b)
{
	char *arguments[] = {"xdg-open", b->file, NULL};
	posix_spawn_file_actions_t actions;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&b->pid, arguments[0], &actions, NULL, arguments, environ) != 0) {
		b->pid = -1;
		file_remove(b);
	}
	posix_spawn_file_actions_destroy(&actions);
}

struct browser *browser_start(struct server *server)
{
	struct browser *b;

	if (!isatty(STDOUT_FILENO) || (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")))
		return NULL;
	b = array_zero(1, sizeof *b);
	b->server = server;
	b->pid = -1;
	b->address = server_invite(server);
	b->folder = b->address ? folder_make() : NULL;
	b->file = b->folder ? text_format("%s/view.html", b->folder) : NULL;
	if (b->file && file_write(b->file, b->address))
		program_start(b);
	else
		file_remove(b);
	return b;
}

void browser_step(struct browser *b)
{
	if (b->pid > 0 && waitpid(b->pid, NULL, WNOHANG) != 0)
		b->pid = -1;
	if (b->file && !server_awaits(b->server, b->address))
		file_remove(b);
}

void browser_free(struct browser *b)
{
	if (!b)
		return;
	file_remove(b);
	free(b->address);
	free(b);
}
