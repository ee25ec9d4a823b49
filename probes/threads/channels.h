/*
 * What a descriptor stands for, found out when it is used for the first time and remembered until
 * it is closed. Both ends of a channel have the same key: an event of the one names what the other
 * waits for.
 *
 * Nothing here allocates or takes a lock; errno may change.
 */
#ifndef GLIMPSE_PROBES_THREADS_CHANNELS_H
#define GLIMPSE_PROBES_THREADS_CHANNELS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#define CHANNELS_MOST 16384 /* descriptors from there on are not looked at */

enum channel_kind {
	CHANNEL_UNKNOWN,
	CHANNEL_FILE,  /* its calls are not looked at */
	CHANNEL_DISK,  /* a file whose calls wait for the disk: O_SYNC, O_DSYNC, O_DIRECT */
	CHANNEL_OTHER, /* its calls may wait; nobody is seen to end the wait: terminals, timers */
	/* an epoll instance that a server's clients are registered with */
	CHANNEL_CLIENTS,
	CHANNEL_PIPE,  /* the keys of both ends are the same: also FIFOs and eventfds */
	CHANNEL_SOCKET,
	CHANNEL_LISTENER, /* clients connect to it */
	CHANNEL_CLIENT    /* a server's end of a connection, which it accepted */
};

struct channel {
	enum channel_kind kind;
	uint64_t own, peer; /* what is read here, and what is read at the other end; 0: not known */
};

extern unsigned char channel_kinds[CHANNELS_MOST];

/* Finds out what a descriptor stands for, and remembers it. Returns the kind. */
enum channel_kind channel_find(int fd);

/* Returns the kind of a descriptor. */
static inline enum channel_kind channel_kind_of(int fd)
{
	unsigned char kind = CHANNEL_FILE;

	if ((unsigned int)fd >= CHANNELS_MOST)
		return CHANNEL_FILE;
	kind = __atomic_load_n(&channel_kinds[fd], __ATOMIC_ACQUIRE);
	return __builtin_expect(kind, 1) ? (enum channel_kind)kind : channel_find(fd);
}

/* Returns what was found out about a descriptor. */
struct channel channel_of(int fd);

/*
 * After a call that took long: returns the same, found out once more, since a descriptor may have
 * been closed where nobody saw it. *waits: false where calls of it never wait (O_NONBLOCK).
 */
struct channel channel_again(int fd, bool *waits);

/* Before the descriptors `first` to `last` are closed, or stand for something else. */
void channels_forget(int first, int last);

/* The two ends of a pair of sockets. */
void channels_pair(const int ends[2]);

/* Returns whether a server waits there for its clients. */
static inline bool channel_serves(enum channel_kind kind)
{
	return kind == CHANNEL_CLIENTS || kind >= CHANNEL_LISTENER;
}

/* The calling thread has accepted a connection: this is its descriptor. */
void channel_accepted(int fd);

/* The key of what listens where a descriptor is connected to; 0: none. */
uint64_t channel_listener(int fd);

/*
 * epoll_ctl() has registered a descriptor: its events have this datum. The second function returns
 * the descriptor of an event, or -1 if it is not known.
 */
void channel_watched(int epoll, uint64_t datum, int fd);
int channel_watched_by(int epoll, uint64_t datum);

#endif
