#include "probes/threads/local_peer.h"
#include "runtime/system.h"
#include <string.h>
#include <sys/uio.h>

/*
 * As in <linux/netlink.h>, <linux/sock_diag.h> and <linux/unix_diag.h>, which not every C library
 * comes with.
 */
enum { NETLINK_DIAG = 4, DIAG_BY_FAMILY = 20, NETLINK_REQUEST = 1, SHOW_PEER = 4, PEER = 2 };

struct netlink_head {
	uint32_t size;
	uint16_t type, flags;
	uint32_t number, port;
};

struct diag_question {
	struct netlink_head head;
	uint8_t family, protocol;
	uint16_t pad;
	uint32_t states, inode, show, cookie[2];
};

struct diag_answer {
	struct netlink_head head;
	uint8_t family, type, state, pad;
	uint32_t inode, cookie[2];
};

struct netlink_attribute {
	uint16_t size, type;
};

/* Finds the inode in an answer of so many bytes. */
static uint32_t peer_in(const char *answer, size_t size)
{
	struct diag_answer begin;
	struct netlink_attribute attribute;
	uint32_t inode = 0;

	if (size < sizeof begin)
		return 0;
	memcpy(&begin, answer, sizeof begin);
	if (begin.head.type != DIAG_BY_FAMILY)
		return 0;
	for (size_t at = sizeof begin; at + sizeof attribute + sizeof inode <= size;) {
		memcpy(&attribute, answer + at, sizeof attribute);
		if (attribute.type == PEER)
			memcpy(&inode, answer + at + sizeof attribute, sizeof inode);
		if (attribute.type == PEER || attribute.size < sizeof attribute)
			break;
		at += (attribute.size + 3u) & ~3u;
	}
	return inode;
}

uint32_t local_peer(uint64_t inode)
{
	struct diag_question question = {
	    .head = {sizeof question, DIAG_BY_FAMILY, NETLINK_REQUEST, 1, 0},
	    .family = AF_UNIX,
	    .states = UINT32_MAX,
	    .inode = (uint32_t)inode,
	    .show = SHOW_PEER,
	    .cookie = {UINT32_MAX, UINT32_MAX},
	};
	char answer[512];
	struct iovec room = {answer, sizeof answer};
	struct msghdr message = {.msg_iov = &room, .msg_iovlen = 1};
	int fd = system_socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_DIAG);
	ssize_t n = -1;

	if (fd < 0)
		return 0;
	/* The kernel has answered when the call returns. */
	if (system_send(fd, &question, sizeof question, MSG_NOSIGNAL) == (ssize_t)sizeof question)
		n = system_recvmsg(fd, &message, MSG_DONTWAIT);
	system_close(fd);
	return n < 0 ? 0 : peer_in(answer, (size_t)n);
}
