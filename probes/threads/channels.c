#include "probes/threads/channels.h"
#include "probes/threads/key_mix.h"
#include "probes/threads/local_peer.h"
#include "probes/threads/threads.h"
#include "runtime/system.h"
#include "runtime/text.h"
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

unsigned char channel_kinds[CHANNELS_MOST];
static struct {
	uint64_t own, peer;
} channel_keys[CHANNELS_MOST];
static int channels_end; /* no descriptor from here on was ever looked at */

/* ---- Keys ------------------------------------------------------------------------------------ */

/* Keys are no addresses of memory, which have another upper byte. */
#define KEY_MARK (UINT64_C(0xc5) << 56)

static uint64_t key_of(uint64_t a, uint64_t b)
{
	return KEY_MARK | key_mix(key_mix(1, a), b) >> 8;
}

union channel_address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	struct sockaddr_un un;
};

/* An IPv4 address is the same if it is written as one of IPv6. */
static uint64_t address_mix(uint64_t key, const union channel_address *a)
{
	uint32_t words[4] = {0, 0, 0, 0};

	if (a->any.sa_family == AF_INET) {
		words[2] = htonl(0xffff);
		words[3] = a->in.sin_addr.s_addr;
		key = key_mix(key, a->in.sin_port);
	} else {
		memcpy(words, &a->in6.sin6_addr, sizeof words);
		key = key_mix(key, a->in6.sin6_port);
	}
	for (int i = 0; i < 4; i++)
		key = key_mix(key, words[i]);
	return key;
}

static bool is_internet(const union channel_address *a)
{
	return a->any.sa_family == AF_INET || a->any.sa_family == AF_INET6;
}

static uint64_t key_of_way(const union channel_address *from, const union channel_address *to)
{
	return KEY_MARK | address_mix(address_mix(2, from), to) >> 8;
}

static uint64_t key_of_listener(const union channel_address *a, socklen_t length)
{
	uint64_t key = 3;

	if (is_internet(a))
		return KEY_MARK | key_mix(key, a->in.sin_port) >> 8;
	if (a->any.sa_family != AF_UNIX || length <= offsetof(struct sockaddr_un, sun_path))
		return 0;
	for (size_t i = 0; i < length - offsetof(struct sockaddr_un, sun_path); i++) {
		if (i && !a->un.sun_path[i] && a->un.sun_path[0])
			break;
		key = key_mix(key, (unsigned char)a->un.sun_path[i]);
	}
	return KEY_MARK | key >> 8;
}

/* ---- The other ends of local sockets, by their inodes ---------------------------------------- */

#define PAIRS 1024u
#define PEER_UNKNOWN 1 /* the kernel does not tell: it is asked once */

/* One entry may replace another: the kernel is then asked once more. */
static struct {
	uint64_t own, peer;
} pairs[PAIRS];

static void pair_note(uint64_t own, uint64_t peer)
{
	__atomic_store_n(&pairs[own % PAIRS].own, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&pairs[own % PAIRS].peer, peer, __ATOMIC_RELEASE);
	__atomic_store_n(&pairs[own % PAIRS].own, own, __ATOMIC_RELEASE);
}

static uint64_t pair_find(uint64_t own)
{
	if (__atomic_load_n(&pairs[own % PAIRS].own, __ATOMIC_ACQUIRE) != own)
		return 0;
	return __atomic_load_n(&pairs[own % PAIRS].peer, __ATOMIC_ACQUIRE);
}

/* Returns the key of the other end's inode; 0: not known. */
static uint64_t peer_of(const struct stat *st)
{
	uint64_t own = key_of(st->st_dev, st->st_ino), peer = pair_find(own);
	uint32_t inode;

	if (!peer) {
		inode = local_peer(st->st_ino);
		peer = inode ? key_of(st->st_dev, inode) : PEER_UNKNOWN;
		pair_note(own, peer);
	}
	return peer == PEER_UNKNOWN ? 0 : peer;
}

void channels_pair(const int ends[2])
{
	struct stat one, other;

	if (!glimpse_calls_begin())
		return;
	if (!system_fstat(ends[0], &one) && !system_fstat(ends[1], &other)) {
		uint64_t a = key_of(one.st_dev, one.st_ino), b = key_of(other.st_dev, other.st_ino);

		pair_note(a, b);
		pair_note(b, a);
	}
	glimpse_calls_end();
}

/* ---- Finding out ----------------------------------------------------------------------------- */

struct socket_name {
	union channel_address address;
	socklen_t length;
};

static int socket_option(int fd, int option)
{
	int value = 0;
	socklen_t size = sizeof value;

	if (SYSTEM(SYSTEM_CALL(SYS_getsockopt, fd, SOL_SOCKET, option, &value, &size),
		   getsockopt(fd, SOL_SOCKET, option, &value, &size)) < 0)
		return -1;
	return value;
}

/* Returns false if the socket has none: it is not connected. */
static bool name_find(int fd, bool peer, struct socket_name *name)
{
	*name = (struct socket_name){.length = sizeof name->address};
	if (peer)
		return SYSTEM(SYSTEM_CALL(SYS_getpeername, fd, &name->address, &name->length),
			      getpeername(fd, &name->address.any, &name->length)) >= 0;
	return SYSTEM(SYSTEM_CALL(SYS_getsockname, fd, &name->address, &name->length),
		      getsockname(fd, &name->address.any, &name->length)) >= 0;
}

