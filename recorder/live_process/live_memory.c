#include "recorder/live_process/live_memory.h"
#include <limits.h>
#include <sys/uio.h>

#define PAGE 4096

/* The kernel reads up to the first part that it cannot read: each page is a part. */
size_t live_memory_read(pid_t pid, uint64_t address, void *to, size_t size)
{
	struct iovec parts[128], all = {to, 0};
	unsigned n = 0;
	ssize_t done;

	while (all.iov_len < size && n < sizeof parts / sizeof *parts) {
		uint64_t at = address + all.iov_len;
		size_t left = size - all.iov_len, page = PAGE - at % PAGE;

		parts[n] = (struct iovec){(void *)(uintptr_t)at, left < page ? left : page};
		all.iov_len += parts[n++].iov_len;
	}
	done = process_vm_readv(pid, &all, 1, parts, n, 0);
	return done > 0 ? (size_t)done : 0;
}

bool live_memory_get(pid_t pid, uint64_t address, void *to, size_t size)
{
	return live_memory_read(pid, address, to, size) == size;
}
