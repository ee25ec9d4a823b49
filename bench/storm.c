/*
 * storm EVENTS DIRECTORY: writes the logs of a lock storm, as a recording of SQLite has it, whose two threads take
 * one mutex each time that they allocate: so many events in all, at the same times in each run. One acquisition
 * in some five has to wait. DIRECTORY is new.
 */
#include "bench/log_file.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char specification[] =
    "glimpse storm\n"
    "event Lock(object lock, code32 site);\n"
    "event Unlock(object lock, code32 site, uint mode);\n"
    "event LockBusy(object lock, code32 site);\n"
    "event LockEnd(object lock, uint mode, int result);\n"
    "interval LockWait [ e:LockEnd <- b:LockBusy ]\n"
    "where e.thread == b.thread && e.lock == b.lock\n"
    "&& (e.result == 0 || e.result == 110 || e.result == 130)\n"
    "= rectangle (kind \"wait\", label \"lock\");\n"
    "interval LockHold [ l:Lock -> u:Unlock ] nested where l.thread == u.thread && l.lock == u.lock\n"
    "= rectangle (kind \"hold\", label \"holds\");\n"
    "interval Handover [ e:LockEnd <- u:Unlock ]\n"
    "where e.lock == u.lock && e.mode / 2 == u.mode / 2 && (e.mode % 2 == 0 || u.mode % 2 == 0)\n"
    "&& e.result == 0\n"
    "= line (kind \"cause\");\n"
    "end storm.\n";

enum { THREADS = 2, MUTEX = 0x1000 };
enum { LOCK = LOG_FIRST_EVENT, UNLOCK, LOCK_BUSY, LOCK_END };
/* Of code that is nowhere: where it is taken to allocate, and to free. */
enum { ALLOCATES = 0x401000, FREES = 0x402000 };
/* In ticks of half a nanosecond. */
enum { HELD = 60, THINKS = 220, WOKEN = 600 };

struct thread {
	struct log_file log;
	uint64_t now;   /* when it wants the mutex next */
	uint64_t taken; /* acquisitions */
	bool waits;
};

static uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

static void lock_put(struct thread *t, uint64_t ticks, uint32_t event, uint32_t site)
{
	uint32_t record[4] = {0, MUTEX, 0, site};

	log_file_put(&t->log, ticks, event, record, sizeof record);
}

static void unlock_put(struct thread *t, uint64_t ticks, uint32_t site)
{
	uint32_t record[5] = {0, MUTEX, 0, site, 2};

	log_file_put(&t->log, ticks, UNLOCK, record, sizeof record);
}

static void end_put(struct thread *t, uint64_t ticks)
{
	uint32_t record[5] = {0, MUTEX, 0, 2, 0};

	log_file_put(&t->log, ticks, LOCK_END, record, sizeof record);
}

/*
 * A thread takes the mutex, which is free from a time on, and gives it back; or it has to wait, and comes again a while
 * after it is free: the other one may be faster then. Returns how many events that are.
 */
static unsigned acquire(struct thread *t, uint64_t *is_free, uint64_t *random)
{
	uint32_t site = t->taken % 2 ? FREES : ALLOCATES;
	unsigned events = 2;

	if (t->now < *is_free) {
		events = t->waits ? 0 : 1;
		if (!t->waits)
			lock_put(t, t->now, LOCK_BUSY, site);
		t->waits = true;
		t->now = *is_free + WOKEN / 2 + random_next(random) % WOKEN;
		return events;
	}
	if (t->waits) {
		events++;
		end_put(t, t->now);
	}
	t->waits = false;
	t->taken++;
	lock_put(t, t->now, LOCK, site);
	t->now += HELD / 2 + random_next(random) % HELD;
	unlock_put(t, t->now, site);
	*is_free = t->now;
	t->now += THINKS / 2 + random_next(random) % THINKS;
	return events;
}

static void specification_write(const char *directory)
{
	char *path;
	FILE *f;

	if (mkdir(directory, 0700) || asprintf(&path, "%s/storm.spec", directory) < 0)
		log_file_fail(directory);
	f = fopen(path, "w");
	if (!f || fputs(specification, f) < 0 || fclose(f))
		log_file_fail(path);
	free(path);
}

int main(int argc, char **argv)
{
	struct diag diag = {.out = stderr, .program = "storm"};
	struct spec *spec = spec_parse("storm.spec", specification, &diag);
	uint64_t events = argc > 1 ? strtoull(argv[1], NULL, 10) : 0, random = 88172645463325252,
		 is_free = 0;
	struct thread threads[THREADS] = {0};

	if (argc != 3 || !events || !spec) {
		fputs("usage: storm EVENTS DIRECTORY\n", stderr);
		return 2;
	}
	specification_write(argv[2]);
	for (unsigned i = 0; i < THREADS; i++)
		threads[i].log = log_file_open(argv[2], i, "worker", spec);
	for (uint64_t n = 0; n < events;)
		n += acquire(&threads[threads[1].now < threads[0].now], &is_free, &random);
	for (unsigned i = 0; i < THREADS; i++)
		log_file_close(&threads[i].log);
	spec_free(spec);
	return 0;
}
