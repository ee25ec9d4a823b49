/*
 * A program that reads, writes and waits, as its argument says, and prints what it sees. What it
 * prints must be the same with the io probe and without. `entries` calls each function of the
 * probe's table and prints what the log should say of it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <netinet/in.h>
#include <unistd.h>

ssize_t __read_chk(int, void *, size_t, size_t);
ssize_t __pread_chk(int, void *, size_t, off_t, size_t);
ssize_t __pread64_chk(int, void *, size_t, off64_t, size_t);
ssize_t __recv_chk(int, void *, size_t, size_t, int);
ssize_t __recvfrom_chk(int, void *, size_t, size_t, int, struct sockaddr *, socklen_t *);
int __poll_chk(struct pollfd *, nfds_t, int, size_t);
int __ppoll_chk(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t);
int __open_2(const char *, int);
int __open64_2(const char *, int);
int __openat_2(int, const char *, int);
int __openat64_2(int, const char *, int);

/* ---- Every function of the table ------------------------------------------------------------- */

static char buffer[1000];
static struct iovec parts[2] = { { buffer, 60 }, { buffer + 100, 40 } };
static struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };
static struct timespec soon = { 0, 1000 };

/* What the log should have at its end: the event's attributes, by position. */
#define LOGGED(event, fd, bytes, result) \
	printf("%s fd=%d;bytes=%ld;result=%ld\n", event, fd, (long)(bytes), (long)(result))
#define PLAIN(event, fd, result) printf("%s fd=%d;result=%ld\n", event, fd, (long)(result))
#define OPENED(name, result) printf("OpenEnd name=%s;result=%d\n", name, result)
#define POLLED(fd, count, result) printf("PollEnd fd=%d;count=%d;result=%d\n", fd, count, result)

static void reads(int fd)
{
	LOGGED("ReadEnd", fd, 7, read(fd, buffer, 7));
	LOGGED("ReadEnd", fd, 100, readv(fd, parts, 2));
	LOGGED("ReadEnd", fd, 8, pread(fd, buffer, 8, 0));
	LOGGED("ReadEnd", fd, 9, pread64(fd, buffer, 9, 0));
	LOGGED("ReadEnd", fd, 100, preadv(fd, parts, 2, 0));
	LOGGED("ReadEnd", fd, 100, preadv64(fd, parts, 2, 0));
	LOGGED("ReadEnd", fd, 100, preadv2(fd, parts, 2, 0, 0));
	LOGGED("ReadEnd", fd, 100, preadv64v2(fd, parts, 2, 0, 0));
	LOGGED("ReadEnd", fd, 3, __read_chk(fd, buffer, 3, sizeof buffer));
	LOGGED("ReadEnd", fd, 4, __pread_chk(fd, buffer, 4, 0, sizeof buffer));
	LOGGED("ReadEnd", fd, 5, __pread64_chk(fd, buffer, 5, 0, sizeof buffer));
	LOGGED("ReadEnd", fd, 100000, read(fd, buffer, 100000));
}

static void writes(int fd, int from)
{
	int ends[2], others[2];

	LOGGED("WriteEnd", fd, 7, write(fd, buffer, 7));
	LOGGED("WriteEnd", fd, 100, writev(fd, parts, 2));
	LOGGED("WriteEnd", fd, 8, pwrite(fd, buffer, 8, 0));
	LOGGED("WriteEnd", fd, 9, pwrite64(fd, buffer, 9, 0));
	LOGGED("WriteEnd", fd, 100, pwritev(fd, parts, 2, 0));
	LOGGED("WriteEnd", fd, 100, pwritev64(fd, parts, 2, 0));
	LOGGED("WriteEnd", fd, 100, pwritev2(fd, parts, 2, 0, 0));
	LOGGED("WriteEnd", fd, 100, pwritev64v2(fd, parts, 2, 0, 0));
	lseek(from, 0, SEEK_SET);
	LOGGED("WriteEnd", fd, 11, sendfile(fd, from, NULL, 11));
	LOGGED("WriteEnd", fd, 12, sendfile64(fd, from, NULL, 12));
	LOGGED("WriteEnd", fd, 13, copy_file_range(from, NULL, fd, NULL, 13, 0));
	if (pipe(ends) || pipe(others))
		return;
	LOGGED("WriteEnd", ends[1], 14, splice(from, NULL, ends[1], NULL, 14, 0));
	LOGGED("WriteEnd", others[1], 14, tee(ends[0], others[1], 14, 0));
	LOGGED("WriteEnd", ends[1], 100, vmsplice(ends[1], parts, 2, 0));
}

