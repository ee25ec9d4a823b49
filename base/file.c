#include "base/file.h"
#include "base/array.h"
#include "base/file_shrink.h"
#include "base/output.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SMALL 65536

/* ---- holes ---- */

#define HOLE_LEAST (64 << 10)
#define HOLE_EDGE (16 << 10) /* of a hole still counts as data: the end of the last record */
#define HOLES_MOST 4096

/* Finds the next hole of at least HOLE_LEAST bytes from *at on, and moves *at behind it. */
static bool hole_next(int fd, off_t size, off_t *at, struct file_hole *hole)
{
	while (*at < size) {
		off_t from = lseek(fd, *at, SEEK_HOLE), to = -1;

		if (from < 0 || from >= size)
			return false;
		to = lseek(fd, from, SEEK_DATA);
		*at = to < 0 || to > size ? size : to;
		*hole = (struct file_hole){(size_t)from + HOLE_EDGE, (size_t)*at};
		if (*at - from >= HOLE_LEAST)
			return true;
	}
	return false;
}

uint64_t file_holes_after(int fd, uint64_t offset)
{
	off_t at = (off_t)offset, size = lseek(fd, 0, SEEK_END);
	struct file_hole hole;
	uint64_t bytes = 0;

	while (hole_next(fd, size, &at, &hole))
		bytes += hole.to - hole.from;
	lseek(fd, 0, SEEK_SET);
	return bytes;
}

uint64_t file_holes_size(const struct file *f)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < f->nholes; i++)
		bytes += f->holes[i].to - f->holes[i].from;
	return bytes;
}

static bool holes_list(struct file *f, int fd)
{
	struct file_hole hole;
	off_t at = 0;

	while (hole_next(fd, (off_t)f->size, &at, &hole)) {
		if (f->nholes == HOLES_MOST) {
			errno = EFBIG;
			return false;
		}
		f->holes = array_grow(f->holes, f->nholes, sizeof *f->holes);
		f->holes[f->nholes++] = hole;
	}
	return true;
}

void file_put(struct file *f, size_t offset, const void *bytes, size_t size)
{
	struct file_hole *list = array_new(f->nholes + 1, sizeof *list);
	size_t n = 0;

	memcpy(f->bytes + offset, bytes, size);
	/* At most one hole becomes two. */
	for (size_t i = 0; i < f->nholes; i++) {
		struct file_hole h = f->holes[i];
		size_t from = h.from > offset + size ? h.from : offset + size;

		if (h.from < offset)
			list[n++] = (struct file_hole){h.from, h.to < offset ? h.to : offset};
		if (from < h.to)
			list[n++] = (struct file_hole){from, h.to};
	}
	free(f->holes);
	f->holes = list;
	f->nholes = n;
}

/* ---- files ---- */

static bool file_map(struct file *f, int fd, size_t size, bool writable)
{
	void *bytes = mmap(NULL, size, writable ? PROT_READ | PROT_WRITE : PROT_READ,
			   MAP_PRIVATE | (writable ? MAP_NORESERVE : 0), fd, 0);

	if (bytes == MAP_FAILED)
		return false;
	madvise(bytes, size, MADV_SEQUENTIAL);
	file_shrink_watch(bytes, size, fd);
	*f = (struct file){.bytes = bytes, .size = size, .mapped = true, .writable = writable};
	if (holes_list(f, fd))
		return true;
	file_unload(f);
	errno = EFBIG;
	return false;
}

static bool file_read(struct file *f, int fd, size_t size)
{
	size_t done = 0;

	f->bytes = malloc(size ? size : 1);
	if (!f->bytes)
		return false;
	while (done < size) {
		ssize_t n = read(fd, f->bytes + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			file_unload(f);
			return false;
		}
		if (n == 0)
			break;
		done += (size_t)n;
	}
	f->size = done;
	f->mapped = false;
	f->writable = true;
	return true;
}

bool file_load(struct file *f, const char *path, bool writable)
{
	return file_take(f, file_open(path, O_RDONLY), writable);
}

bool file_take(struct file *f, int fd, bool writable)
{
	struct stat status;
	bool good;
	int error;

	*f = (struct file){.bytes = NULL};
	if (fd < 0)
		return false;
	if (fstat(fd, &status) == 0 && !S_ISREG(status.st_mode)) {
		close(fd);
		errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
		return false;
	}
	if (status.st_size > SMALL)
		good = file_map(f, fd, (size_t)status.st_size, writable);
	else
		good = file_read(f, fd, (size_t)status.st_size);
	error = errno;
	close(fd);
	errno = error;
	return good;
}

void file_unload(struct file *f)
{
	if (f->mapped) {
		file_shrink_forget(f->bytes);
		munmap(f->bytes, f->size);
	} else {
		free(f->bytes);
	}
	free(f->holes);
	*f = (struct file){.bytes = NULL};
}

bool file_read_at(int fd, void *to, size_t size, uint64_t offset)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = pread(fd, (char *)to + done, size - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

uint64_t file_data_from(int fd, uint64_t offset)
{
	off_t data = lseek(fd, (off_t)offset, SEEK_DATA);

	if (data < 0)
		return errno == ENXIO ? UINT64_MAX : offset;
	return (uint64_t)data > offset ? (uint64_t)data : offset;
}

bool file_read_data(int fd, void *zeros, size_t size, uint64_t offset)
{
	uint64_t end = offset + size, at = file_data_from(fd, offset);

	while (at < end) {
		off_t hole = lseek(fd, (off_t)at, SEEK_HOLE);
		uint64_t to = hole > (off_t)at && (uint64_t)hole < end ? (uint64_t)hole : end;

		if (!file_read_at(fd, (char *)zeros + (at - offset), to - at, at))
			return false;
		at = file_data_from(fd, to);
	}
	return true;
}

bool file_write_all(int fd, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size > 0) {
		ssize_t n = write(fd, at, size);

		if (n < 0 && errno == EINTR && !output_interrupted())
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}
