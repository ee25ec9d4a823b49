#include "base/file.h"
#include "base/file_shrink.h"
#include "base/output.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SMALL 65536

static bool file_map(struct file *f, int fd, size_t size, bool writable)
{
	void *bytes =
	    mmap(NULL, size, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_PRIVATE, fd, 0);

	if (bytes == MAP_FAILED)
		return false;
	madvise(bytes, size, MADV_SEQUENTIAL);
	file_shrink_watch(bytes, size, fd);
	*f = (struct file){bytes, size, true, writable};
	return true;
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
			free(f->bytes);
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

	*f = (struct file){NULL, 0, false, false};
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
	*f = (struct file){NULL, 0, false, false};
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
