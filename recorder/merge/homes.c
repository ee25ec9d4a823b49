#include "recorder/merge/homes.h"
#include "base/array.h"
#include "base/file.h"
#include "base/search.h"
#include "recorder/merge/journal.h"
#include "recorder/recorder.h"
#include "trace/format/bytes.h"
#include "trace/write/spec_write.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SLACK 1000000           /* ns between the clock of a process and the kernel's records */
#define EXECUTED_BEFORE 500000  /* ns from executing a program to the start of its directory */
#define CHILD_LEAST 10000000    /* ns that a forked child lives that is worth a word */
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

/*
 * Returns the number that the next log of a process may have. foreign: its process id is another
 * one here.
 */
static uint32_t next_number(const struct opened *o, const struct trace_process *p, bool foreign)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < p->nthreads; i++)
		if (o->logs[p->first_thread + i].number >= next)
			next = o->logs[p->first_thread + i].number + 1;
	if (!p->ended && p->pid && (foreign || kill((pid_t)p->pid, 0) == 0) && next < NUMBER_APART)
		next = NUMBER_APART;
	return next;
}

/* Returns the namespace of a directory's process id; 0: the recorder's, or not known. */
static uint64_t space_of(const struct directory *d, const struct directory *recorder)
{
	uint64_t own = recorder->process.pid_space;

	return own && d->process.pid_space != own ? d->process.pid_space : 0;
}

static struct numbers numbers_open(const struct directory *recorder)
{
	char *path = directory_join(recorder, NUMBERS_FILE);
	struct numbers numbers = numbers_read(path);

