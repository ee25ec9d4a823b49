/*
 * Does what its arguments say, one after the other, as servers do that give up their rights:
 *
 *	setuid          becomes nobody, with no further group
 *	nocaps          stays root, without capabilities
 *	chroot DIR      has another root
 *	unshare         has a name space of its own for mounts, with an empty /tmp
 *	filter          filters system calls: socket() ends the process
 *	close           closes all descriptors it does not know
 *	fork            goes on in a child; the parent waits and has its status
 *	look            looks for a way out of its root: fails if a descriptor is of a directory
 *	threads N       three threads take a lock N times each
 *	exec COMMAND... executes another program
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534, THREADS = 3, REFUSED = 3, DESCRIPTORS = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long rounds, sum;

static void *work(void *unused)
{
	for (long i = 0; i < rounds; i++) {
		pthread_mutex_lock(&lock);
		sum++;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void threads_run(long n)
{
	pthread_t threads[THREADS];

	rounds = n;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static int caps_drop(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {{0}};

	return (int)syscall(SYS_capset, &head, none);
}

static int filter_set(void)
{
	struct sock_filter code[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof code / sizeof *code, code};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int tmp_hide(void)
{
	return unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	       mount("none", "/tmp", "tmpfs", 0, NULL);
}

static void child_go_on(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		return;
	if (waitpid(pid, &status, 0) != pid)
		exit(REFUSED);
	exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* Who breaks into a server that has another root has its descriptors. */
static int directories_open(void)
{
	struct stat st;
	int n = 0;

	for (int fd = STDERR_FILENO + 1; fd < DESCRIPTORS; fd++)
		n += fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
	errno = EISDIR;
	return n;
}

static int nobody_become(void)
{
	return setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY);
}

/* Does one thing; returns how many arguments that took, or 0 if it cannot be done. */
static int act(char **word)
{
	int failed = 1;

	if (strcmp(*word, "setuid") == 0)
		failed = nobody_become();
	else if (strcmp(*word, "nocaps") == 0)
		failed = caps_drop();
	else if (strcmp(*word, "filter") == 0)
		failed = filter_set();
	else if (strcmp(*word, "unshare") == 0)
		failed = tmp_hide();
	else if (strcmp(*word, "look") == 0)
		failed = directories_open();
	else if (strcmp(*word, "fork") == 0)
		child_go_on(), failed = 0;
	else if (strcmp(*word, "close") == 0)
		for (int fd = STDERR_FILENO + 1; fd < DESCRIPTORS; fd++)
			failed = close(fd) && errno != EBADF;
	else if (strcmp(*word, "exec") == 0)
		execvp(word[1], word + 1);
	else if (strcmp(*word, "chroot") == 0)
		return chroot(word[1]) == 0 && chdir("/") == 0 ? 2 : 0;
	else if (strcmp(*word, "threads") == 0)
		return threads_run(atol(word[1])), 2;
	return !failed;
}

int main(int argc, char **argv)
{
	for (int i = 1, n; i < argc; i += n)
		if ((n = act(argv + i)) == 0) {
			fprintf(stderr, "%s: %s\n", argv[i], strerror(errno));
			return REFUSED;
		}
	printf("%ld\n", sum);
	return 0;
}