static void syncs(int fd)
{
	void *at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	PLAIN("SyncEnd", fd, fsync(fd));
	PLAIN("SyncEnd", fd, fdatasync(fd));
	PLAIN("SyncEnd", fd, syncfs(fd));
	PLAIN("SyncEnd", fd, sync_file_range(fd, 0, 10, SYNC_FILE_RANGE_WRITE));
	PLAIN("SyncEnd", -1, msync(at, 4096, MS_ASYNC));
	sync();
	PLAIN("SyncEnd", -1, 0);
}

/* Each opened file stays open. */
static void opens(void)
{
	OPENED("data", open("data", O_RDONLY));
	OPENED("data", open64("data", O_RDONLY));
	OPENED("data", openat(AT_FDCWD, "data", O_RDONLY));
	OPENED("data", openat64(AT_FDCWD, "data", O_RDONLY));
	OPENED("new", creat("new", 0600));
	OPENED("new", creat64("new", 0600));
	OPENED("newer", open("newer", O_CREAT | O_EXCL | O_WRONLY, 0640));
	OPENED("data", __open_2("data", O_RDONLY));
	OPENED("data", __open64_2("data", O_RDONLY));
	OPENED("data", __openat_2(AT_FDCWD, "data", O_RDONLY));
	OPENED("data", __openat64_2(AT_FDCWD, "data", O_RDONLY));
	open("nowhere", O_RDONLY);
	OPENED("nowhere", -ENOENT);
}

static void polls(int fd)
{
	struct pollfd fds[2] = { { -1, 0, 0 }, { fd, POLLOUT, 0 } };
	int queue = epoll_create1(0);
	struct epoll_event event = { .events = EPOLLOUT };
	fd_set set;

	epoll_ctl(queue, EPOLL_CTL_ADD, fd, &event);
	POLLED(fd, 2, poll(fds, 2, 1000));
	POLLED(fd, 2, ppoll(fds, 2, NULL, NULL));
	POLLED(fd, 2, __poll_chk(fds, 2, 1000, sizeof fds));
	POLLED(fd, 2, __ppoll_chk(fds, 2, NULL, NULL, sizeof fds));
	POLLED(-1, 1, poll(fds, 1, 1));
	FD_ZERO(&set);
	FD_SET(fd, &set);
	POLLED(fd, fd + 1, select(fd + 1, NULL, &set, NULL, NULL));
	POLLED(fd, fd + 1, pselect(fd + 1, NULL, &set, NULL, &soon, NULL));
	POLLED(queue, 3, epoll_wait(queue, &event, 3, 1000));
	POLLED(queue, 4, epoll_pwait(queue, &event, 4, 1000, NULL));
#if __GLIBC_PREREQ(2, 35)
	POLLED(queue, 5, epoll_pwait2(queue, &event, 5, NULL, NULL));
#endif
}

static int listening(struct sockaddr_in *address)
{
	socklen_t length = sizeof *address;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	*address = (struct sockaddr_in){ .sin_family = AF_INET };
	address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(fd, (struct sockaddr *)address, length) || listen(fd, 5) ||
	    getsockname(fd, (struct sockaddr *)address, &length))
		exit(3);
	return fd;
}