	free(path);
	return numbers;
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
	*h = (struct homes){.trace = trace,
			    .recorder = recorder,
			    .root = root,
			    .directory = recorder->given,
			    .numbers = numbers_open(recorder),
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
		home->space = space_of(d, recorder);
		home->next = next_number(trace, home->process, home->space);
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
	free(h->named);
	free(h->programs);
	free(h->logs);
	numbers_free(&h->numbers);
}

/* ---- by thread ---- */

static int order_of(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int lives_compare(const void *a, const void *b)
{
	const struct thread_life *l = *(struct thread_life *const *)a,
				 *k = *(struct thread_life *const *)b;
	int order = order_of(l->log->tid, k->log->tid);

	if (!order)
		order = order_of(l->from, k->from);
	return order ? order : (l > k) - (l < k);
}

static int named_compare(const void *a, const void *b)
{
	const struct thread_life *l = *(struct thread_life *const *)a,
				 *k = *(struct thread_life *const *)b;
	int order = (l->space > k->space) - (l->space < k->space);

	if (!order)
		order = order_of(l->number, k->number);
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

static void lives_sort(struct homes *h, struct thread_life *lives, size_t n)
{
	h->lives = array_new(n + 1, sizeof(struct thread_life *));
	h->nlives = n;
	for (size_t i = 0; i < n; i++)
		h->lives[i] = &lives[i];
	qsort(h->lives, n, sizeof(struct thread_life *), lives_compare);
	for (size_t i = 0; i < n; i++) {
		struct thread_life *l = h->lives[i];
		bool reused = i + 1 < n && h->lives[i + 1]->log->tid == l->log->tid;

		l->until = l->ended || reused ? l->to : INT64_MAX;
	}
}

/*
 * Finds each life's own number. Of threads of one number only the last could be meant that began
 * before.
 */
static void lives_number(struct homes *h)
{
	for (size_t i = 0; i < h->nlives; i++) {
		struct thread_life *l = h->lives[i];
		bool again = i && h->lives[i - 1]->log->tid == l->log->tid;
		const struct number *n = numbers_find(
		    &h->numbers, l->log->tid, again ? h->lives[i - 1]->from : INT64_MIN, l->to);

		l->number = n ? n->inner : l->log->tid;
		l->space = n ? n->space : 0;
	}
}

static void named_sort(struct homes *h)
{
	h->named = array_new(h->nlives + 1, sizeof(struct thread_life *));
	memcpy(h->named, h->lives, h->nlives * sizeof(struct thread_life *));
	qsort(h->named, h->nlives, sizeof(struct thread_life *), named_compare);
}

static int programs_compare(const void *a, const void *b)
{
	const struct home *l = *(struct home *const *)a, *k = *(struct home *const *)b;
	int order = (l->space > k->space) - (l->space < k->space);

	if (!order)
		order = order_of(l->pid, k->pid);
	return order ? order : order_of(l->start, k->start);
}

static void programs_sort(struct homes *h)
{
	h->programs = array_new(h->n + 1, sizeof(struct home *));
	h->nprograms = h->n;
	for (size_t i = 0; i < h->n; i++)
		h->programs[i] = h->list[i];
	if (h->n)
		qsort(h->programs, h->n, sizeof(struct home *), programs_compare);
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
		const struct thread_life *l = h->lives[middle];

		if (l->log->tid < tid || (l->log->tid == tid && l->from < from))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the place of the first life of a thread by its own number, or where it would be. */
static size_t named_from(const struct homes *h, uint64_t space, uint32_t number)
{
	return lower_bound(i, (size_t)0, h->nlives,
			   h->named[i]->space < space ||
			       (h->named[i]->space == space && h->named[i]->number < number));
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

/* The same by the thread's own number. */
#define FOR_NAMED(l, h, namespace, own) \
	for (size_t i_ = named_from(h, namespace, own); \
	     i_ < (h)->nlives && ((l) = (h)->named[i_])->space == (namespace) && \
	     (l)->number == (own); \
	     i_++)

/* ---- which one ---- */

static bool is_leader(const struct thread_life *l)
{
	return l->log->pid == l->log->tid;
}

/* Returns whether the process has no other life of its first thread before this one. */
static bool is_first(const struct homes *h, const struct thread_life *l)
{
	return h->lives[lives_from(h, l->log->tid, INT64_MIN)]->from >= l->from;
}

/* Returns the first program that a life's process began to run after a time: its home; or NULL. */
static const struct home *program_after(const struct homes *h, const struct thread_life *l,
					int64_t time)
{
	size_t i = lower_bound(
	    k, (size_t)0, h->nprograms,
	    h->programs[k]->space < l->space ||
		(h->programs[k]->space == l->space &&
		 (h->programs[k]->pid < l->number ||
		  (h->programs[k]->pid == l->number && h->programs[k]->start <= time))));

	return i < h->nprograms && h->programs[i]->space == l->space &&
		       h->programs[i]->pid == l->number
		   ? h->programs[i]
		   : NULL;
}

/* Returns the first program of a life that was executed within it; or NULL. */
static const struct home *program_within(const struct homes *h, const struct thread_life *l)
{
	const struct home *first = program_after(h, l, l->from);
	const struct home *before = is_first(h, l) ? program_after(h, l, INT64_MIN) : NULL;

	if (!first || before != first)
		return before ? first : NULL;
	return program_after(h, l, first->start);
}

/*
 * Without the kernel's records nobody saw when a thread executed a program: one log has what it did
 * in all of them. Divides its life where the programs began. Returns how many lives there are.
 */
static size_t lives_divide(const struct homes *h, struct thread_life *lives, size_t n)
{
	size_t given = n;

	for (size_t i = 0; i < given; i++) {
		struct thread_life *l = &lives[i];
		const struct home *next =
		    is_leader(l) && !l->executed ? program_within(h, l) : NULL;

		for (; next && next->start <= l->until; next = program_after(h, l, next->start)) {
			lives[n] = *l;
			l->end = next->start - EXECUTED_BEFORE;
			l->end = l->end > l->from ? l->end : l->from + 1;
			l->to = l->until = l->end - 1;
			lives[n].begin = lives[n].from = l->end;
			l = &lives[n++];
			l->forked = false;
		}
	}
	return n;
}

/* Whether the process of a life ran another program since that of a home when the life began. */
static bool is_over(const struct homes *h, const struct home *home, const struct thread_life *l)
{
	const struct home *next = program_after(h, l, home->start);

	return next && next->start <= l->from;
}

/* Gives each directory to the first thread that ran when its run began. */
static void directories_assign(struct homes *h)
{
	for (size_t i = 0; i < h->n; i++) {
		struct home *home = h->list[i];
		struct thread_life *l;

		FOR_NAMED(l, h, home->space, home->pid)
		if (is_leader(l) && !l->home && home->start <= l->until && !is_over(h, home, l) &&
		    (home->start >= l->from - SLACK || is_first(h, l))) {
			home->leader = l;
			l->home = home;
			break;
		}
	}
}

/* Returns the life of the thread after one that ended by executing a program, or NULL. */
static struct thread_life *life_after(const struct homes *h, const struct thread_life *l)
{
	size_t i = lives_from(h, l->log->tid, l->to);

	i += i < h->nlives && h->lives[i] == l;
	return i < h->nlives && h->lives[i]->log->tid == l->log->tid ? h->lives[i] : NULL;
}

/* Most children that are forked execute another program before they log anything. */
static void forked_join(const struct homes *h, struct thread_life *lives, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct thread_life *l = &lives[i], *next;

		if (l->home || !l->forked || !l->executed || !is_leader(l))
			continue;
		next = life_after(h, l);
		if (!next)
			continue;
		next->before = l;
		l->continued = true;
	}
}

/*
 * The home of a thread that is not the first one of its process: that with a log of its own, if
 * there is one (the last one, should the number be of several threads), or else that of the program
 * that its process ran when it began.
 */
static struct home *leaders_home(const struct homes *h, const struct thread_life *l)
{
	const struct thread_life *best = NULL, *logged = NULL, *leader;
	int64_t last = INT64_MIN;

	FOR_LIVES(leader, h, l->log->pid)
	{
		const struct log *own;

		if (!leader->home || !is_leader(leader))
			continue;
		if (!best || leader->from <= l->from)
			best = leader;
		own = home_log(h, leader->home, l);
		if (own && own->files[0].sample.monotonic > last) {
			last = own->files[0].sample.monotonic;
			logged = leader;
		}
	}
	if (logged)
		return logged->home;
	return best ? best->home : NULL;
}

/* ---- numbers of another namespace that could not be read ---- */

/* Returns whether a process may be the one that wrote a directory: by time and name. */
static bool may_be(const struct thread_life *l, const struct home *home)
{
	const char *name = l->log->name ? l->log->name : "";

	return is_leader(l) && !l->home && !l->space && home->start >= l->from - SLACK &&
	       home->start <= l->to + SLACK &&
	       strncmp(name, home->directory->process.program, strlen(name)) == 0;
}

/* Gives a directory of another namespace to the only process that may have written it. */
static void home_infer(struct home *home, struct thread_life *lives, size_t n)
{
	struct thread_life *found = NULL;

	for (size_t i = 0; i < n; i++)
		if (may_be(&lives[i], home)) {
			if (found)
				return;
			found = &lives[i];
		}
	if (!found)
		return;
	found->space = home->space;
	found->number = home->pid;
	found->home = home;
	home->leader = found;
}

static void homes_infer(struct homes *h, struct thread_life *lives, size_t n)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->list[i]->space && !h->list[i]->leader)
			home_infer(h->list[i], lives, n);
}

static bool is_unnumbered(const struct thread_life *l, const struct home *home)
{
	return l->home == home && !l->space && !l->continued;
}

static int by_begin(const void *a, const void *b)
{
	const struct thread_life *l = *(struct thread_life *const *)a,
				 *k = *(struct thread_life *const *)b;

	return order_of(l->from, k->from);
}

/*
 * Lists the threads of a home without a number, as they began; returns how many. The caller frees
 * *list.
 */
static size_t unnumbered_list(struct thread_life *lives, size_t n, const struct home *home,
			      struct thread_life ***list)
{
	size_t found = 0;

	*list = NULL;
	for (size_t i = 0; i < n; i++)
		if (is_unnumbered(&lives[i], home)) {
			*list = array_grow(*list, found, sizeof **list);
			(*list)[found++] = &lives[i];
		}
	if (found)
		qsort(*list, found, sizeof **list, by_begin);
	return found;
}

/* Lists the logs of a home that no thread with a number has, by number. The caller frees *list. */
static size_t unclaimed_list(const struct homes *h, const struct home *home,
			     const struct log ***list)
{
	const struct trace_process *p = home->process;
	size_t found = 0;

	*list = array_new(p->nthreads, sizeof **list);
	for (uint32_t i = 0; i < p->nthreads; i++) {
		const struct log *log = &h->trace->logs[p->first_thread + i];
		const struct thread_life *l;
		bool claimed = false;

		FOR_NAMED(l, h, home->space, log->tid)
		claimed |= l->home == home;
		if (!claimed && log->tid != home->pid)
			(*list)[found++] = log;
	}
	qsort(*list, found, sizeof **list, logs_compare);
	return found;
}

/*
 * Threads get their numbers in the order in which they begin. If as many logs as threads are left,
 * they belong together in that order, each if the log was opened while the thread lived.
 */
static void threads_infer(const struct homes *h, struct thread_life *lives, size_t n,
			  const struct home *home)
{
	struct thread_life **threads;
	size_t count = unnumbered_list(lives, n, home, &threads);
	const struct log **logs;

	if (count && unclaimed_list(h, home, &logs) == count)
		for (size_t i = 0; i < count; i++) {
			int64_t opened = logs[i]->files[0].sample.monotonic;

			if (opened < threads[i]->from - SLACK || opened > threads[i]->to + SLACK)
				continue;
			threads[i]->space = home->space;
			threads[i]->number = logs[i]->tid;
		}
	if (count)
		free(logs);
	free(threads);
}

/* ---- those that are missing ---- */

static bool file_copy(const char *from, const char *to)
{
	struct file f;
	bool good;

	if (!file_load(&f, from, false))
		return false;
	good = spec_write(to, f.bytes, f.size) || errno == EEXIST;
	if (!good)
		unlink(to);
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

		good = link(h->specs[i], to) == 0 || file_copy(h->specs[i], to);
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
static char *home_path(const struct homes *h, const struct thread_life *l)
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
		l->out = file_make_private(path);
		l->refused = !l->out;
		free(path);
	}
	if (l->out)
		l->write(l->home, rest, l->out);
}

/*
 * Copies the lines of a file of the recorder that are about a home, up to a time, to a new file of
 * it. Leaves it as it is if it has the file.
 */
static void lines_copy(struct recorder_lines *lines, const struct home *home, int64_t to,
		       const char *name, home_line_write *write)
{
	struct home_lines l = {home, name, write, NULL, false};

	recorder_lines_of(lines, home->leader ? home->leader->log->pid : home->pid, to,
			  home_line_take, &l);
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
		lines_copy(h->made, h->list[i],
			   h->list[i]->leader ? h->list[i]->leader->to : INT64_MAX, "made",
			   made_write);
}

static bool home_make(struct homes *h, struct thread_life *l)
{
	struct home *home = home_add(h, home_path(h, l), l->log->pid, l->from);

	home->leader = l;
	l->home = home;
	lines_copy(h->modules, home, l->to, "modules", module_write);
	return process_file_make(h, home, l->log->name ? l->log->name : "") &&
	       home_specs_copy(h, home);
}

static void lives_prepare(struct homes *h, struct thread_life *lives, size_t *n)
{
	lives_sort(h, lives, *n);
	lives_number(h);
	programs_sort(h);
	*n = lives_divide(h, lives, *n);
	free(h->lives);
	lives_sort(h, lives, *n);
	named_sort(h);
	logs_sort(h);
}

bool homes_assign(struct homes *h, struct thread_life *lives, size_t *nlives)
{
	size_t n;

	lives_prepare(h, lives, nlives);
	n = *nlives;
	directories_assign(h);
	homes_infer(h, lives, n);
	forked_join(h, lives, n);
	for (int leaders = 1; leaders >= 0; leaders--)
		for (size_t i = 0; i < n; i++) {
			struct thread_life *l = &lives[i];

			if (l->home || l->continued || (leaders && !is_leader(l)))
				continue;
			if (!leaders)
				l->home = leaders_home(h, l);
			if (!l->home && !home_make(h, l))
				return false;
		}
	for (size_t i = 0; i < h->n; i++)
		if (h->list[i]->space)
			threads_infer(h, lives, n, h->list[i]);
	made_copy(h);
	return true;
}

/* ---- programs in which the probes' libraries logged nothing ---- */

/* Returns the recorder's number of a home's process. */
static uint32_t home_pid(const struct home *home)
{
	return home->leader ? home->leader->log->pid : home->pid;
}

/* Returns whether the recorder lists the process as one that could not be recorded. */
static bool is_listed(const struct homes *h, uint32_t pid)
{
	for (size_t i = 0; i < h->trace->trace.nmissing; i++)
		if (h->trace->trace.missing[i].pid == pid)
			return true;
	return false;
}

/* Returns whether a directory of another namespace has no thread that is known to be its own. */
static bool has_unassigned(const struct homes *h)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->list[i]->space && !h->list[i]->leader)
			return true;
	return false;
}

