/*
 * Programs whose system calls are filtered by seccomp, from their start or in the middle: they are
 * not ended by a call of the runtime, do not hang in one, and lose nothing.
 */
#include "scene.h"
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if __has_include(<linux/seccomp.h>) && defined(SYS_io_getevents)
#include <linux/filter.h>
#include <linux/seccomp.h>

#define EVENTS 1000000
#define SECONDS 30      /* after which a scene hangs */

#define CALL(number, action) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, action)

/* Returns whether the filter could be installed. */
static bool filter(const struct sock_filter *code, unsigned length)
{
	struct sock_fprog program = { (unsigned short)length, (struct sock_filter *)code };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

static bool filter_kills(void)
{
	static const struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		CALL(SYS_io_setup, SECCOMP_RET_KILL_PROCESS),
		CALL(SYS_io_submit, SECCOMP_RET_KILL_PROCESS),
		CALL(SYS_io_getevents, SECCOMP_RET_KILL_PROCESS),
		CALL(SYS_io_destroy, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	return filter(code, sizeof code / sizeof *code);
}

static bool filter_fails(void)
{
	static const struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		CALL(SYS_io_getevents, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	return filter(code, sizeof code / sizeof *code);
}

struct sandbox {
	const char *name;
	bool (*filter)(void);
	int32_t at;             /* events before it */
	const char *setting;    /* GLIMPSE_WRITE */
};

static int filtered(void *argument)
{
	const struct sandbox *s = argument;

	if (s->setting)
		setenv("GLIMPSE_WRITE", s->setting, 1);
	for (int32_t i = 0; i < EVENTS; i++) {
		if (i == s->at && !s->filter())
			return 77;
		Tick_Stamp(0, i);
	}
	return 0;
}

/* Waits for a scene, and kills one that hangs with all signals blocked. */
static int wait_limited(pid_t pid)
{
	int status = 0;

	for (int i = 0; i < SECONDS * 100; i++) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return status;
		usleep(10000);
	}
	printf("# it hangs\n");
	kill(pid, SIGKILL);
	return scene_wait(pid);
}

static void test_sandbox(struct sandbox *s)
{
	int status = wait_limited(scene_start(filtered, s));
	const struct reader_run *run;
	bool ordered;

	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		skip(s->name, "seccomp is not allowed");
		return;
	}
	run = scene_read(NULL);
	ok(status == 0 && ticks_of(run, 0, &ordered) == EVENTS && ordered && !run->lost &&
		   !run->faults,
	   "%s: ended with %#x, %zu of %d events", s->name, (unsigned)status, run->count, EVENTS);
}

int main(void)
{
	struct sandbox sandboxes[] = {
		{ "asynchronous I/O kills, from the start", filter_kills, 0, NULL },
		{ "asynchronous I/O kills, from the middle on", filter_kills, EVENTS / 2, NULL },
		{ "its results cannot be had, from the start", filter_fails, 0, NULL },
		{ "its results cannot be had, from the middle on", filter_fails, EVENTS / 2, NULL },
		{ "nor with GLIMPSE_WRITE=direct", filter_fails, EVENTS / 2, "direct" },
		{ "asynchronous I/O kills, and GLIMPSE_WRITE=cached", filter_kills, 0, "cached" },
	};

	plan(6);
	for (int i = 0; i < 6; i++)
		test_sandbox(&sandboxes[i]);
	return done();
}

#else

int main(void)
{
	puts("1..0 # SKIP there is no seccomp");
	return 0;
}

#endif
