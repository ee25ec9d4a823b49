#include "recorder/scheduler/kernel_waits.h"
#include "base/array.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

/* Few: functions of the kernel times instructions that fault. */
static VECTOR(struct kernel_place) places;

static bool is_same(const struct kernel_place *a, const struct kernel_place *b)
{
	return a->call == b->call && a->code == b->code && strcmp(a->function, b->function) == 0;
}

uint32_t kernel_wait_number(const struct kernel_place *p)
{
	for (size_t i = places.n; i-- > 0;)
		if (is_same(&places.at[i], p))
			return (uint32_t)i + 1;
	*vector_add(&places) = *p;
	return (uint32_t)places.n;
}

const struct kernel_place *kernel_wait_place(uint32_t number)
{
	return &places.at[number - 1];
}

const char *kernel_wait_call(const struct kernel_place *p)
{
	static const struct {
		long number;
		const char *name;
	} calls[] = {
	    {-1, "page fault"},
	    {SYS_fsync, "fsync"},
	    {SYS_fdatasync, "fdatasync"},
	    {SYS_msync, "msync"},
	    {SYS_sync, "sync"},
	    {SYS_syncfs, "syncfs"},
	    {SYS_sync_file_range, "sync_file_range"},
	    {SYS_read, "read"},
	    {SYS_pread64, "pread"},
	    {SYS_readv, "readv"},
	    {SYS_write, "write"},
	    {SYS_pwrite64, "pwrite"},
	    {SYS_writev, "writev"},
	    {SYS_openat, "openat"},
	    {SYS_mmap, "mmap"},
	    {SYS_munmap, "munmap"},
	    {SYS_mprotect, "mprotect"},
	    {SYS_madvise, "madvise"},
	    {SYS_mremap, "mremap"},
	    {SYS_brk, "brk"},
	    {SYS_exit, "exit"},
	    {SYS_exit_group, "exit"},
	    {SYS_execve, "execve"},
	};
	static char other[40];

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (calls[i].number == p->call)
			return calls[i].name;
	snprintf(other, sizeof other, "system call %ld", p->call);
	return other;
}

void kernel_waits_free(void)
{
	free(places.at);
	memset(&places, 0, sizeof places);
}