static int sends(void)
{
	struct sockaddr_in address;
	int here = listening(&address), fd = socket(AF_INET, SOCK_STREAM, 0), peer;
	int other = socket(AF_INET, SOCK_STREAM, 0);
	struct mmsghdr messages[2] = { { .msg_hdr = message }, { .msg_hdr = message } };

	PLAIN("ConnectEnd", fd, connect(fd, (struct sockaddr *)&address, sizeof address));
	peer = accept(here, NULL, NULL);
	PLAIN("AcceptEnd", here, peer);
	connect(other, (struct sockaddr *)&address, sizeof address);
	PLAIN("ConnectEnd", other, 0);
	PLAIN("AcceptEnd", here, accept4(here, NULL, NULL, SOCK_CLOEXEC));
	LOGGED("SendEnd", fd, 21, send(fd, buffer, 21, 0));
	LOGGED("SendEnd", fd, 22, sendto(fd, buffer, 22, 0, NULL, 0));
	LOGGED("SendEnd", fd, 100, sendmsg(fd, &message, 0));
	LOGGED("SendEnd", fd, 200, sendmmsg(fd, messages, 2, 0));
	LOGGED("ReceiveEnd", peer, 5, recv(peer, buffer, 5, 0));
	LOGGED("ReceiveEnd", peer, 6, recvfrom(peer, buffer, 6, 0, NULL, NULL));
	LOGGED("ReceiveEnd", peer, 7, __recv_chk(peer, buffer, 7, sizeof buffer, 0));
	LOGGED("ReceiveEnd", peer, 8, __recvfrom_chk(peer, buffer, 8, sizeof buffer, 0, NULL, NULL));
	LOGGED("ReceiveEnd", peer, 100, recvmsg(peer, &message, 0));
	LOGGED("ReceiveEnd", peer, 200, recvmmsg(peer, messages, 2, 0, NULL));
	return fd;
}

static void closes(int fd)
{
	int last = dup(fd);

	dup2(fd, last);
	dup3(fd, last, 0);
	printf("Close fd=%d\n", last);
	close(last);
	printf("Close fd=%d\n", last);
	fclose(fopen("data", "r"));
	printf("Close fd=%d\n", last);
	closedir(opendir("."));
	close_range((unsigned int)last, ~0u, 0);
	closefrom(last);
	if (vfork() == 0)
		_exit(0);
	wait(NULL);
}

/* The descriptors of the beginning are opened before, so that the test knows their numbers. */
static void entries(void)
{
	int fd = open("data", O_RDWR | O_CREAT, 0600), null, all;

	OPENED("data", fd);
	all = ftruncate(fd, 3000) ? O_EXCL : 0;
	null = open("out", O_RDWR | O_CREAT | all, 0600);
	OPENED("out", null);
	reads(fd);
	writes(null, fd);
	syncs(fd);
	opens();
	polls(sends());
	closes(fd);
}

/* ---- Results, also of wrong calls ------------------------------------------------------------ */

#define SAY(call) (errno = EDOM, printf("%s: %ld", #call, (long)(call)), \
		   printf(" %s\n", strerrorname_np(errno)))

static void wrong(void)
{
	struct iovec *bad = (struct iovec *)16;
	volatile void *none = NULL;

	SAY(read(-1, buffer, 5));
	SAY(read(0, (void *)16, 5));
	SAY(fclose(fmemopen(buffer, sizeof buffer, "w")));
	SAY(readv(0, bad, 3));
	SAY(preadv(0, bad, 3, 0));
	SAY(write(1, (void *)16, 5));
	SAY(writev(1, bad, 3));
	SAY(sendmsg(0, (struct msghdr *)bad, 0));
	SAY(recvmmsg(0, (struct mmsghdr *)bad, 3, 0, NULL));
	SAY(poll((struct pollfd *)bad, 3, 0));
	SAY(ppoll(NULL, 0, (struct timespec *)bad, NULL));
	SAY(select(5, (fd_set *)bad, NULL, NULL, NULL));
	SAY(open((const char *)none, O_RDONLY));
	SAY(openat(AT_FDCWD, (const char *)bad, O_RDONLY));
	SAY(open("/nowhere/at/all", O_RDWR | O_CREAT, 0600));
	SAY(open("", O_RDONLY));
	SAY(close(-5));
	SAY(close(1 << 30));
	SAY(dup2(-1, 5));
	SAY(closedir(*(DIR * volatile *)&none));
	SAY(connect(0, (struct sockaddr *)bad, 16));
	SAY(accept(0, NULL, NULL));
	SAY(fsync(-1));
	SAY(epoll_wait(0, NULL, 3, 0));
	SAY(lseek(-1, 0, SEEK_SET));
	SAY(read(0, buffer, 0));
}

/* ---- Names ----------------------------------------------------------------------------------- */

