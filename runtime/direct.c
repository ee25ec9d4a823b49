#include "runtime/direct.h"
#include "runtime/file.h"

#if __has_include(<linux/aio_abi.h>)
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FLIGHTS 256
#define REAP 16
#define WAIT_NS 1000000

/* The kernel's asynchronous I/O: its context is no descriptor, and ends with the process. */
static aio_context_t context;
static bool impossible;

/* Several threads may make one at the same time; one of them stays. */
static bool context_make(void)
{
	aio_context_t mine = 0, none = 0;

	if (__atomic_load_n(&impossible, __ATOMIC_RELAXED))
		return false;
	if (syscall(SYS_io_setup, FLIGHTS, &mine)) {
		impossible = true;
		return false;
	}
	if (!__atomic_compare_exchange_n(&context, &none, mine, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE))
		syscall(SYS_io_destroy, mine);
	return true;
}

/* Any thread may take up what another one began. */
static long flights_reap(long least)
{
	struct timespec most = { 0, least ? WAIT_NS : 0 };
	struct io_event events[REAP];
	long n = syscall(SYS_io_getevents, context, least, REAP, events, &most);

	for (long i = 0; i < n; i++) {
		struct flight *f = (struct flight *)(uintptr_t)events[i].data;
		bool whole = events[i].res == (int64_t)f->size;

		__atomic_store_n(&f->state, whole ? FLIGHT_DONE : FLIGHT_FAILED, __ATOMIC_RELEASE);
	}
	return n;
}

static bool flight_submit(struct flight *f, int fd, const void *from, uint64_t offset)
{
	struct iocb request = {
		.aio_data = (uintptr_t)f,
		.aio_lio_opcode = IOCB_CMD_PWRITE,
		.aio_fildes = (uint32_t)fd,
		.aio_buf = (uintptr_t)from,
		.aio_nbytes = f->size,
		.aio_offset = (int64_t)offset,
	}, *one = &request;

	__atomic_store_n(&f->state, FLIGHT_UNDER_WAY, __ATOMIC_RELAXED);
	if (syscall(SYS_io_submit, context, 1, &one) == 1) {
		gl_file_limit_signal();
		return true;
	}
	__atomic_store_n(&f->state, FLIGHT_NONE, __ATOMIC_RELAXED);
	return false;
}

bool gl_direct_write(struct flight *f, const char *path, const void *from, uint64_t offset)
{
	bool begun;
	int fd;

	if (!__atomic_load_n(&context, __ATOMIC_ACQUIRE) && !context_make())
		return false;
	fd = gl_file_open(path, O_WRONLY | O_DIRECT);
	if (fd < 0)
		return false;
	begun = flight_submit(f, fd, from, offset);
	gl_file_close(fd);
	return begun;
}

enum flight_state gl_direct_state(struct flight *f)
{
	if (__atomic_load_n(&f->state, __ATOMIC_ACQUIRE) == FLIGHT_UNDER_WAY)
		while (flights_reap(0) == REAP)
			;
	return __atomic_load_n(&f->state, __ATOMIC_ACQUIRE);
}

/* Another thread may take up the event between two looks, so no wait is without an end. */
void gl_direct_wait(struct flight *f)
{
	while (__atomic_load_n(&f->state, __ATOMIC_ACQUIRE) == FLIGHT_UNDER_WAY)
		flights_reap(1);
}

void gl_direct_forget(void)
{
	context = 0;
}

#else

bool gl_direct_write(struct flight *f, const char *path, const void *from, uint64_t offset)
{
	(void)f;
	(void)path;
	(void)from;
	(void)offset;
	return false;
}

enum flight_state gl_direct_state(struct flight *f)
{
	return f->state;
}

void gl_direct_wait(struct flight *f)
{
	(void)f;
}

void gl_direct_forget(void)
{
}

#endif