/* Returns whether the process of a home has another one for the program that it executed. */
static bool is_followed(const struct homes *h, const struct home *home)
{
	const struct thread_life key = {.space = home->space, .number = home->pid}, *l;

	if (program_after(h, &key, home->start))
		return true;
	FOR_LIVES(l, h, home_pid(home))
	if (l->home && l->home != home && l->home->start >= home->start)
		return true;
	return false;
}

/*
 * Returns whether the process of a life wrote a directory that no life has: the kernel ends its
 * records where a program gets other rights.
 */
static bool has_directory(const struct homes *h, const struct thread_life *l)
{
	const struct home *next = program_after(h, l, l->from - SLACK);

	while (next && next->leader)
		next = program_after(h, l, next->start);
	return next;
}

static bool is_unprobed(const struct homes *h, const struct home *home, bool unassigned)
{
	const struct thread_life *l = home->leader;

	if (is_listed(h, home_pid(home)))
		return false;
	if (home->directory)
		return home->process->state == PROCESS_EXECUTED && !is_followed(h, home);
	/* Many children end at once, as they find no program to execute. */
	return (l->before || !l->forked || l->to - l->from >= CHILD_LEAST) &&
	       (l->space || !unassigned) && !has_directory(h, l);
}

size_t homes_unprobed(const struct homes *h, struct unprobed **list)
{
	bool unassigned = has_unassigned(h);
	size_t n = 0;

	*list = array_new(h->n + 1, sizeof **list);
	for (size_t i = 0; i < h->n; i++) {
		const struct home *home = h->list[i];
		struct unprobed *u = &(*list)[n];

		if (!is_unprobed(h, home, unassigned))
			continue;
		*u = (struct unprobed){.pid = home_pid(home), .homed = !home->directory};
		if (u->homed && home->leader->log->name)
			strncpy(u->program, home->leader->log->name, sizeof u->program - 1);
		n++;
	}
	return n;
}

