#include "runtime/request.h"
#include "runtime/descriptor.h"
#include "runtime/system.h"
#include "runtime/text.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define WAIT_S 2 /* for a recorder that is stopped */
#define ROOT_MOST 3072

static struct {
	bool known; /* the environment was read */
	bool possible;
	struct sockaddr_un address;
	socklen_t length;
	char token[GL_REQUEST_TOKEN];
	char root[ROOT_MOST];
	char mark[ROOT_MOST + sizeof(struct sockaddr_un)]; /* a file, while that is the run's */
} recorder;

void gl_request_prepare(void)
{
	const char *value = recorder.known ? NULL : secure_getenv(GL_REQUEST_VARIABLE);
	const char *token = value ? strchr(value, ':') : NULL;
	const char *root = token ? strchr(token + 1, ':') : NULL;
	size_t name = token ? (size_t)(token - value) : 0;

	recorder.known = true;
	/* after the name, too, there must be a 0 */
	if (!name || name + 1 >= sizeof recorder.address.sun_path || !root ||
	    root - token - 1 != GL_REQUEST_TOKEN ||
	    !gl_text_add(recorder.root, ROOT_MOST, root + 1))
		return;
	recorder.address.sun_family = AF_UNIX;
	memcpy(recorder.address.sun_path + 1, value, name);
	gl_text_add(recorder.mark, sizeof recorder.mark, recorder.root);
	gl_text_add(recorder.mark, sizeof recorder.mark, "/");
	gl_text_add(recorder.mark, sizeof recorder.mark, recorder.address.sun_path + 1);
	recorder.length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + name);
	memcpy(recorder.token, token + 1, GL_REQUEST_TOKEN);
	recorder.possible = true;
}

bool gl_request_recorded(void)
{
	return *recorder.root;
}

const char *gl_request_root(void)
{
	return __atomic_load_n(&recorder.possible, __ATOMIC_RELAXED) ? recorder.root : NULL;
}

bool gl_request_root_is_run(const char *path)
{
	return strcmp(path, recorder.root) != 0 ||
	       system_faccessat(AT_FDCWD, recorder.mark, F_OK) == 0;
}

/* ---- Messages -------------------------------------------------------------------------------- */

static int recorder_connect(void)
{
	const struct timeval wait = { .tv_sec = WAIT_S };
	int fd = system_socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd >= 0)
		fd = gl_descriptor_raise(fd);
	if (fd < 0)
		return fd;
	system_setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
	system_setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
	if (system_connect(fd, (const struct sockaddr *)&recorder.address, recorder.length) == 0)
		return fd;
	gl_descriptor_close(fd);
	return -1;
}

/* Returns the descriptor that came with a message, or -1. */
static int descriptor_take(struct msghdr *m)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(m);
	int fd = -1;

	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(c), sizeof fd);
	return fd >= 0 && fd < GL_DESCRIPTOR_LOW ? gl_descriptor_raise(fd) : fd;
}

/* Returns false with errno set if there is no answer, and stores the descriptor in it, or -1. */
static bool answer_get(int socket, struct answer *a, int *fd)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec part = { a, sizeof *a };
	struct msghdr m = { .msg_iov = &part,
			    .msg_iovlen = 1,
			    .msg_control = &control,
			    .msg_controllen = sizeof control };
	ssize_t n = system_recvmsg(socket, &m, MSG_CMSG_CLOEXEC);

	*fd = n < 0 ? -1 : descriptor_take(&m);
	if (n == (ssize_t)sizeof *a)
		return true;
	if (*fd >= 0)
		gl_descriptor_close(*fd);
	if (n >= 0)
		errno = ECONNRESET;
	return false;
}

/* The recorder has ended, or does not answer: it is asked no more. */
static void recorder_lost(void)
{
	if (errno != EMFILE && errno != ENFILE && errno != ENOMEM && errno != ENOBUFS)
		__atomic_store_n(&recorder.possible, false, __ATOMIC_RELAXED);
}

/* Asks, and returns the descriptor that was passed; -1 with errno set, or 0 if there is none. */
static int recorder_ask(struct request *r, struct answer *a)
{
	int socket = recorder_connect(), fd = -1;
	bool answered;

	if (socket < 0) {
		recorder_lost();
		return -1;
	}
	memcpy(r->token, recorder.token, sizeof r->token);
	r->pid = (uint32_t)system_getpid();
	answered = system_send(socket, r, sizeof *r, MSG_NOSIGNAL) == sizeof *r &&
		   answer_get(socket, a, &fd);
	gl_descriptor_close(socket);
	if (!answered) {
		recorder_lost();
		return -1;
	}
	errno = a->error;
	return errno ? -1 : fd;
}

/* ---- Requests -------------------------------------------------------------------------------- */

/* Fills a request about a directory of the run. Returns false with errno set if it is none. */
static bool request_fill(struct request *r, enum request_kind kind, const char *directory,
			 const char *name)
{
	const char *root = gl_request_root();
	size_t length = root ? strlen(root) : 0;

	*r = (struct request){ .kind = kind };
	if (!root) {
		errno = EACCES;
		return false;
	}
	if (directory && strcmp(directory, root) != 0 &&
	    !(strncmp(directory, root, length) == 0 && directory[length] == '/' &&
	      gl_text_add(r->directory, sizeof r->directory, directory + length + 1))) {
		errno = EACCES;
		return false;
	}
	if (gl_text_add(r->name, sizeof r->name, name))
		return true;
	errno = ENAMETOOLONG;
	return false;
}

int gl_request_make(const char *program, char *path, unsigned size)
{
	struct request r;
	struct answer a;
	int fd = request_fill(&r, REQUEST_MAKE, NULL, program) ? recorder_ask(&r, &a) : -1;

	if (fd < 0)
		return -1;
	a.directory[sizeof a.directory - 1] = '\0';
	*path = '\0';
	if (gl_text_add(path, size, recorder.root) && gl_text_add(path, size, "/") &&
	    gl_text_add(path, size, a.directory))
		return gl_descriptor_raise(fd);
	gl_descriptor_close(fd);
	errno = ENAMETOOLONG;
	return -1;
}

int gl_request_open(const char *directory, const char *name, int flags)
{
	struct request r;
	struct answer a;

	if (!request_fill(&r, REQUEST_OPEN, directory, name))
		return -1;
	r.flags = flags;
	return recorder_ask(&r, &a);
}

bool gl_request_remove(const char *directory, const char *name, uint64_t device, uint64_t inode)
{
	struct request r;
	struct answer a;

	if (!request_fill(&r, REQUEST_REMOVE, directory, name))
		return false;
	r.device = device;
	r.inode = inode;
	errno = 0;
	recorder_ask(&r, &a);
	return errno == 0;
}

bool gl_request_missing(const char *program, int error)
{
	struct request r;
	struct answer a;

	if (!request_fill(&r, REQUEST_MISSING, NULL, program))
		return false;
	r.error = error;
	recorder_ask(&r, &a);
	return errno == 0;
}
