/*
 * Executes a command in which perf_event_open fails with EPERM, as the seccomp filters of containers make it:
 *
 *	refuse COMMAND [ARGUMENT...]
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CANNOT = 125 };

int main(int n, char **words)
{
	struct sock_filter code[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof code / sizeof *code, code};

	if (n < 2) {
		fprintf(stderr, "usage: refuse COMMAND [ARGUMENT...]\n");
		return CANNOT;
	}
	/* Without the right to filter, a process may do it if it gives up set-user-ID programs. */
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) &&
	    (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	     prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))) {
		perror("refuse: the filter");
		return CANNOT;
	}
	execvp(words[1], words + 1);
	perror(words[1]);
	return CANNOT;
}
