#include "recorder/samples/kernel_cache.h"
#include "base/array.h"
#include "base/file.h"
#include "base/file_open.h"
#include "base/hash.h"
#include "base/user_cache.h"
#include "recorder/samples/kernel_table.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of another form of the file, another number. */
#define WHAT "glimpse kernel names 1"
#define NAME "kernel-names"

enum { BOOT_ROOM = 40, LINE_ROOM = 512, CACHE_MOST = 1 << 28 };

/* When a table is right. */
struct cache_key {
	char what[24], boot[BOOT_ROOM];
	uint64_t modules; /* a hash of those that are loaded, and where */
};

/* The file: this, the symbols and the text. */
struct cache_head {
	struct cache_key key;
	uint64_t n, bytes; /* symbols, and bytes of text */
	uint64_t check;    /* of all that follows */
};

const struct kernel_files kernel_files = {
    .list = "/proc/kallsyms",
    .modules = "/proc/modules",
    .boot = "/proc/sys/kernel/random/boot_id",
};

/* ---- when a table is right ---- */

/* Of a line "NAME SIZE USERS USED-BY STATE ADDRESS" the users come and go. */
static uint64_t module_hash(const char *line)
{
	char name[LINE_ROOM], state[LINE_ROOM], address[LINE_ROOM];
	unsigned long long size;

	if (sscanf(line, "%511s %llu %*s %*s %511s %511s", name, &size, state, address) != 4)
		return hash_text(line);
	return hash_mix(hash_text(name) ^ hash_mix(size ^ hash_text(state))) ^ hash_text(address);
}

/* A kernel without modules has no list of them. */
static uint64_t modules_hash(const char *path)
{
	FILE *f = fopen(path, "re");
	uint64_t hash = 0;
	size_t room = 0;
	char *line = NULL;

	while (f && getline(&line, &room, f) > 0)
		hash = hash_mix(hash ^
				(strlen(line) < LINE_ROOM ? module_hash(line) : hash_text(line)));
	free(line);
	if (f)
		fclose(f);
	return hash;
}

/* Returns false if one boot cannot be told from another. */
static bool key_read(struct cache_key *k, const struct kernel_files *files)
{
	int fd = open(files->boot, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	*k = (struct cache_key){.what = WHAT};
	if (fd < 0)
		return false;
	n = read(fd, k->boot, sizeof k->boot);
	close(fd);
	k->modules = modules_hash(files->modules);
	return n > 0;
}

/* ---- the file ---- */

/* Any change of one word changes it. */
static uint64_t check_of(const struct kernel_table *t)
{
	const char *parts[] = {(const char *)t->symbols, t->text};
	size_t sizes[] = {t->n * sizeof *t->symbols, t->bytes};
	uint64_t check = 0, word;

	for (int i = 0; i < 2; i++)
		for (size_t at = 0; at < sizes[i]; at += sizeof word) {
			size_t left = sizes[i] - at;

			word = 0;
			memcpy(&word, parts[i] + at, left < sizeof word ? left : sizeof word);
			check = (check ^ word) * UINT64_C(0xd6e8feb86659fd93);
		}
	return check;
}

/* Returns whether a file is the user's own, and of the size that its head says. */
static bool is_whole(int fd, const struct cache_head *h)
{
	struct stat status;

	return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
	       !(status.st_mode & (S_IWGRP | S_IWOTH)) && h->n && h->bytes && h->n < CACHE_MOST &&
	       h->bytes < CACHE_MOST &&
	       (uint64_t)status.st_size ==
		   sizeof *h + h->n * sizeof(struct kernel_symbol) + h->bytes;
}

/* Returns whether all of a table can be read, whatever has become of the file. */
static bool is_sound(const struct kernel_table *t, uint64_t check)
{
	if (check_of(t) != check || t->text[t->bytes - 1])
		return false;
	for (size_t i = 0; i < t->n; i++)
		if (t->symbols[i].name >= t->bytes)
			return false;
	return true;
}

static bool cache_load(struct kernel_table *t, const char *path, const struct cache_key *key)
{
	struct cache_head h = {.n = 0};
	int fd = file_open(path, O_RDONLY);
	size_t size;
	bool good;

	*t = (struct kernel_table){.n = 0};
	if (fd < 0)
		return false;
	good = file_read_at(fd, &h, sizeof h, 0) && memcmp(&h.key, key, sizeof *key) == 0 &&
	       is_whole(fd, &h);
	if (good) {
		size = h.n * sizeof *t->symbols;
		*t = (struct kernel_table){array_new(h.n, sizeof *t->symbols), h.n,
					   array_new(h.bytes, 1), h.bytes};
		good = file_read_at(fd, t->symbols, size, sizeof h) &&
		       file_read_at(fd, t->text, h.bytes, sizeof h + size) && is_sound(t, h.check);
	}
	close(fd);
	if (!good)
		kernel_table_free(t);
	return good;
}

/* Writes the file, which others see when it is complete. It is no harm if that fails. */
static void cache_store(const struct kernel_table *t, const char *path, const struct cache_key *key)
{
	struct cache_head h = {*key, t->n, t->bytes, check_of(t)};
	char *made = text_format("%s.%ld", path, (long)getpid());
	int fd = open(made, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool good = fd >= 0 && file_write_all(fd, &h, sizeof h) &&
		    file_write_all(fd, t->symbols, t->n * sizeof *t->symbols) &&
		    file_write_all(fd, t->text, t->bytes);

	if (fd >= 0 && (close(fd) != 0 || !good || rename(made, path) != 0))
		unlink(made);
	free(made);
}

/* ---- names ---- */

static bool all_last(const struct kernel_table *t, const uint64_t *addresses, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!kernel_table_lasts(t, addresses[i]))
			return false;
	return true;
}

/* Reads the list; keeps it if it is whole, shows addresses, and no module came meanwhile. */
static bool list_read(struct kernel_table *t, const struct kernel_files *files, const char *path,
		      const struct cache_key *before)
{
	int fd = open(files->list, O_RDONLY | O_CLOEXEC);
	struct cache_key after;
	bool good;

	*t = (struct kernel_table){.n = 0};
	if (fd < 0)
		return false;
	good = kernel_table_read(t, fd);
	close(fd);
	if (good && path && t->n && t->symbols[0].start && key_read(&after, files) &&
	    memcmp(before, &after, sizeof after) == 0)
		cache_store(t, path, before);
	return good;
}

bool kernel_names_find(const struct kernel_files *files, const uint64_t *addresses, size_t n,
		       made_take *take, void *context)
{
	struct cache_key key;
	char *folder = key_read(&key, files) ? user_cache_make() : NULL,
	     *path = folder ? text_format("%s/" NAME, folder) : NULL;
	struct kernel_table t;
	bool good = path && cache_load(&t, path, &key);

	if (good && !all_last(&t, addresses, n)) {
		kernel_table_free(&t);
		good = false;
	}
	if (!good)
		good = list_read(&t, files, path, &key);
	kernel_table_give(&t, addresses, n, take, context);
	kernel_table_free(&t);
	free(path);
	free(folder);
	return good;
}
