#include "runtime/aio.h"
#include "runtime/system.h"

#if __has_include(<linux/aio_abi.h>)
#include "runtime/warning.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#define WRITES_MOST 8 /* asked for; the kernel gives more, and counts these */
#define REAP 16
#define WAIT_NS 1000000

/* Context of the kernel's asynchronous I/O: no descriptor; it ends with the process. */
static aio_context_t context;
static bool impossible;
static bool forced; /* by the setting, under seccomp, too */

void gl_aio_choose(const char *setting)
{
	impossible = forced = false;
	if (!setting || !*setting)
		return;
	if (strcmp(setting, "cached") == 0)
		impossible = true;
	else if (strcmp(setting, "direct") == 0)
		forced = true;
	else
		gl_warning_print(WARNING_SETTING, "GLIMPSE_WRITE must be cached or direct, not",
				 setting, 0, NULL);
}

bool gl_aio_possible(void)
{
	return !__atomic_load_n(&impossible, __ATOMIC_RELAXED);
}

static void give_up(void)
{
	__atomic_store_n(&impossible, true, __ATOMIC_RELAXED);
}

/* As gl_file_filtered(), at less cost: once more for each write, since a filter may have come. */
static bool is_filtered_now(void)
{
	int mode = system_prctl(PR_GET_SECCOMP, NULL);

	return mode > 0 || (mode < 0 && errno != EINVAL);
}

/* Several threads may make a context at the same time; one of these contexts stays. */
static bool context_make(void)
{
	aio_context_t mine = 0, none = 0;

	if ((!forced && gl_file_filtered()) || SYSTEM_CALL(SYS_io_setup, WRITES_MOST, &mine)) {
		give_up();
		return false;
	}
	if (!__atomic_compare_exchange_n(&context, &none, mine, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE))
		SYSTEM_CALL(SYS_io_destroy, mine);
	return true;
}

/* Collects the results of writes, whichever threads began them. Returns -1 if that failed. */
static long writes_reap(long least)
{
	struct timespec most = { 0, least ? WAIT_NS : 0 };
	struct io_event events[REAP];
	long n = SYSTEM_CALL(SYS_io_getevents, context, least, REAP, events, &most);

	if (n < 0 && errno == EINTR)
		n = 0;
	if (n < 0)
		give_up();

	for (long i = 0; i < n; i++) {
		struct aio_write *w = (struct aio_write *)(uintptr_t)events[i].data;
		bool whole = events[i].res == (int64_t)w->size;

		__atomic_store_n(&w->state, whole ? AIO_DONE : AIO_FAILED, __ATOMIC_RELEASE);
	}
	return n;
}

static bool write_submit(struct aio_write *w, int fd, const void *from, uint64_t offset)
{
	struct iocb request = {
		.aio_data = (uintptr_t)w,
		.aio_lio_opcode = IOCB_CMD_PWRITE,
		.aio_fildes = (uint32_t)fd,
		.aio_buf = (uintptr_t)from,
		.aio_nbytes = w->size,
		.aio_offset = (int64_t)offset,
	}, *one = &request;

	__atomic_store_n(&w->state, AIO_UNDER_WAY, __ATOMIC_RELAXED);
	if (SYSTEM_CALL(SYS_io_submit, context, 1, &one) == 1) {
		gl_file_signal(SIGXFSZ);
		return true;
	}
	__atomic_store_n(&w->state, AIO_NONE, __ATOMIC_RELAXED);
	return false;
}

bool gl_aio_write(struct aio_write *w, const char *path, struct file_mark *mark, const void *from,
		  uint64_t offset)
{
	bool begun;
	int fd;

	if (!gl_aio_possible())
		return false;
	if (!__atomic_load_n(&context, __ATOMIC_ACQUIRE) && !context_make())
		return false;
	if (!forced && is_filtered_now()) {
		give_up();
		return false;
	}
	fd = gl_file_open(path, O_WRONLY | O_DIRECT, mark);
	if (fd < 0)
		return false;
	begun = write_submit(w, fd, from, offset);
	gl_file_close(fd);
	return begun;
}

/*
 * A write whose result cannot be known is as good as failed: to write the same bytes once more to
 * the same place does no harm.
 */
static void write_forget(struct aio_write *w)
{
	uint32_t state = AIO_UNDER_WAY;

	__atomic_compare_exchange_n(&w->state, &state, AIO_FAILED, false, __ATOMIC_ACQ_REL,
				    __ATOMIC_ACQUIRE);
}

enum aio_state gl_aio_state(struct aio_write *w)
{
	if (__atomic_load_n(&w->state, __ATOMIC_ACQUIRE) == AIO_UNDER_WAY) {
		if (!forced && is_filtered_now())
			give_up();
		while (gl_aio_possible() && writes_reap(0) == REAP)
			;
		if (!gl_aio_possible())
			write_forget(w);
	}
	return __atomic_load_n(&w->state, __ATOMIC_ACQUIRE);
}

/* Another thread may collect the result in between, so each wait for the kernel is limited. */
void gl_aio_wait(struct aio_write *w)
{
	while (gl_aio_state(w) == AIO_UNDER_WAY)
		writes_reap(1);
}

void gl_aio_forget(void)
{
	context = 0;
}

#else

void gl_aio_choose(const char *setting)
{
	(void)setting;
}

bool gl_aio_possible(void)
{
	return false;
}

bool gl_aio_write(struct aio_write *w, const char *path, struct file_mark *mark, const void *from,
		  uint64_t offset)
{
	(void)w;
	(void)path;
	(void)mark;
	(void)from;
	(void)offset;
	return false;
}

enum aio_state gl_aio_state(struct aio_write *w)
{
	return w->state;
}

void gl_aio_wait(struct aio_write *w)
{
	(void)w;
}

void gl_aio_forget(void)
{
}

#endif
