#include "trace/symbols/confine_symbols.h"
#include "base/array.h"
#include "base/file.h"
#include "trace/open/subdirectories.h"
#include "trace/symbols/debug_files.h"
#include "trace/symbols/modules.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int64_t no_time(const void *context, uint64_t ticks)
{
	(void)context, (void)ticks;
	return 0;
}

/* A log may name any file: what is no program's is not let in. link: what its section names. */
static bool file_allow(struct confinement *c, const char *path, struct debug_link *link)
{
	int fd = strchr(path, '/') ? elf_open(path) : -1;
	struct elf_look look;
	bool good = fd >= 0 && elf_look(fd, &look);

	if (good)
		confine_allow(c, CONFINE_READ, path);
	if (good)
		debug_link_read(fd, link);
	if (fd >= 0)
		close(fd);
	return good;
}

/* Lets in a program or library, and the separate debug information beside it. */
static void module_allow(struct confinement *c, const char *path)
{
	struct debug_link link, none;
	char *beside;

	if (!file_allow(c, path, &link))
		return;
	for (unsigned i = 0; (beside = debug_link_path(&link, path, i)); i++) {
		file_allow(c, beside, &none);
		free(beside);
	}
}

static void text_allow(struct confinement *c, const char *text, size_t n)
{
	struct modules modules = {0};

	modules_read(&modules, text, n < MODULES_SIZE ? n : MODULES_SIZE, no_time, NULL);
	for (size_t i = 0; i < modules.list.n; i++)
		module_allow(c, modules.list.at[i].path);
	modules_clear(&modules);
}

/* ---- directories ---- */

static void directory_allow(struct confinement *c, const char *directory)
{
	char *path = text_format("%s/modules", directory);
	struct file f;

	if (file_take(&f, file_open(path, O_RDONLY), false)) {
		text_allow(c, (const char *)f.bytes, f.size);
		file_unload(&f);
	}
	free(path);
}

static void run_allow(struct confinement *c, const char *directory)
{
	struct subdirectories within = subdirectories_find(directory);

	directory_allow(c, directory);
	for (size_t i = 0; i < within.n; i++) {
		char *path = subdirectory_path(directory, within.names[i]);

		directory_allow(c, path);
		free(path);
	}
	subdirectories_clear(&within);
}

/* ---- packed files ---- */

/* Writes the files `modules` of a packed file, one after the other. */
static void pack_copy(const char *path, int to)
{
	struct diag quiet = {.program = program_invocation_short_name};
	struct pack *p = pack_open(path, &quiet);

	for (size_t i = 0; p && i < p->index.nmembers; i++) {
		const char *name = p->index.members[i].name, *slash = strchr(name, '/');
		struct file f;

		if (strcmp(slash ? slash + 1 : name, "modules") != 0 ||
		    !file_take(&f, pack_descriptor(p, name), false))
			continue;
		file_write_all(to, f.bytes, f.size);
		file_unload(&f);
	}
}

/* A packed file is unpacked by a process that can do nothing else: this one is not yet confined. */
__attribute__((noreturn)) static void pack_serve(const char *path, int to)
{
	struct confinement c;

	confine_begin(&c, 0);
	confine_allow(&c, CONFINE_READ, path);
	confine_allow(&c, CONFINE_READ, "/proc");
	confine_end(&c);
	pack_copy(path, to);
	_exit(0);
}

static void pack_allow(struct confinement *c, const char *path)
{
	VECTOR(char) text = {0};
	char part[4096];
	ssize_t n = 0;
	int ends[2];
	pid_t child = pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;

	if (child == 0)
		pack_serve(path, ends[1]);
	if (child < 0)
		return;
	close(ends[1]);
	while (text.n < MODULES_SIZE && (n = read(ends[0], part, sizeof part)) > 0)
		vector_append(&text, part, (size_t)n);
	close(ends[0]);
	waitpid(child, NULL, 0);
	text_allow(c, text.n ? text.at : "", text.n);
	free(text.at);
}

void confine_allow_symbols(struct confinement *c, const char *const *directories,
			   unsigned ndirectories)
{
	char *fetched;

	if (c->ruleset < 0)
		return;
	fetched = debuginfod_folder();
	confine_allow_list(c, CONFINE_READ, debug_folders());
	confine_allow(c, CONFINE_READ, fetched);
	confine_allow(c, CONFINE_READ, PACKAGE_LISTS);
	free(fetched);
	for (unsigned i = 0; i < ndirectories; i++)
		if (pack_is(directories[i]))
			pack_allow(c, directories[i]);
		else
			run_allow(c, directories[i]);
}
