/*
 * SIGKILL for whole trees of processes, while they log from threads, fork, vfork, copy their logs
 * and switch events: every event that was acknowledged is in the log of its process.
 * GLIMPSE_KILLS sets how many processes are killed at least (60; `make campaign`: 1000), SEED the
 * moments.
 * tested: kills, least processes in trees (GLIMPSE_KILLS=1000): acknowledged events of processes
 * that fork, copy logs and switch events, and those in the logs.
 */
#include "scene.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS 3               /* besides the main thread, in the first process */
#define PROCESSES 4096

/* In memory that the test shares with the processes. */
struct member {
	pid_t pid;
	int32_t acknowledged[THREADS + 1];      /* the main thread's is the last one */
};

static struct {
	unsigned members;
	struct member member[PROCESSES];
	unsigned snapshots, vforks, forks, switches;
	int32_t before[THREADS + 1];    /* the newest snapshot that was taken */
} *tree;

static unsigned long kills, processes, events, lost, snapshots, vforks, switches;

static void nap(long microseconds)
{
	struct timespec t = { 0, microseconds * 1000 };

	nanosleep(&t, NULL);
}

static struct member *member_new(void)
{
	unsigned n = __atomic_fetch_add(&tree->members, 1, __ATOMIC_ACQ_REL);
	struct member *m = &tree->member[n < PROCESSES ? n : PROCESSES - 1];

	m->pid = getpid();
	return m;
}

static void logs_one(struct member *m, int32_t thread)
{
	int32_t i = m->acknowledged[thread];

	Tick_Stamp(thread, i);
	__atomic_store_n(&m->acknowledged[thread], i + 1, __ATOMIC_RELEASE);
}

/* ---- The processes --------------------------------------------------------------------------- */

static void *logs_on(void *argument)
{
	int32_t me = (int32_t)(intptr_t)argument;

	for (int i = 0;; i++) {
		logs_one(&tree->member[0], me);
		if (i % 4096 == 0)
			nap(100);       /* the others, too, have to get on */
	}
	return NULL;
}

/* A process below the first: logs, has a child that does the same, and ends in one of two ways. */
static void branch(unsigned depth)
{
	struct member *m = member_new();

	for (int i = 0; i < 2000; i++) {
		logs_one(m, THREADS);
		if (i == 500 && depth && fork() == 0) {
			m = member_new();
			depth--;
			i = 0;
		}
	}
	while (wait(NULL) > 0)
		;
	if (m->pid % 2)
		exit(0);
	_exit(0);
}

static void copy_logs(unsigned n)
{
	int32_t before[THREADS + 1];
	char path[600];

	for (int i = 0; i <= THREADS; i++)
		before[i] = __atomic_load_n(&tree->member[0].acknowledged[i], __ATOMIC_ACQUIRE);
	snprintf(path, sizeof path, "%s.snapshot%u", scene_log, n);
	if (glimpse_snapshot(path))
		return;
	memcpy(tree->before, before, sizeof before);
	__atomic_store_n(&tree->snapshots, n + 1, __ATOMIC_RELEASE);
}

/* The child of vfork() has the memory of its parent, whose thread logs. */
static void child_in_same_memory(void)
{
#ifndef __SANITIZE_THREAD__     /* makes a fork() of it */
	pid_t pid = vfork();

	if (pid == 0) {
		logs_one(&tree->member[0], THREADS);
		_exit(0);
	}
	tree->vforks++;
	waitpid(pid, NULL, 0);
#endif
}

static int grows(void *argument)
{
	pthread_t threads[THREADS];

	(void)argument;
	setpgid(0, 0);
	member_new();
	glimpse_init(NULL);
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, logs_on, (void *)i);
	for (unsigned n = 0;; n++) {
		if (fork() == 0)
			branch(2);
		tree->forks++;
		child_in_same_memory();
		glimpse_switch("Say", n % 2);
		tree->switches++;
		copy_logs(n);
		logs_one(&tree->member[0], THREADS);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
	return 0;
}