uint32_t home_number(const struct thread_life *l)
{
	return l->space && l->space == l->home->space ? l->number : l->log->tid;
}

uint32_t homes_number(const struct homes *h, uint32_t tid, int64_t time)
{
	const struct thread_life *l, *last = NULL;

	FOR_LIVES(l, h, tid)
	if (l->from <= time + SLACK)
		last = l;
	return last && last->home ? home_number(last) : tid;
}

/* Returns the life of the thread before one, which had the same number; or NULL. */
static const struct thread_life *life_before(const struct homes *h, const struct thread_life *l)
{
	size_t i = lives_from(h, l->log->tid, l->from);

	return i && h->lives[i - 1]->log->tid == l->log->tid ? h->lives[i - 1] : NULL;
}

/*
 * Returns since when a life's log may have been opened. If nobody saw its begin, the thread may
 * have logged before; but what was opened up to the log of a thread with the same number before it
 * is not its own.
 */
static int64_t opened_since(const struct homes *h, const struct home *home,
			    const struct thread_life *life)
{
	const struct thread_life *before;
	const struct log *taken = NULL;

	if (is_leader(life))
		return INT64_MIN;
	if (!life->met)
		return life->from - SLACK;
	before = life_before(h, life);
	if (before && !is_leader(before) && (!before->home || before->home == home))
		taken = home_log(h, home, before);
	return taken ? taken->files[0].sample.monotonic + 1 : INT64_MIN;
}

const struct log *home_log(const struct homes *h, const struct home *home,
			   const struct thread_life *life)
{
	const struct trace_process *p = home->process;
	const struct log *found = NULL, *log;
	uint32_t tid = life->space && life->space == home->space ? life->number : life->log->tid;
	int64_t since;

	if (home->space != (home->process ? life->space : 0))
		return NULL; /* the thread was gone before its number there could be read */
	since = opened_since(h, home, life);
	for (size_t i = logs_of(h, tid); p && i < h->nlogs && (log = h->logs[i])->tid == tid; i++) {
		int64_t opened = log->files[0].sample.monotonic;
		size_t place = (size_t)(log - h->trace->logs) - p->first_thread;

		if (place < p->nthreads && opened - SLACK <= life->until && opened >= since &&
		    (!found || opened < found->files[0].sample.monotonic))
			found = log;
	}
	return found;
}
