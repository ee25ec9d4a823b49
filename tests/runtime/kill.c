/*
 * SIGKILL at random instants: every event that the program had acknowledged through a pipe, after
 * its call had returned, is in the log. GLIMPSE_KILLS sets how many times (100), SEED the
 * moments.
 * tested: kills, kills processes (GLIMPSE_KILLS=1000): acknowledged events of two threads, and
 * those in the log.
 */
#include "scene.h"
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if __has_include(<linux/seccomp.h>)
#include <linux/filter.h>
#include <linux/seccomp.h>
#endif

#define THREADS 2

/* What each thread has logged, in memory that the killed process shares with the test: its pipe. */
static volatile int32_t *acknowledged;
static size_t total;

static void *logs_on(void *argument)
{
	int32_t me = (int32_t)(intptr_t)argument;

	for (int32_t i = 0;; i++) {
		Tick_Stamp(me, i);
		__atomic_store_n(&acknowledged[me], i + 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

static int logging(void *argument)
{
	pthread_t threads[THREADS];

	(void)argument;
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, logs_on, (void *)i);
	pthread_join(threads[0], NULL);
	return 0;
}

static void nap(long microseconds)
{
	struct timespec t = { 0, microseconds * 1000 };

	nanosleep(&t, NULL);
}

/*
 * A few are killed while they start, the others within 8 ms of work: the first writes, growing
 * tails.
 */
static void wait_for_moment(unsigned round)
{
	if (round % 8)
		for (int i = 0; i < 10000 && !acknowledged[0] && !acknowledged[1]; i++)
			nap(100);
	nap(rand() % 8000);
}

/* One killing. */
static bool killed_run(unsigned round)
{
	const struct reader_run *run;
	bool good = true, ordered;
	pid_t pid;

	acknowledged[0] = acknowledged[1] = 0;
	pid = scene_start(logging, NULL);
	wait_for_moment(round);
	kill(pid, SIGKILL);
	scene_wait(pid);
	run = scene_read(NULL);
	for (int32_t i = 0; i < THREADS; i++) {
		size_t n = ticks_of(run, i, &ordered);

		/* one more may have been logged than was acknowledged */
		if (n >= (size_t)acknowledged[i] && n <= (size_t)acknowledged[i] + 1 && ordered)
			continue;
		printf("# round %u thread %d: %d acknowledged, %zu in the log%s\n", round, i,
		       acknowledged[i], n, ordered ? "" : ", out of order");
		good = false;
	}
	total += run->count;
	return good && !run->faults && !run->lost;
}

static void acknowledge_through_pipe(void)
{
	int ends[2];
	char last;
	pid_t pid;

	if (pipe(ends))
		return;
	pid = fork();
	if (pid == 0) {
		snprintf(scene_log, sizeof scene_log, "%s/piped", scene_root);
		setenv("GLIMPSE_DIR", scene_log, 1);
		for (int32_t i = 0;; i++) {
			Tick_Stamp(7, i);
			if (write(ends[1], "x", 1) != 1)
				_exit(1);
		}
	}
	close(ends[1]);
	for (int i = 0; i < 5000; i++)
		if (read(ends[0], &last, 1) != 1)
			break;
	kill(pid, SIGKILL);
	scene_wait(pid);
	close(ends[0]);
}

#if __has_include(<linux/seccomp.h>)
/* Lets a call of pwrite64() that writes one byte end the process. */
static bool one_byte_kills(void)
{
	static const struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pwrite64, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof code / sizeof *code, (struct sock_filter *)code };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

static int tick_filtered(void *argument)
{
	(void)argument;
	if (!one_byte_kills())
		return 77;
	Tick_Stamp(0, 0);
	return 0;
}

static void specification_begun(void)
{
	const char *what = "a process killed as it writes its specification leaves no first byte";
	int status = scene_run(tick_filtered, NULL);
	char path[600], text[4096] = "?";
	FILE *f;
	size_t n;

	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		skip(what, "there is no seccomp");
		return;
	}
	snprintf(path, sizeof path, "%s/%s.spec", scene_log, probe_glimpse.name);
	f = fopen(path, "r");
	n = f ? fread(text, 1, sizeof text, f) : 0;
	ok(WIFSIGNALED(status) && n == probe_glimpse.length && !text[0] &&
	       memcmp(text + 1, probe_glimpse.text + 1, n - 1) == 0,
	   "%s", what);
	if (f)
		fclose(f);
}
#else
static void specification_begun(void)
{
	skip("a process killed as it writes its specification", "there is no seccomp");
}
#endif

int main(void)
{
	const char *kills = getenv("GLIMPSE_KILLS"), *seed = getenv("SEED");
	unsigned rounds = kills ? (unsigned)atoi(kills) : 100, bad = 0;
	unsigned number = seed ? (unsigned)atoi(seed) : (unsigned)time(NULL);
	bool ordered;
	char path[600];

	plan(3);
	printf("# SEED=%u\n", number);
	srand(number);
	acknowledged = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (unsigned i = 0; i < rounds; i++)
		bad += !killed_run(i);
	ok(bad == 0, "%u processes killed with SIGKILL, %u of them lost something, of %zu events",
	   rounds, bad, total);
	acknowledge_through_pipe();
	snprintf(path, sizeof path, "%s/piped", scene_root);
	ok(ticks_of(scene_read(path), 7, &ordered) >= 5000 && ordered,
	   "every event acknowledged through a pipe is there");
	specification_begun();
	return done();
}
