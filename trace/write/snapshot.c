#include "trace/write/snapshot.h"
#include "base/file.h"
#include "base/output.h"
#include "trace/format/bytes.h"
#include "trace/open/directory.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOTE_LOST_CONTENT 12
#define NOTE_LOST_SIZE (NOTE_HEADER + NOTE_LOST_CONTENT)
#define TAIL_WHY 72
#define LOST_IN_RING 3
#define CHUNK (1u << 16)
#define AT_ONCE (1u << 26) /* bytes between checks for interruption */

struct snapshot {
	const struct directory *from;
	struct directory to;
	struct diag *diag;
};

/* Copies within the file system if possible; returns -1 with errno set, or 0 at the file's end. */
static ssize_t chunk_copy(int from, int to, size_t size)
{
	static char chunk[CHUNK];
	ssize_t n = copy_file_range(from, NULL, to, NULL, size, 0);

	if (n > 0)
		return n;
	n = read(from, chunk, size < CHUNK ? size : CHUNK);
	return n > 0 && !file_write_all(to, chunk, (size_t)n) ? -1 : n;
}

/* Copies up to `size` bytes, or to the end of the file, whichever comes first. */
static bool bytes_copy(int from, int to, uint64_t size)
{
	while (size && !output_interrupted()) {
		ssize_t n = chunk_copy(from, to, size < AT_ONCE ? size : AT_ONCE);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0;
		size -= (uint64_t)n;
	}
	return !output_interrupted();
}

/* Copies as bytes_copy() does, unless that is mostly zeros that the file does not have. */
static bool data_copy(int from, int to, uint64_t size)
{
	if (file_holes_after(from, 0) < FILE_HOLES_MOST)
		return bytes_copy(from, to, size);
	errno = EFBIG;
	return false;
}

/* ---- what a tail adds to its log ---- */

/* Writes a note LOST, if the tail says that events were lost. */
static bool lost_put(const struct log_tail *t, int to)
{
	unsigned char note[NOTE_LOST_SIZE], why[4];
	int fd = file_open(t->path, O_RDONLY);
	bool known = fd >= 0 && pread(fd, why, sizeof why, TAIL_WHY) == sizeof why;

	if (fd >= 0)
		close(fd);
	write_32(note, RECORD_NOTE);
	write_32(note + 4, NOTE_LOST << 24 | NOTE_LOST_CONTENT);
	write_64(note + NOTE_HEADER, t->lost);
	write_32(note + NOTE_HEADER + 8, t->ring ? LOST_IN_RING : known ? read_32(why) : 0);
	return !t->lost || file_write_all(to, note, sizeof note);
}

/* Returns whether the copy has room for the bytes that were on their way to the log's file. */
static bool pending_fits(const struct log_tail *t, int to)
{
	struct stat status;

	return t->pending.size && fstat(to, &status) == 0 &&
	       t->pending.base <= (uint64_t)status.st_size &&
	       t->pending.size <= (uint64_t)status.st_size - t->pending.base;
}

/* Appends a tail. A ring lost events before its records; any other tail, those after. */
static bool tail_put(const struct log_tail *t, int to)
{
	if (t->ring && !lost_put(t, to))
		return false;
	if (pending_fits(t, to) && pwrite(to, t->pending.bytes, t->pending.size,
					  (off_t)t->pending.base) != (ssize_t)t->pending.size)
		return false;
	return file_write_all(to, t->bytes, t->size) && (t->ring || lost_put(t, to));
}

/* ---- files ---- */

static bool file_failed(const struct snapshot *s, const char *name)
{
	if (!output_interrupted())
		diag_error(s->diag, DIAG_NOWHERE, "cannot copy %s/%s to %s: %s", s->from->path,
			   name, s->to.path, file_why(errno));
	return false;
}

/*
 * Copies up to `size` bytes of a file, then the tail (or NULL) of the log that it is. needed: the
 * file must exist.
 */
static bool part_copy(const struct snapshot *s, const char *name, uint64_t size,
		      const struct log_tail *t, bool needed)
{
	char *path = directory_join(&s->to, name);
	int from = directory_file(s->from, name), to = -1;
	bool good;

	if (from < 0 && errno == ENOENT && !needed) {
		free(path);
		return true;
	}
	if ((from >= 0 || (t && log_tail_has_log(t))) && path)
		to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	good = to >= 0 && (from < 0 || data_copy(from, to, size)) && (!t || tail_put(t, to));
	if (to >= 0 && close(to) != 0)
		good = false;
	if (!good)
		file_failed(s, name);
	if (from >= 0)
		close(from);
	free(path);
	return good;
}

/* Copies a file; of a log what is before its tail, then the tail. needed: it must exist. */
static bool file_copy(const struct snapshot *s, const char *name, const struct log_tail *t,
		      bool needed)
{
	return part_copy(s, name, t ? t->base : UINT64_MAX, t, needed);
}

static bool logs_copy(const struct snapshot *s)
{
	for (size_t i = 0; i < s->from->nlogs; i++) {
		struct log_name log = s->from->logs[i];
		const struct log_tail *tail = directory_tail(s->from, log);
		char name[LOG_NAME_TEXT];

		if (tail && tail->pooled)
			continue;
		log_name_print(name, log);
		if (!file_copy(s, name, tail, true))
			return false;
	}
	return !s->from->container || part_copy(s, CONTAINER_NAME, s->from->container, NULL, true);
}

static bool specs_copy(const struct snapshot *s)
{
	for (size_t i = 0; i < s->from->nspecs; i++)
		if (!file_copy(s, strrchr(s->from->specs[i], '/') + 1, NULL, true))
			return false;
	return true;
}

static bool directory_copy(const struct directory *from, const char *to, struct diag *diag)
{
	struct snapshot s = {from, {.path = to}, diag};

	return logs_copy(&s) && specs_copy(&s) && file_copy(&s, "process", NULL, false) &&
	       file_copy(&s, "switches", NULL, false) && file_copy(&s, "modules", NULL, false) &&
	       file_copy(&s, "objects", NULL, false) && file_copy(&s, "made", NULL, false) &&
	       file_copy(&s, "names", NULL, false) && file_copy(&s, "command", NULL, false) &&
	       file_copy(&s, "missing", NULL, false) && file_copy(&s, "refused", NULL, false);
}

/* Copies a directory within another one. */
static bool inner_copy(const struct directory *outer, const char *name, const char *to,
		       struct diag *diag)
{
	struct directory d;
	char *path = subdirectory_path(to, name);
	bool good = directory_open_inner(&d, outer, name, diag);

	if (good && directory_is_process(&d)) {
		good = mkdir(path, 0700) == 0;
		if (!good)
			diag_error(diag, DIAG_NOWHERE, "cannot create %s: %s", path,
				   strerror(errno));
		good = good && directory_copy(&d, path, diag);
	}
	directory_close(&d);
	free(path);
	return good;
}

bool snapshot_write(const char *from, const char *to, struct diag *diag)
{
	struct directory d;
	bool good = directory_open(&d, from, diag);

	if (good && d.pack) {
		diag_error(diag, DIAG_NOWHERE, "%s: this is a packed file; copy the file instead",
			   from);
		good = false;
	}
	good = good && directory_copy(&d, to, diag);
	for (size_t i = 0; good && i < d.within.n; i++)
		good = inner_copy(&d, d.within.names[i], to, diag);
	directory_close(&d);
	return good;
}
