#include "recorder/requests.h"
#include "base/array.h"
#include "recorder/processes.h"
#include "recorder/signals.h"
#include "runtime/request.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define SIBLINGS 10000u
#define WAIT_MS 200 /* for a message of a process that has connected */
#define PAUSE_MS 5
#define MISSING_MOST 100000u
#define LIST_ROOM 4096
#define PROCESS_PID 12 /* in the file process */
#define OPEN_FLAGS (O_ACCMODE | O_CREAT | O_EXCL | O_APPEND)

/* A directory that was made for a process, whose file `process` does not say yet that it is its. */
struct request_directory {
	pid_t pid;
	char name[GL_REQUEST_NAME];
};

struct missing {
	uint32_t pid;
	int error;
	char program[GL_REQUEST_NAME];
};

static struct {
	char *variable;
	char name[32];
	char token[GL_REQUEST_TOKEN + 1];
	const char *path;
	int directory, socket, stop[2];
	FILE *list; /* the file `missing`, which has room for a few lines from the beginning */
	pthread_t thread;
	bool serves;
	VECTOR(struct request_directory) made;
	VECTOR(struct missing) missing;
} run;

/*
 * Marks the directory as the run's, by the name of its socket. A process that an earlier run left
 * behind has another name, and does not log to a directory that was made again.
 */
