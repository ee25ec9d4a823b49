/*
 * Lets the probe io tell the probe threads of its calls. The latter logs the waits, within the
 * events of io. Beside io, the wrappers of the probe threads pass these calls on: either library
 * may be the first in line, and only io knows both ends of its own intervals.
 */
#ifndef GLIMPSE_PROBES_DESCRIPTOR_WAITS_H
#define GLIMPSE_PROBES_DESCRIPTOR_WAITS_H

#include "probes/descriptor_calls.h"
#include <stdbool.h>

enum descriptor_call {
	CALL_Read,
	CALL_Write,
	CALL_Sync,
	CALL_Connect,
	CALL_Accept,
	CALL_Send,
	CALL_Receive
};

/* The descriptors that poll() or one of its relatives waited for. */
struct polled {
	const struct pollfd *fds; /* NULL: unknown, as select() changes its sets */
	nfds_t n;
	int epoll;                        /* -1: none */
	const struct epoll_event *events; /* of epoll; only read after success */
};

#define POLLED_FDS(fds, n) (&(const struct polled){fds, n, -1, NULL})
#define POLLED_SETS() (&(const struct polled){NULL, 0, -1, NULL})
#define POLLED_EPOLL(epoll, events) (&(const struct polled){NULL, 0, epoll, events})

/* Functions of the probe threads. They may change errno. Times are those of glimpse_now(). */
struct descriptor_waits {
	/* Returns whether a call may wait, or ends others' waits, and must be told of. */
	bool (*may_wait)(enum descriptor_call call, int fd);
	/*
	 * A call since then is over. outcome: its result, or the errno value with a minus. Returns
	 * the end of the call.
	 */
	uint64_t (*called)(enum descriptor_call call, int fd, uint64_t since, int64_t outcome,
			   const void *site);
	/* The same for poll() and its relatives. first: the first ready descriptor, or -1 */
	void (*polled)(const struct polled *what, int first, uint64_t since, uint64_t now,
		       int64_t outcome, const void *site);
};

#endif
