#include "viewers/web/browser.h"
#include "base/array.h"
#include "viewers/web/leading_page.h"
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct browser {
	struct server *server;
	char *address;
	int request; /* the address goes to the process here; -1: it is to end */
	pid_t process;
};

/* What the process has made. */
struct invitation {
	char *folder, *file; /* NULL: there is none */
};

/* Makes a folder that is the user's alone, in that of the session, else among temporary files. */
static char *folder_make(void)
{
	const char *const places[] = {getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp"};

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		char *folder = places[i] && places[i][0] == '/'
				   ? text_format("%s/gorge-XXXXXX", places[i])
				   : NULL;

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
	char *page;

	if (!out)
		return false;
	page = leading_page(address);
	fputs(page, out);
	free(page);
	return fclose(out) == 0;
}

static void file_remove(struct invitation *v)
{
	if (v->file)
		unlink(v->file);
	if (v->folder)
		rmdir(v->folder);
	free(v->file);
	free(v->folder);
}

/* Starts what opens files on a desktop. Returns whether that is possible. */
static bool program_start(char *file)
{
	char *arguments[] = {"xdg-open", file, NULL};
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	error = posix_spawnp(&pid, arguments[0], &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error == 0;
}

/* ---- the process ---- */

/* A log may have taken over who asks: nothing but a page of this machine is opened. */
static bool address_is_local(const char *address)
{
	static const char start[] = "http://127.0.0.1:";

	return strncmp(address, start, sizeof start - 1) == 0 &&
	       strspn(address + sizeof start - 1, "0123456789abcdef/") ==
		   strlen(address) - (sizeof start - 1);
}

/* Reads until the text has a line, or is full. Returns whether it has one, and cuts it there. */
static bool line_read(int fd, char *text, size_t room)
{
	size_t length = 0;
	char *end = NULL;

	while (!end && length + 1 < room) {
		ssize_t n = read(fd, text + length, room - 1 - length);

		if (n <= 0)
			return false;
		length += (size_t)n;
		text[length] = '\0';
		end = strchr(text, '\n');
	}
	if (end)
		*end = '\0';
	return end;
}

/* Opens one address, and removes the file when the other end of the pipe is closed. */
static _Noreturn void process_run(int request)
{
	struct invitation v = {NULL, NULL};
	char address[256], rest;

	if (line_read(request, address, sizeof address) && address_is_local(address))
		v.folder = folder_make();
	v.file = v.folder ? text_format("%s/view.html", v.folder) : NULL;
	if (v.file && file_write(v.file, address) && program_start(v.file))
		while (read(request, &rest, 1) > 0)
			;
	file_remove(&v);
	_exit(0);
}

/* The signals that end gorge do not end the process before it has removed the file. */
static pid_t process_start(int request, int other_end)
{
	sigset_t ending, before;
	pid_t pid;

	sigemptyset(&ending);
	sigaddset(&ending, SIGINT);
	sigaddset(&ending, SIGTERM);
	sigaddset(&ending, SIGHUP);
	sigprocmask(SIG_BLOCK, &ending, &before);
	pid = fork();
	if (pid == 0) {
		close(other_end);
		process_run(request);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

/* ---- gorge ---- */

struct browser *browser_prepare(void)
{
	struct browser *b;
	int ends[2];

	if (!isatty(STDOUT_FILENO) || (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) ||
	    pipe2(ends, O_CLOEXEC))
		return NULL;
	b = array_zero(1, sizeof *b);
	b->request = ends[1];
	b->process = process_start(ends[0], ends[1]);
	close(ends[0]);
	return b;
}

static void request_close(struct browser *b)
{
	if (b->request >= 0)
		close(b->request);
	b->request = -1;
}

void browser_start(struct browser *b, struct server *server)
{
	b->server = server;
	b->address = b->process > 0 ? server_invite(server) : NULL;
	signal(SIGPIPE, SIG_IGN);
	if (!b->address || dprintf(b->request, "%s\n", b->address) < 0)
		request_close(b);
}

void browser_step(struct browser *b)
{
	if (b->request >= 0 && !server_awaits(b->server, b->address))
		request_close(b);
	if (b->request < 0 && b->process > 0 && waitpid(b->process, NULL, WNOHANG) != 0)
		b->process = -1;
}

void browser_end(struct browser *b)
{
	if (!b)
		return;
	request_close(b);
	if (b->process > 0)
		waitpid(b->process, NULL, 0);
	free(b->address);
	free(b);
}