static void names(void)
{
	struct sockaddr_un address = { AF_UNIX, "unix.socket" };
	struct sockaddr_in in;
	int fd = open("data", O_RDWR | O_CREAT, 0600), unix_fd, ends[2];

	for (int i = 0; i < 10; i++)
		pread(fd, buffer, 1, 0);
	unix_fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (bind(unix_fd, (struct sockaddr *)&address, sizeof address) || listen(unix_fd, 1))
		exit(3);
	dup2(unix_fd, 100);
	unix_fd = socket(AF_UNIX, SOCK_STREAM, 0);
	connect(unix_fd, (struct sockaddr *)&address, sizeof address);
	write(unix_fd, "x", 1);
	listening(&in);
	dup2(socket(AF_INET, SOCK_STREAM, 0), 101);
	connect(101, (struct sockaddr *)&in, sizeof in);
	write(101, "x", 1);
	if (pipe(ends))
		exit(3);
	dup2(ends[1], 102);
	write(102, "x", 1);
	dup2(fd, 102);
	write(102, "x", 1);
	close(102);
	dup2(open("other", O_RDWR | O_CREAT, 0600), 102);
	write(102, "x", 1);
	printf("%d\n", ntohs(in.sin_port));
}

/* ---- Processes ------------------------------------------------------------------------------- */

static void children(void)
{
	int fd = open("data", O_RDWR | O_CREAT, 0600);
	pid_t child;

	dup2(fd, 50);
	write(50, "parent", 6);
	child = vfork();
	if (!child) {
		write(50, "vfork!", 6);
		close(50);
		execl("/bin/true", "true", (char *)NULL);
		_exit(127);
	}
	waitpid(child, NULL, 0);
	write(50, "parent again", 12);
	child = fork();
	if (!child) {
		write(50, "child", 5);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

/* ---- Threads that are cancelled, and handlers ------------------------------------------------ */

static int pipe_ends[2];
static int cleaned;

static void clean(void *unused)
{
	(void)unused;
	cleaned++;
}

static void *block(void *unused)
{
	char byte;

	pthread_cleanup_push(clean, NULL);
	read(pipe_ends[0], &byte, 1);
	pthread_cleanup_pop(0);
	return unused;
}

static void handler(int signal)
{
	(void)signal;
	pwrite(pipe_ends[0], "x", 1, 0);
	write(pipe_ends[1], "x", 1);
}

static void cancelled(void)
{
	struct sigaction action = { .sa_handler = handler };
	pthread_t thread;
	void *result;
	char byte;

	if (pipe(pipe_ends))
		exit(3);
	pthread_create(&thread, NULL, block, NULL);
	usleep(20000);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	printf("cancelled %d cleaned %d\n", result == PTHREAD_CANCELED, cleaned);
	sigaction(SIGALRM, &action, NULL);
	ualarm(10000, 0);
	errno = EDOM;
	SAY(read(pipe_ends[0], &byte, 1));
	ualarm(10000, 0);
	SAY(poll(NULL, 0, 2000));
}

/* ---- A handler with little stack ------------------------------------------------------------- */

static void crash_handler(int signal)
{
	(void)signal;
	write(2, "crash\n", 6);
	_exit(9);
}

static void small_stack(void)
{
	/* What a program takes that allows for the frame of the signal and some calls. */
	stack_t stack = { .ss_size = (size_t)sysconf(_SC_MINSIGSTKSZ) + 4096 };
	struct sigaction action = { .sa_handler = crash_handler, .sa_flags = SA_ONSTACK };
	char *pages = mmap(NULL, 65536, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	stack.ss_size = (stack.ss_size + 4095) & ~(size_t)4095;
	stack.ss_sp = pages + 65536 - stack.ss_size;
	mprotect(stack.ss_sp, stack.ss_size, PROT_READ | PROT_WRITE);
	sigaltstack(&stack, NULL);
	sigaction(SIGSEGV, &action, NULL);
	raise(SIGSEGV);
}

/* ---- Many ------------------------------------------------------------------------------------ */

static void many(void)
{
	int fd = open("/dev/null", O_WRONLY);

	for (int i = 0; i < 50000; i++)
		write(fd, buffer, (size_t)(i % 10));
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*call)(void);
	} all[] = { { "entries", entries }, { "wrong", wrong },		{ "names", names },
		    { "children", children }, { "cancelled", cancelled }, { "many", many },
		    { "small_stack", small_stack } };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (argc > 1 && !strcmp(argv[1], all[i].name)) {
			all[i].call();
			return 0;
		}
	return 2;
}
