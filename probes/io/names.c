#include "probes/io/names.h"
#include "io_glimpse.h"
#include "runtime/system.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#define NAME_ROOM 1024 /* handlers may have little stack */
#define LINK_ROOM 32

unsigned char names_known[NAMES_MOST];
static int names_end; /* no descriptor from here on was ever known */

/* A text that is being put together; what does not fit is left out. */
struct name_text {
	char *bytes;
	size_t room, length;
};

static void text_add(struct name_text *t, const char *part, size_t length)
{
	if (length > t->room - 1 - t->length)
		length = t->room - 1 - t->length;
	memcpy(t->bytes + t->length, part, length);
	t->length += length;
	t->bytes[t->length] = 0;
}

static void text_add_number(struct name_text *t, unsigned int number)
{
	char digits[10];
	size_t at = sizeof digits;

	do
		digits[--at] = (char)('0' + number % 10);
	while (number /= 10);
	text_add(t, digits + at, sizeof digits - at);
}

static void text_add_text(struct name_text *t, const char *part)
{
	text_add(t, part, strlen(part));
}

union peer {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	struct sockaddr_un un;
};

/* inet_ntop() would do, but for signal handlers. */
static void text_add_in(struct name_text *t, const struct sockaddr_in *in)
{
	uint32_t address = ntohl(in->sin_addr.s_addr);

	for (int shift = 24; shift >= 0; shift -= 8) {
		text_add_number(t, address >> shift & 0xff);
		text_add_text(t, shift ? "." : ":");
	}
	text_add_number(t, ntohs(in->sin_port));
}

static void text_add_in6(struct name_text *t, const struct sockaddr_in6 *in6)
{
	static const char digits[] = "0123456789abcdef";

	text_add_text(t, "[");
	for (int i = 0; i < 16; i++) {
		const unsigned char byte = in6->sin6_addr.s6_addr[i];

		text_add(t, &digits[byte >> 4], 1);
		text_add(t, &digits[byte & 15], 1);
		if (i % 2 && i < 15)
			text_add_text(t, ":");
	}
	text_add_text(t, "]:");
	text_add_number(t, ntohs(in6->sin6_port));
}

/* Puts the peer of a socket down. Returns false if it is none, or not connected. */
static bool peer_name(int fd, struct name_text *t)
{
	socklen_t length = sizeof(union peer);
	union peer peer;

	memset(&peer, 0, sizeof peer);
	if (SYSTEM(SYSTEM_CALL(SYS_getpeername, fd, &peer, &length),
		   getpeername(fd, &peer.any, &length)) < 0)
		return false;
	if (peer.any.sa_family == AF_INET) {
		text_add_in(t, &peer.in);
	} else if (peer.any.sa_family == AF_INET6) {
		text_add_in6(t, &peer.in6);
	} else if (peer.any.sa_family == AF_UNIX &&
		   length > offsetof(struct sockaddr_un, sun_path)) {
		/* An abstract one begins with a NUL, which is shown as the tools show it: @. */
		length -= (socklen_t)offsetof(struct sockaddr_un, sun_path);
		if (!peer.un.sun_path[0])
			text_add_text(t, "@");
		text_add(t, peer.un.sun_path + !peer.un.sun_path[0],
			 strnlen(peer.un.sun_path + !peer.un.sun_path[0], length - 1));
	}
	return t->length > 0;
}

static bool path_name(int fd, struct name_text *t)
{
	char bytes[LINK_ROOM];
	struct name_text link = {bytes, sizeof bytes, 0};
	ssize_t length;

	text_add_text(&link, "/proc/self/fd/");
	text_add_number(&link, (unsigned int)fd);
	length = system_readlink(bytes, t->bytes, t->room - 1);
	if (length < 0)
		return false;
	t->bytes[length] = 0;
	return true;
}

/* Returns whether the caller is to log the name. */
static bool name_take(int fd)
{
	int end = __atomic_load_n(&names_end, __ATOMIC_RELAXED);

	if ((unsigned int)fd >= NAMES_MOST)
		return false;
	while (end <= fd && !__atomic_compare_exchange_n(&names_end, &end, fd + 1, true,
							 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		continue;
	return !__atomic_exchange_n(&names_known[fd], 1, __ATOMIC_RELAXED);
}

void names_find(int fd)
{
	char bytes[NAME_ROOM];
	struct name_text name = {bytes, sizeof bytes, 0};

	bool found;

	if ((unsigned int)fd >= NAMES_MOST || !glimpse_calls_begin())
		return;
	found = peer_name(fd, &name) || path_name(fd, &name);
	glimpse_calls_end();
	if (found && name_take(fd))
		FileName_Stamp(fd, bytes);
}

void names_forget(int first, int last)
{
	int end = __atomic_load_n(&names_end, __ATOMIC_RELAXED);

	for (int fd = first < 0 ? end : first; fd <= last && fd < end; fd++)
		__atomic_store_n(&names_known[fd], 0, __ATOMIC_RELAXED);
}

void names_changed(int fd)
{
	names_forget(fd, fd);
	names_find(fd);
}

void names_opened(int fd, const char *path)
{
	if (path[0] != '/') {
		names_changed(fd);
		return;
	}
	names_forget(fd, fd);
	if (name_take(fd))
		FileName_Stamp(fd, path);
}

/* The log of a forked child has none of the names. */
static void names_forked(void)
{
	names_forget(0, NAMES_MOST);
}

__attribute__((constructor)) static void names_load(void)
{
	static struct glimpse_hook at_fork = {.call = names_forked};

	glimpse_at_fork(&at_fork);
}