static bool directory_mark(const char *directory)
{
	char *path = text_format("%s/%s", directory, run.name);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	free(path);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

const char *requests_choose(const char *directory)
{
	unsigned char random[GL_REQUEST_TOKEN / 2];

	if (getrandom(random, sizeof random, GRND_NONBLOCK) != sizeof random)
		return NULL;
	for (size_t i = 0; i < sizeof random; i++)
		sprintf(run.token + 2 * i, "%02x", random[i]);
	if (getrandom(random, 8, GRND_NONBLOCK) != 8)
		return NULL;
	strcpy(run.name, "glimpse-");
	for (size_t i = 0; i < 8; i++)
		sprintf(run.name + strlen(run.name), "%02x", random[i]);
	if (!directory_mark(directory))
		return NULL;
	run.path = directory;
	run.variable = text_format("%s:%s:%s", run.name, run.token, directory);
	return run.variable;
}

/* ---- whose a directory is ---- */

static bool is_made_for(const char *name, pid_t pid)
{
	for (size_t i = run.made.n; i-- > 0;)
		if (strcmp(run.made.at[i].name, name) == 0)
			return run.made.at[i].pid == pid;
	return false;
}

static bool is_of(int directory, pid_t pid)
{
	int fd = openat(directory, "process", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	uint32_t number = 0;
	bool known = fd >= 0 && pread(fd, &number, sizeof number, PROCESS_PID) == sizeof number;

	if (fd >= 0)
		close(fd);
	return known && number && number == thread_number_inside(pid, pid);
}

/* Returns whether a text is the name of a file, and no path. */
static bool is_name(const char *text)
{
	return *text && !strchr(text, '/') && strcmp(text, ".") != 0 && strcmp(text, "..") != 0;
}

/* Opens a directory of the process. Returns its descriptor, or -1 with errno set. */
static int directory_open_of(const char *name, pid_t pid)
{
	int fd = -1;

	errno = EACCES;
	if (!*name || is_name(name))
		fd = openat(run.directory, *name ? name : ".",
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || is_made_for(name, pid) || is_of(fd, pid))
		return fd;
	close(fd);
	errno = EACCES;
	return -1;
}

/* ---- requests ---- */

/* Opens a directory so that it can be passed, but neither read nor written. */
static int path_open(int directory, const char *name)
{
	return openat(directory, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int make(const struct request *r, pid_t pid, struct answer *a)
{
	char *name = NULL;
	int done = -1;

	if (!is_name(r->name)) {
		errno = EINVAL;
		return -1;
	}
	for (unsigned k = 0; k < SIBLINGS && done; k++) {
		free(name);
		name = k ? text_format("%s.%u.%u", r->name, r->pid, k)
			 : text_format("%s.%u", r->name, r->pid);
		if (strlen(name) >= sizeof a->directory) {
			errno = ENAMETOOLONG;
			break;
		}
		done = mkdirat(run.directory, name, 0700);
		if (done && errno != EEXIST)
			break;
	}
	if (done == 0 && fchmodat(run.directory, name, 0700, 0) == 0) {
		struct request_directory *m = vector_add(&run.made);

		*m = (struct request_directory){.pid = pid};
		strcpy(m->name, name);
		strcpy(a->directory, name);
		done = path_open(run.directory, name);
	}
	free(name);
	return done;
}

static int open_file(const struct request *r, pid_t pid)
{
	int directory = is_name(r->name) ? directory_open_of(r->directory, pid) : -1, fd = -1;
	struct stat st;

	if (directory < 0)
		return -1;
	if ((r->flags & ~OPEN_FLAGS) == 0)
		fd = openat(directory, r->name, r->flags | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0600);
	else
		errno = EINVAL;
	if (fd >= 0 && r->flags & O_CREAT && fstat(fd, &st) == 0 && (st.st_mode & 0777) != 0600)
		fchmod(fd, 0600);
	close(directory);
	return fd;
}

static int remove_file(const struct request *r, pid_t pid)
{
	int directory = is_name(r->name) ? directory_open_of(r->directory, pid) : -1;
	struct stat st;

	if (directory < 0)
		return -1;
	errno = 0;
	if (fstatat(directory, r->name, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_dev == r->device &&
	    st.st_ino == r->inode)
		unlinkat(directory, r->name, 0);
	close(directory);
	return -1;
}

static int missing_note(const struct request *r)
{
	struct missing *m;

	errno = 0;
	for (size_t i = 0; i < run.missing.n; i++)
		if (run.missing.at[i].pid == r->pid &&
		    strcmp(run.missing.at[i].program, r->name) == 0)
			return -1;
	if (run.missing.n == MISSING_MOST)
		return -1;
	m = vector_add(&run.missing);
	*m = (struct missing){.pid = r->pid, .error = r->error};
	strcpy(m->program, r->name);
	return -1;
}

/* Does what is asked. Returns a descriptor to pass; -1 with errno set, or 0 if there is none. */
static int request_do(const struct request *r, pid_t pid, struct answer *a)
{
	switch (r->kind) {
	case REQUEST_MAKE:
		return make(r, pid, a);
	case REQUEST_OPEN:
		return open_file(r, pid);
	case REQUEST_REMOVE:
		return remove_file(r, pid);
	case REQUEST_MISSING:
		return missing_note(r);
	default:
		errno = EINVAL;
		return -1;
	}
}

/* ---- messages ---- */

static void answer_send(int socket, const struct answer *a, int fd)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {.room = {0}};
	struct iovec part = {(void *)a, sizeof *a};
	struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};

	if (fd >= 0) {
		m.msg_control = &control;
		m.msg_controllen = sizeof control;
		control.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof fd),
						.cmsg_level = SOL_SOCKET,
						.cmsg_type = SCM_RIGHTS};
		memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
	}
	sendmsg(socket, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static bool token_is_ours(const char *token)
{
	unsigned char differs = 0;

	for (size_t i = 0; i < GL_REQUEST_TOKEN; i++)
		differs |= (unsigned char)(token[i] ^ run.token[i]);
	return !differs;
}

static void serve(int socket)
{
	const struct timeval wait = {.tv_usec = WAIT_MS * 1000};
	struct ucred who = {.pid = 0};
	socklen_t size = sizeof who;
	struct answer a = {.error = 0};
	struct request r;
	int fd;

	setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0 ||
	    recv(socket, &r, sizeof r, 0) != sizeof r || !token_is_ours(r.token))
		return;
	r.directory[sizeof r.directory - 1] = r.name[sizeof r.name - 1] = '\0';
	errno = EACCES;
	fd = request_do(&r, who.pid, &a);
	a.error = fd < 0 ? errno : 0;
	answer_send(socket, &a, fd);
	if (fd >= 0)
		close(fd);
}

static void *serve_all(void *unused)
{
	struct pollfd fds[] = {{.fd = run.socket, .events = POLLIN},
			       {.fd = run.stop[0], .events = POLLIN}};

	signals_block();
	while (poll(fds, 2, -1) > 0 && !fds[1].revents) {
		int socket = accept4(run.socket, NULL, NULL, SOCK_CLOEXEC);

		if (socket < 0) {
			poll(NULL, 0, PAUSE_MS); /* there may be no descriptor now */
			continue;
		}
		serve(socket);
		close(socket);
	}
	return unused;
}

/* ---- begin and end ---- */

static bool socket_open(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	size_t length = strlen(run.name);

	memcpy(address.sun_path + 1, run.name, length);
	length += offsetof(struct sockaddr_un, sun_path) + 1;
	run.socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	return run.socket >= 0 &&
	       bind(run.socket, (const struct sockaddr *)&address, (socklen_t)length) == 0 &&
	       listen(run.socket, SOMAXCONN) == 0;
}

/* Made while the disk has room: mostly its lack is why processes are missing. */
static void list_open(void)
{
	int fd = openat(run.directory, "missing",
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	run.list = fd < 0 ? NULL : fdopen(fd, "w");
	if (run.list)
		posix_fallocate(fd, 0, LIST_ROOM);
}

/* One line for each: its number, the error, its program. */
static void list_write(void)
{
	if (!run.list)
		return;
	for (size_t i = 0; i < run.missing.n; i++) {
		const struct missing *m = &run.missing.at[i];

		fprintf(run.list, "%u %d %s\n", m->pid, m->error, m->program);
	}
	fflush(run.list);
	if (!run.missing.n)
		unlinkat(run.directory, "missing", 0);
	else if (ftruncate(fileno(run.list), ftell(run.list)))
		fputc('\n', run.list); /* zeros follow */
	fclose(run.list);
}

bool requests_begin(void)
{
	if (!run.variable)
		return false;
	run.directory = open(run.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (run.directory < 0 || !socket_open() || pipe2(run.stop, O_CLOEXEC) != 0)
		return false;
	list_open();
	run.serves = pthread_create(&run.thread, NULL, serve_all, NULL) == 0;
	signals_block(); /* the C library unblocks those that it keeps for itself */
	if (!run.serves) {
		close(run.socket);
		list_write();
	}
	return run.serves;
}

void requests_end(void)
{
	if (!run.serves)
		return;
	close(run.stop[1]);
	pthread_join(run.thread, NULL);
	list_write();
	close(run.stop[0]);
	close(run.socket);
	close(run.directory);
	free(run.made.at);
	free(run.missing.at);
	free(run.variable);
	memset(&run, 0, sizeof run);
}