/* ---- The test -------------------------------------------------------------------------------- */

/* Kills the group, until no process of it is left: one that is being forked may come later. */
static void tree_fell(pid_t pid)
{
	int status;

	do {
		kill(-pid, SIGKILL);
		kill(pid, SIGKILL);
		while (waitpid(-1, &status, WNOHANG) > 0)
			kills += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
		nap(200);
	} while (kill(-pid, 0) == 0 || kill(pid, 0) == 0);
	while (waitpid(-1, &status, 0) > 0)
		kills += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

/* Whether the log of a process has what was acknowledged; one more may have been logged. */
static bool member_is_whole(const struct member *m, const char *directory)
{
	const struct reader_run *run = scene_read(directory);
	bool good = true, ordered;

	for (int32_t i = 0; i <= THREADS; i++) {
		size_t n = ticks_of(run, i, &ordered), wanted = (size_t)m->acknowledged[i];

		if (n >= wanted && n <= wanted + 1 && ordered)
			continue;
		printf("# %s thread %d: %zu acknowledged, %zu in the log%s\n", directory, i, wanted,
		       n, ordered ? "" : ", out of order");
		lost += n < wanted ? wanted - n : 0;
		good = false;
	}
	events += run->count;
	return good && !run->faults && !run->lost && !run->dropped;
}

static bool snapshot_is_whole(void)
{
	const struct reader_run *run;
	bool good = true, ordered;
	char path[600];

	if (!tree->snapshots)
		return true;
	snprintf(path, sizeof path, "%s.snapshot%u", scene_log, tree->snapshots - 1);
	run = scene_read(path);
	for (int32_t i = 0; i <= THREADS; i++)
		good = ticks_of(run, i, &ordered) >= (size_t)tree->before[i] && ordered && good;
	return good && !run->faults;
}

static bool round_is_good(unsigned round)
{
	unsigned members;
	bool good = true;
	pid_t pid;

	memset(tree, 0, sizeof *tree);
	pid = scene_start(grows, NULL);
	setpgid(pid, pid);
	if (round % 8)
		for (int i = 0; i < 10000 && !tree->member[0].acknowledged[0]; i++)
			nap(100);
	nap(rand() % 40000);
	tree_fell(pid);
	members = tree->members < PROCESSES - 1 ? tree->members : PROCESSES - 1;
	for (unsigned i = 0; i < members; i++) {
		char directory[600];

		snprintf(directory, sizeof directory, i ? "%s.%d" : "%s", scene_log,
			 (int)tree->member[i].pid);
		good = member_is_whole(&tree->member[i], directory) && good;
	}
	/* a snapshot may be finished and not yet noted when the process is killed: the one before is */
	if (!snapshot_is_whole()) {
		printf("# round %u: a snapshot that was taken is not whole\n", round);
		good = false;
	}
	processes += members;
	snapshots += tree->snapshots;
	vforks += tree->vforks;
	switches += tree->switches;
	scene_clear();
	return good;
}

int main(void)
{
	const char *wanted = getenv("GLIMPSE_KILLS"), *seed = getenv("SEED");
	unsigned least = wanted ? (unsigned)atoi(wanted) : 60, rounds = 0, bad = 0;
	unsigned number = seed ? (unsigned)atoi(seed) : (unsigned)time(NULL);

	plan(1);
	printf("# SEED=%u\n", number);
	srand(number);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	tree = mmap(NULL, sizeof *tree, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	while (kills < least && rounds < 2 * least) {
		bad += !round_is_good(rounds);
		rounds++;
	}
	ok(bad == 0 && kills >= least,
	   "%u trees of %lu processes, %lu killed with SIGKILL, with %lu snapshots, %lu vfork() and "
	   "%lu switches: of %lu events in the logs, %lu acknowledged ones are not there; %u trees are "
	   "bad", rounds, processes, kills, snapshots, vforks, switches, events, lost, bad);
	return done();
}
