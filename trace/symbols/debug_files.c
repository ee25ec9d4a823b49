#include "trace/symbols/debug_files.h"
#include "base/array.h"
#include "base/file.h"
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

const char *debug_folders(void)
{
	const char *folders = getenv("GLIMPSE_DEBUG_PATH");

	return folders && *folders ? folders : "/usr/lib/debug";
}

/* Returns a path that starts with each folder in turn; NULL: there are no more. To be freed. */
static char *folder_next(const char **folders, const char *within)
{
	while (**folders) {
		const char *folder = *folders;
		size_t length = strcspn(folder, ":");

		*folders += length + (folder[length] == ':');
		if (length)
			return text_format("%.*s/%s", (int)length, folder, within);
	}
	return NULL;
}

/* ---- whether it is the one ---- */

/* Reads all of the file: only where no build id says the same. */
static bool checksum_equals(int fd, uint32_t checksum)
{
	unsigned char part[1 << 14];
	uint64_t at = 0;
	uLong sum = 0;
	ssize_t n;

	for (; (n = pread(fd, part, sizeof part, (off_t)at)) > 0; at += (uint64_t)n)
		sum = crc32(sum, part, (uInt)n);
	return n == 0 && sum == checksum;
}

/* Opens a file and frees its path; returns -1 if it is another one. link may be NULL. */
static int file_try(char *path, const struct build_id *id, const struct debug_link *link)
{
	int fd = elf_open(path);
	struct build_id found;

	free(path);
	if (fd < 0)
		return -1;
	if (id->n ? elf_build_id(fd, &found) && build_ids_equal(&found, id)
		  : link && checksum_equals(fd, link->checksum))
		return fd;
	close(fd);
	return -1;
}

/* ---- where it may be ---- */

/* The same rules as those of libdebuginfod. */
char *debuginfod_folder(void)
{
	const char *given = getenv("DEBUGINFOD_CACHE_PATH"), *home = getenv("HOME"),
		   *caches = getenv("XDG_CACHE_HOME");
	char *old;

	if (given && *given)
		return text_format("%s", given);
	home = home ? home : "/";
	old = text_format("%s/.debuginfod_client_cache", home);
	if (access(old, F_OK) == 0)
		return old;
	free(old);
	return caches && *caches ? text_format("%s/debuginfod_client", caches)
				 : text_format("%s/.cache/debuginfod_client", home);
}

/* Returns the path of a file of a build id that libdebuginfod has fetched; to be freed. */
static char *fetched_path(const char *hex, const char *name)
{
	char *folder = debuginfod_folder(), *path = text_format("%s/%s/%s", folder, hex, name);

	free(folder);
	return path;
}

int debug_file_by_id(const struct build_id *id)
{
	const char *folders = debug_folders();
	char hex[BUILD_ID_TEXT], *within, *path;
	int fd = -1;

	if (id->n < 2)
		return -1;
	build_id_text(hex, id);
	within = text_format(".build-id/%.2s/%s.debug", hex, hex + 2);
	while (fd < 0 && (path = folder_next(&folders, within)))
		fd = file_try(path, id, NULL);
	free(within);
	return fd < 0 ? file_try(fetched_path(hex, "debuginfo"), id, NULL) : fd;
}

int program_file_by_id(const struct build_id *id)
{
	char hex[BUILD_ID_TEXT];

	return id->n ? file_try(fetched_path(build_id_text(hex, id), "executable"), id, NULL) : -1;
}

int debug_file_shared(const struct build_id *id, const char *name)
{
	const char *folders = debug_folders(), *at = strstr(name, ".dwz/");
	int fd = debug_file_by_id(id);
	char *path;

	/* wherever the name leads, the file is in one of the folders */
	if (id->n == 0 || !at || strstr(at, "/../"))
		return fd;
	while (fd < 0 && (path = folder_next(&folders, at)))
		fd = file_try(path, id, NULL);
	return fd;
}

/* Opens the file that the link names. */
static int debug_file_linked(const char *program, const struct build_id *id,
			     const struct debug_link *link)
{
	const char *folders = debug_folders();
	char *beside, *path;
	int fd = -1;

	for (unsigned i = 0; fd < 0 && (path = debug_link_path(link, program, i)); i++)
		fd = file_try(path, id, link);
	beside = *program == '/' ? debug_link_path(link, program, 0) : NULL;
	while (fd < 0 && beside && (path = folder_next(&folders, beside + 1)))
		fd = file_try(path, id, link);
	free(beside);
	return fd;
}

int debug_file_find(const char *program, const struct build_id *id, const struct debug_link *link)
{
	int fd = debug_file_by_id(id);

	return fd < 0 ? debug_file_linked(program, id, link) : fd;
}
