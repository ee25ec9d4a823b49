/*
 * ordinary COMMAND...: runs a command as a container does: root becomes an ordinary user, to whom
 * the kernel refuses perf_event_open(), ptrace() and the addresses of its functions.
 */
#include <errno.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pwd.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void check(int result, const char *what)
{
	if (result == 0)
		return;
	perror(what);
	exit(2);
}

/* The mounts are this process' own: nobody else has another /proc/kallsyms. */
static void names_hide(void)
{
	check(unshare(CLONE_NEWNS), "unshare");
	check(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "mount");
	if (mount("/dev/null", "/proc/kallsyms", NULL, MS_BIND, NULL) && errno != ENOENT)
		check(-1, "/proc/kallsyms");
}

static void rights_drop(void)
{
	const struct passwd *user = getpwnam("nobody");

	check(user ? 0 : -1, "nobody");
	check(setgroups(0, NULL), "setgroups");
	check(setgid(user->pw_gid), "setgid");
	check(setuid(user->pw_uid), "setuid");
}

static void calls_refuse(void)
{
	struct sock_filter code[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 2, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 1, 0),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	};
	struct sock_fprog filter = {sizeof code / sizeof *code, code};

	check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new rights");
	check(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), "seccomp");
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	if (geteuid() == 0) {
		names_hide();
		rights_drop();
	}
	calls_refuse();
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 127;
}