/* The two ends of a connection are told apart by this, where one inode stands for both. */
#define ACCEPTED 6u

/*
 * Of a local connection the end that connected has no name as a rule, and the other end has that of
 * the listener. The inode of the first stands for both: it is there from the beginning, also while
 * nobody has accepted. Both ends of a pair have inodes and no names.
 */
static void local_find(int fd, const struct stat *st, uint64_t own_name, uint64_t peer_name,
		       struct channel *c)
{
	uint64_t inode = key_of(st->st_dev, st->st_ino);

	c->own = inode;
	if (own_name && peer_name) {
		c->own = key_of(peer_name, own_name);
		c->peer = key_of(own_name, peer_name);
	} else if (peer_name) {
		c->peer =
		    socket_option(fd, SO_TYPE) == SOCK_DGRAM ? peer_name : key_of(ACCEPTED, inode);
	} else {
		c->peer = peer_of(st);
		if (own_name && c->peer)
			c->own = key_of(ACCEPTED, c->peer);
	}
}

/* Returns whether the socket stays what it is: it is connected, listens, or need do neither. */
static bool socket_find(int fd, const struct stat *st, struct channel *c)
{
	struct socket_name own, peer;
	int type;

	c->kind = CHANNEL_SOCKET;
	if (!name_find(fd, false, &own))
		return true;
	if (!name_find(fd, true, &peer)) {
		c->own = key_of_listener(&own.address, own.length);
		type = socket_option(fd, SO_TYPE);
		if (type != SOCK_STREAM && type != SOCK_SEQPACKET)
			return true;
		if (socket_option(fd, SO_ACCEPTCONN) <= 0)
			return false;
		c->kind = CHANNEL_LISTENER;
	} else if (is_internet(&own.address)) {
		c->own = key_of_way(&peer.address, &own.address);
		c->peer = key_of_way(&own.address, &peer.address);
	} else if (own.address.any.sa_family == AF_UNIX) {
		local_find(fd, st, key_of_listener(&own.address, own.length),
			   key_of_listener(&peer.address, peer.length), c);
	}
	return true;
}

static void path_of(char *path, size_t room, const char *folder, int fd)
{
	path[0] = '\0';
	gl_text_add(path, room, folder);
	gl_text_add_number(path, room, (uint64_t)fd);
}

/* All eventfds have one inode: the number is in /proc since Linux 5.2. Returns 0 if it is not. */
static uint64_t eventfd_number(int fd)
{
	static const char field[] = "eventfd-id:";
	char path[40], text[256];
	const char *at;
	uint64_t number = 0;
	ssize_t n;
	int info;

	path_of(path, sizeof path, "/proc/self/fdinfo/", fd);
	info = system_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (info < 0)
		return 0;
	n = system_read(info, text, sizeof text - 1);
	system_close(info);
	text[n > 0 ? n : 0] = '\0';
	at = strstr(text, field);
	if (!at)
		return 0;
	for (at += sizeof field - 1; *at == ' ' || *at == '\t'; at++)
		continue;
	for (; *at >= '0' && *at <= '9'; at++)
		number = number * 10 + (uint64_t)(*at - '0');
	return number + 1;
}

static bool is_eventfd(int fd)
{
	char path[40], name[32];
	ssize_t n;

	path_of(path, sizeof path, "/proc/self/fd/", fd);
	n = system_readlink(path, name, sizeof name - 1);
	name[n > 0 ? n : 0] = '\0';
	return !strcmp(name, "anon_inode:[eventfd]");
}

/* Memory and random numbers are devices, too, and nobody waits for them. */
static bool is_terminal(const struct stat *st)
{
	unsigned int kind = major(st->st_rdev);

	return kind == 4 || kind == 5 || (kind >= 136 && kind <= 143);
}

static void anonymous_find(int fd, struct channel *c)
{
	uint64_t number;

	c->kind = CHANNEL_OTHER;
	if (!is_eventfd(fd))
		return;
	number = eventfd_number(fd);
	c->kind = CHANNEL_PIPE;
	c->own = c->peer =
	    number ? key_of(4, number) : key_of((uint64_t)process_id << 32, (uint64_t)fd);
}

