#include "recorder/merge/homes.h"
#include "recorder/merge/journal.h"
#include "base/array.h"
#include "base/file.h"
#include "recorder/recorder.h"
#include "trace/format/bytes.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define SLACK 1000000           /* ns between the clock of a process and the kernel's records */
#define NUMBER_APART (1u << 20) /* where a process that is alive makes no logs yet */
#define PROCESS_STATE 20
#define PROCESS_PROGRAM 128

static struct home *home_add(struct homes *h, char *path, uint32_t pid, int64_t start)
{
	struct home *home = array_zero(1, sizeof *home);

	home->path = path;
	home->pid = pid;
	home->start = start;
	h->rooted |= strcmp(path, h->directory) == 0;
	h->list = array_grow(h->list, h->n, sizeof(struct home *));
	return h->list[h->n++] = home;
}

/* Returns the number that the next log of a process may have. */
static uint32_t next_number(const struct opened *o, const struct trace_process *p)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < p->nthreads; i++)
		if (o->logs[p->first_thread + i].number >= next)
			next = o->logs[p->first_thread + i].number + 1;
	if (!p->ended && p->pid && kill((pid_t)p->pid, 0) == 0 && next < NUMBER_APART)
		next = NUMBER_APART;
	return next;
}

static struct recorder_lines *lines_open(const struct directory *recorder, const char *name)
{
	char *path = directory_join(recorder, name);
	struct recorder_lines *lines = recorder_lines_open(path);

	free(path);
	return lines;
}

void homes_open(struct homes *h, const struct opened *trace, const struct directory *recorder,
		uint32_t root)
{
	*h = (struct homes){.trace = trace, .recorder = recorder, .root = root,
			    .directory = recorder->given,
			    .modules = lines_open(recorder, RECORDER_MODULES),
			    .made = lines_open(recorder, RECORDER_MADE)};
	for (size_t i = 0; i < trace->ndirectories; i++) {
		const struct directory *d = &trace->directories[i];
		struct home *home;

		if (d == recorder || !d->process.present)
			continue;
		home = home_add(h, text_format("%s", d->path), d->process.pid,
				d->process.samples[0].monotonic);
		home->directory = d;
		home->process = &trace->processes[i];
		home->next = next_number(trace, home->process);
	}
}

void homes_close(struct homes *h)
{
	for (size_t i = 0; i < h->n; i++) {
		free(h->list[i]->path);
		free(h->list[i]);
	}
	recorder_lines_close(h->modules);
	recorder_lines_close(h->made);
	free(h->list);
	free(h->specs);
	free(h->lives);
	free(h->logs);
}

/* ---- by thread ---- */