static void channel_note(int fd, const struct channel *c)
{
	int end = __atomic_load_n(&channels_end, __ATOMIC_RELAXED);

	while (end <= fd && !__atomic_compare_exchange_n(&channels_end, &end, fd + 1, true,
							 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		continue;
	__atomic_store_n(&channel_keys[fd].own, c->own, __ATOMIC_RELAXED);
	__atomic_store_n(&channel_keys[fd].peer, c->peer, __ATOMIC_RELAXED);
	__atomic_store_n(&channel_kinds[fd], (unsigned char)c->kind, __ATOMIC_RELEASE);
}

struct channel channel_of(int fd)
{
	struct channel c = {CHANNEL_UNKNOWN, 0, 0};

	if ((unsigned int)fd >= CHANNELS_MOST)
		return c;
	c.kind = (enum channel_kind)__atomic_load_n(&channel_kinds[fd], __ATOMIC_ACQUIRE);
	c.own = __atomic_load_n(&channel_keys[fd].own, __ATOMIC_RELAXED);
	c.peer = __atomic_load_n(&channel_keys[fd].peer, __ATOMIC_RELAXED);
	return c;
}

/*
 * Makes system calls, and notes what it finds if that stays so. Returns false if there is no such
 * descriptor. A child of vfork() looks at nothing: it has the memory of its parent, and descriptors
 * of its own.
 */
static bool channel_look(int fd, struct channel *c, int *flags)
{
	struct stat st;
	struct channel was;
	bool stays = true;

	*c = (struct channel){CHANNEL_FILE, 0, 0};
	*flags = 0;
	if ((uint32_t)system_getpid() != process_id || system_fstat(fd, &st))
		return false;
	*flags = system_fcntl(fd, F_GETFL, 0);
	if (S_ISFIFO(st.st_mode)) {
		c->kind = CHANNEL_PIPE;
		c->own = c->peer = key_of(st.st_dev, st.st_ino);
	} else if (S_ISSOCK(st.st_mode)) {
		stays = socket_find(fd, &st, c);
		was = channel_of(fd);
		if (was.kind == CHANNEL_CLIENT && was.own == c->own)
			c->kind = CHANNEL_CLIENT;
	} else if (S_ISCHR(st.st_mode)) {
		if (is_terminal(&st))
			c->kind = CHANNEL_OTHER;
	} else if (S_ISREG(st.st_mode) || S_ISBLK(st.st_mode)) {
		if (*flags >= 0 && *flags & (O_SYNC | O_DSYNC | O_DIRECT))
			c->kind = CHANNEL_DISK;
	} else if (!(st.st_mode & S_IFMT)) {
		anonymous_find(fd, c);
	}
	if (stays)
		channel_note(fd, c);
	else
		channels_forget(fd, fd);
	return true;
}

uint64_t channel_listener(int fd)
{
	struct socket_name peer;
	uint64_t key = 0;

	if (!glimpse_calls_begin())
		return 0;
	if (name_find(fd, true, &peer))
		key = key_of_listener(&peer.address, peer.length);
	glimpse_calls_end();
	return key;
}

enum channel_kind channel_find(int fd)
{
	int error = errno, flags;
	struct channel c = {CHANNEL_FILE, 0, 0};

	if (!process_id || glimpse_paused() || !glimpse_calls_begin())
		return CHANNEL_FILE;
	channel_look(fd, &c, &flags);
	glimpse_calls_end();
	errno = error;
	return c.kind;
}

struct channel channel_again(int fd, bool *waits)
{
	struct channel c = {CHANNEL_UNKNOWN, 0, 0};
	int flags = 0;

	*waits = false;
	if ((unsigned int)fd >= CHANNELS_MOST || !glimpse_calls_begin())
		return c;
	if (channel_look(fd, &c, &flags))
		*waits = flags >= 0 && !(flags & O_NONBLOCK);
	glimpse_calls_end();
	return c;
}

/* A listener or a client is not known as one before it is. */
static void channel_becomes(int fd, enum channel_kind is, enum channel_kind becomes)
{
	if (channel_kind_of(fd) == is)
		__atomic_store_n(&channel_kinds[fd], (unsigned char)becomes, __ATOMIC_RELEASE);
}

void channel_accepted(int fd)
{
	channel_becomes(fd, CHANNEL_SOCKET, CHANNEL_CLIENT);
}

void channels_forget(int first, int last)
{
	int end = __atomic_load_n(&channels_end, __ATOMIC_RELAXED);

	for (int fd = first < 0 ? end : first; fd <= last && fd < end; fd++)
		__atomic_store_n(&channel_kinds[fd], CHANNEL_UNKNOWN, __ATOMIC_RELAXED);
}

/* ---- epoll ----------------------------------------------------------------------------------- */

#define WATCHED 4096u

/* One entry may replace another: whose event it was is then not known. */
static struct {
	uint64_t key;
	int fd;
} watched[WATCHED];

void channel_watched(int epoll, uint64_t datum, int fd)
{
	uint64_t key = key_of((uint64_t)epoll + 5, datum);

	__atomic_store_n(&watched[key % WATCHED].key, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&watched[key % WATCHED].fd, fd, __ATOMIC_RELEASE);
	__atomic_store_n(&watched[key % WATCHED].key, key, __ATOMIC_RELEASE);
	if (channel_serves(channel_kind_of(fd)))
		channel_becomes(epoll, CHANNEL_OTHER, CHANNEL_CLIENTS);
}

int channel_watched_by(int epoll, uint64_t datum)
{
	uint64_t key = key_of((uint64_t)epoll + 5, datum);

	if (__atomic_load_n(&watched[key % WATCHED].key, __ATOMIC_ACQUIRE) != key)
		return -1;
	return __atomic_load_n(&watched[key % WATCHED].fd, __ATOMIC_ACQUIRE);
}