static int order_of(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int lives_compare(const void *a, const void *b)
{
	const struct life *l = *(struct life *const *)a, *k = *(struct life *const *)b;
	int order = order_of(l->log->tid, k->log->tid);

	if (!order)
		order = order_of(l->from, k->from);
	return order ? order : (l > k) - (l < k);
}

static int logs_compare(const void *a, const void *b)
{
	const struct log *l = *(const struct log *const *)a, *k = *(const struct log *const *)b;
	int order = order_of(l->tid, k->tid);

	return order ? order : (l > k) - (l < k);
}

static void lives_sort(struct homes *h, struct life *lives, size_t n)
{
	h->lives = array_new(n + 1, sizeof(struct life *));
	h->nlives = n;
	for (size_t i = 0; i < n; i++)
		h->lives[i] = &lives[i];
	qsort(h->lives, n, sizeof(struct life *), lives_compare);
}

static void logs_sort(struct homes *h)
{
	h->logs = array_new(h->trace->nlogs + 1, sizeof(struct log *));
	h->nlogs = h->trace->nlogs;
	for (size_t i = 0; i < h->nlogs; i++)
		h->logs[i] = &h->trace->logs[i];
	qsort(h->logs, h->nlogs, sizeof(struct log *), logs_compare);
}

/* Returns the place of a thread's first life from a time on, or where it would be. */
static size_t lives_from(const struct homes *h, uint32_t tid, int64_t from)
{
	size_t low = 0, high = h->nlives;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct life *l = h->lives[middle];

		if (l->log->tid < tid || (l->log->tid == tid && l->from < from))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the place of a thread's first log, or where it would be. */
static size_t logs_of(const struct homes *h, uint32_t tid)
{
	size_t low = 0, high = h->nlogs;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (h->logs[middle]->tid < tid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* All lives of a thread, in the order of time. */
#define FOR_LIVES(l, h, thread) \
	for (size_t i_ = lives_from(h, thread, INT64_MIN); \
	     i_ < (h)->nlives && ((l) = (h)->lives[i_])->log->tid == (thread); i_++)

/* ---- which one ---- */

static bool is_leader(const struct life *l)
{
	return l->log->pid == l->log->tid;
}

/* Returns whether the process has no other life of its first thread before this one. */
static bool is_first(const struct homes *h, const struct life *l)
{
	return h->lives[lives_from(h, l->log->tid, INT64_MIN)]->from >= l->from;
}

/* Gives each directory to the first thread that ran when its run began. */
static void directories_assign(struct homes *h)
{
	for (size_t i = 0; i < h->n; i++) {
		struct home *home = h->list[i];
		struct life *l;

		FOR_LIVES(l, h, home->pid)
			if (is_leader(l) && !l->home && home->start <= l->to &&
			    (home->start >= l->from - SLACK || is_first(h, l))) {
				home->leader = l;
				l->home = home;
				break;
			}
	}
}

/* Returns the life of the thread after one that ended by executing a program, or NULL. */
static struct life *life_after(const struct homes *h, const struct life *l)
{
	size_t i = lives_from(h, l->log->tid, l->to);

	i += i < h->nlives && h->lives[i] == l;
	return i < h->nlives && h->lives[i]->log->tid == l->log->tid ? h->lives[i] : NULL;
}

/* Most children that are forked execute another program before they log anything. */
static void forked_join(const struct homes *h, struct life *lives, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct life *l = &lives[i], *next;

		if (l->home || !l->forked || !l->executed)
			continue;
		next = life_after(h, l);
		if (!next)
			continue;
		next->before = l;
		l->continued = true;
	}
}

/* The home of the life of the first thread that a thread began in. */
static struct home *leaders_home(const struct homes *h, const struct life *l)
{
	const struct life *best = NULL, *leader;

	FOR_LIVES(leader, h, l->log->pid)
		if (leader->home && is_leader(leader) && (!best || leader->from <= l->from + SLACK))
			best = leader;
	return best ? best->home : NULL;
}

/* ---- those that are missing ---- */

static bool file_copy(const char *from, const char *to)
{
	struct file f;
	int fd;
	bool good;

	if (!file_load(&f, from, false))
		return false;
	fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	good = fd >= 0 && file_write_all(fd, f.bytes, f.size);
	if (fd < 0 && errno == EEXIST)
		good = true;
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && !good)
		unlink(to);     /* half a specification keeps readers from all of it */
	file_unload(&f);
	return good;
}

void homes_need(struct homes *h, const char *name)
{
	size_t length = strlen(name);

	/* NAME.spec, or NAME-SCHEMA.spec */
	for (size_t i = 0; i < h->recorder->nspecs; i++) {
		const char *file = strrchr(h->recorder->specs[i], '/') + 1;

		if (strncmp(file, name, length) != 0 ||
		    (file[length] != '.' && file[length] != '-'))
			continue;
		h->specs = array_grow(h->specs, h->nspecs, sizeof *h->specs);
		h->specs[h->nspecs++] = h->recorder->specs[i];
	}
}

bool home_specs_copy(const struct homes *h, const struct home *home)
{
	bool good = true;

	for (size_t i = 0; i < h->nspecs && good; i++) {
		char *to = text_format("%s%s", home->path, strrchr(h->specs[i], '/'));

		good = file_copy(h->specs[i], to);
		free(to);
	}
	return good;
}

/* Makes the process file of a home from that of the recorder, whose clock is CLOCK_MONOTONIC. */
static bool process_file_make(const struct homes *h, const struct home *home, const char *program)
{
	char *from = directory_join(h->recorder, "process");
	char *to = text_format("%s/process", home->path);
	struct file f;
	bool good = file_load(&f, from, true);
	int fd = good ? open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;

	good = fd >= 0 && f.size > PROCESS_HEADER;
	if (good) {
		unsigned char words[8];
		char name[128] = "";

		strncpy(name, program, sizeof name - 1);
		write_32(words, home->pid);
		write_32(words + 4, 1);
		file_put(&f, 12, words, 4);
		file_put(&f, PROCESS_STATE, words + 4, 4);
		file_put(&f, PROCESS_PROGRAM, name, sizeof name);
		good = file_write_all(fd, f.bytes, f.size);
	}
	if (fd >= 0)
		close(fd);
	if (f.bytes)
		file_unload(&f);
	free(from);
	free(to);
	return good;
}

/* Returns the path of the directory for a process; the first one's is that of the trace. */
static char *home_path(const struct homes *h, const struct life *l)
{
	const char *name = l->log->name && !strchr(l->log->name, '/') ? l->log->name : "thread";

	if (l->log->pid == h->root && !h->rooted)
		return text_format("%s", h->directory);
	for (unsigned k = 0;; k++) {
		char *path = k ? text_format("%s/%s.%u.%u", h->directory, name, l->log->pid, k)
			       : text_format("%s/%s.%u", h->directory, name, l->log->pid);

		if (mkdir(path, 0700) == 0) {
			journal_note(path);
			return path;
		}
		if (errno != EEXIST)
			return path;
		free(path);
	}
}

/* Writes what a file of the recorder says of a home. */
typedef void home_line_write(const struct home *home, const char *line, FILE *out);

/* The lines of a home, on their way to a file of it. */
struct home_lines {
	const struct home *home;
	const char *name;
	home_line_write *write;
	FILE *out; /* NULL: not open yet */
	bool refused;
};

static void home_line_take(void *context, const char *rest)
{
	struct home_lines *l = context;
	char *path;

	if (!l->out && !l->refused) {
		path = text_format("%s/%s", l->home->path, l->name);
		l->out = fopen(path, "wxe");
		l->refused = !l->out;
		free(path);
	}
	if (l->out)
		l->write(l->home, rest, l->out);
}

/*
 * Copies the lines of a file of the recorder that are about a home, up to a time, to a new file of it. Leaves it as it is if
 * it has the file.
 */
static void lines_copy(struct recorder_lines *lines, const struct home *home, int64_t to, const char *name,
		       home_line_write *write)
{
	struct home_lines l = {home, name, write, NULL, false};

	recorder_lines_of(lines, home->pid, to, home_line_take, &l);
	if (l.out)
		fclose(l.out);
}

static void module_write(const struct home *home, const char *line, FILE *out)
{
	(void)home;
	fputs(line, out);
}

/* The line begins with a time, which becomes ticks of the home's clock. */
static void made_write(const struct home *home, const char *line, FILE *out)
{
	const struct directory *d = home->directory;
	char *rest;
	uint64_t time = strtoull(line, &rest, 10);

	if (time && d && d->process.clock == CLOCK_COUNTER)
		time = clock_ticks(&d->counter, (int64_t)time);
	fprintf(out, "%" PRIu64 "%s", time, rest);
}

/* Gives all homes the names of code that their programs made. */
static void made_copy(const struct homes *h)
{
	for (size_t i = 0; i < h->n; i++)
		lines_copy(h->made, h->list[i], h->list[i]->leader ? h->list[i]->leader->to : INT64_MAX,
			   "made", made_write);
}

static bool home_make(struct homes *h, struct life *l)
{
	struct home *home = home_add(h, home_path(h, l), l->log->pid, l->from);

	home->leader = l;
	l->home = home;
	lines_copy(h->modules, home, l->to, "modules", module_write);
	return process_file_make(h, home, l->log->name ? l->log->name : "") &&
	       home_specs_copy(h, home);
}

bool homes_assign(struct homes *h, struct life *lives, size_t n)
{
	lives_sort(h, lives, n);
	logs_sort(h);
	directories_assign(h);
	forked_join(h, lives, n);
	for (int leaders = 1; leaders >= 0; leaders--)
		for (size_t i = 0; i < n; i++) {
			struct life *l = &lives[i];

			if (l->home || l->continued || (leaders && !is_leader(l)))
				continue;
			if (!leaders)
				l->home = leaders_home(h, l);
			if (!l->home && !home_make(h, l))
				return false;
		}
	made_copy(h);
	return true;
}

const struct log *home_log(const struct homes *h, const struct home *home, const struct life *life)
{
	const struct trace_process *p = home->process;
	const struct log *found = NULL, *log;
	uint32_t tid = life->log->tid;

	for (size_t i = logs_of(h, tid); p && i < h->nlogs && (log = h->logs[i])->tid == tid; i++) {
		int64_t opened = log->files[0].sample.monotonic;
		size_t place = (size_t)(log - h->trace->logs) - p->first_thread;

		if (place < p->nthreads && opened <= life->to + SLACK &&
		    (!found || opened < found->files[0].sample.monotonic) &&
		    (opened >= life->from - SLACK || is_leader(life) || life->met))
			found = log;
	}
	return found;
}
