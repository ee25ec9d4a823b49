/*
 * Directories of uftrace record, by the text of `uftrace dump`: it has, other than what uftrace
 * writes for Chrome, every switch and its processor. Functions are slices; the kernel's events of
 * the scheduler are states.
 */
#include "base/array.h"
#include "base/file.h"
#include "base/file_open.h"
#include "base/hash.h"
#include "formats/import.h"
#include "formats/logs_slices.h"
#include "formats/logs_switches.h"
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>

#define SECOND INT64_C(1000000000)

enum uftrace_switch { UFTRACE_IN, UFTRACE_OUT, UFTRACE_PREEMPTED, UFTRACE_NEW, UFTRACE_EXIT };

/* An event of the kernel's: the file of each processor has its own, in order of time. */
struct uftrace_event {
	int64_t time;
	uint32_t tid, processor;
	enum uftrace_switch what;
};

struct uftrace_program {
	uint32_t pid;
	char *name;
};

struct uftrace {
	struct import_input *in;
	struct logs *logs;
	struct slices slices;
	struct hash_table pid_of;
	VECTOR(struct uftrace_program) programs;
	VECTOR(struct uftrace_event) events;
	uint32_t processor;       /* of the file that is read */
	struct slice_event entry; /* arguments of which may still come */
	char *name, *arguments;
	uint64_t returned, unread;
};

/* A line of dump: TIME TID: [KIND] NAME(ADDRESS) ... */
struct uftrace_line {
	int64_t time;
	uint32_t tid;
	char kind[8];
	const char *name;
	size_t nname;
};

static bool uftrace_recognise(const struct import_input *in)
{
	char *path = text_format("%s/info", in->path), head[8] = "";
	FILE *info = in->directory ? fopen(path, "re") : NULL;
	bool is = info && fread(head, 1, sizeof head, info) == sizeof head &&
		  memcmp(head, "Ftrace!", 8) == 0;

	if (info)
		fclose(info);
	free(path);
	return is;
}

static bool uftrace_command(struct import_input *in, const char **argv)
{
	static const char *const dump[] = {"uftrace", "dump", "--no-pager", "-d"};
	size_t n = sizeof dump / sizeof *dump;

	memcpy(argv, dump, sizeof dump);
	argv[n] = in->path;
	argv[n + 1] = NULL;
	return true;
}

/* ---- task.txt: which processes and threads there are ---- */

static const char *program_of(const struct uftrace *u, uint32_t pid)
{
	for (size_t i = u->programs.n; i--;)
		if (u->programs.at[i].pid == pid)
			return u->programs.at[i].name;
	return NULL;
}

static void program_set(struct uftrace *u, uint32_t pid, const char *name)
{
	*vector_add(&u->programs) = (struct uftrace_program){pid, text_format("%s", name)};
	logs_process(u->logs, pid, name);
	logs_process_name(logs_process(u->logs, pid, name), name);
}

/* Returns the number behind a key in a line, or 0. */
static uint32_t number_of(const char *line, const char *key)
{
	const char *at = strstr(line, key);

	return at ? (uint32_t)strtoul(at + strlen(key), NULL, 10) : 0;
}

static void session_take(struct uftrace *u, char *line)
{
	char *path = strstr(line, "exename=\""), *end, *last;

	if (!path)
		return;
	path += strlen("exename=\"");
	end = strrchr(path, '"');
	if (end)
		*end = '\0';
	last = strrchr(path, '/');
	program_set(u, number_of(line, " pid="), last ? last + 1 : path);
}

static void task_take(struct uftrace *u, char *line)
{
	uint32_t pid = number_of(line, " pid="), tid = number_of(line, " tid=");
	struct hash_slot *slot;

	if (strncmp(line, "SESS ", 5) == 0)
		session_take(u, line);
	if (strncmp(line, "FORK ", 5) == 0 && program_of(u, number_of(line, " ppid=")))
		program_set(u, pid, program_of(u, number_of(line, " ppid=")));
	if (strncmp(line, "TASK ", 5) != 0)
		return;
	slot = hash_table_slot(&u->pid_of, hash_mix(tid), tid);
	slot->head = pid;
	slot->tail = 0;
}

static bool tasks_read(struct uftrace *u)
{
	char *path = text_format("%s/task.txt", u->in->path), *line = NULL;
	FILE *tasks = fopen(path, "re");
	size_t room = 0;

	free(path);
	if (!tasks)
		return import_fail(u->in, "task.txt cannot be read");
	while (getline(&line, &room, tasks) > 0)
		task_take(u, line);
	free(line);
	fclose(tasks);
	return true;
}

/* ---- files that end early ---- */

/* Records of threads have 16 bytes, and their arguments multiples of 8. */
static bool thread_is_cut(const char *name, size_t size)
{
	enum { WORD = 8 };

	return name[strspn(name, "0123456789")] == '.' && size % WORD != 0;
}

/* Records of the kernel's perf events say their size. */
static bool processor_is_cut(const char *name, const unsigned char *bytes, size_t size)
{
	enum { HEAD = 8, SIZE = 6 }; /* struct perf_event_header */
	size_t at = 0;

	if (strncmp(name, "perf-cpu", 8) != 0)
		return false;
	while (at < size && size - at >= HEAD && (bytes[at + SIZE] || bytes[at + SIZE + 1]))
		at += bytes[at + SIZE] | (size_t)bytes[at + SIZE + 1] << 8;
	return at != size;
}

static bool file_is_whole(struct uftrace *u, const char *name)
{
	char *path = text_format("%s/%s", u->in->path, name);
	struct file f;
	bool good = true;

	if (file_take(&f, file_open_given(path), false)) {
		if (thread_is_cut(name, f.size) || processor_is_cut(name, f.bytes, f.size))
			good = import_fail(
			    u->in, "%s is truncated: it ends within a record, after %zu bytes",
			    name, (size_t)f.size);
		file_unload(&f);
	}
	free(path);
	return good;
}

static int is_data(const struct dirent *e)
{
	size_t length = strlen(e->d_name);

	return length > 4 && strcmp(e->d_name + length - 4, ".dat") == 0;
}

/* uftrace passes over what a file that was cut lacks. */
static bool files_are_whole(struct uftrace *u)
{
	struct dirent **entries = NULL;
	int n = scandir(u->in->path, &entries, is_data, alphasort);
	bool good = n >= 0 || import_fail(u->in, "the directory cannot be read");

	for (int i = 0; i < n; i++) {
		good = good && file_is_whole(u, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return good;
}

static uint32_t process_of(const struct uftrace *u, uint32_t tid)
{
	const struct hash_slot *slot = hash_table_find(&u->pid_of, hash_mix(tid), tid);

	return slot ? slot->head : tid;
}

/* ---- lines ---- */

static bool time_read(const char **at, int64_t *time)
{
	char *end;
	unsigned long long whole = strtoull(*at, &end, 10), part;
	const char *digits = end + 1;

	if (end == *at || *end != '.' || whole > INT64_MAX / SECOND / 2)
		return false;
	part = strtoull(digits, &end, 10);
	if (end != digits + 9 || *end != ' ')
		return false;
	*time = (int64_t)(whole * SECOND + part);
	*at = end;
	return true;
}

/* The name ends at the address in brackets, as names may have brackets, too. */
static bool name_read(const char *at, struct uftrace_line *l)
{
	const char *end = strstr(at, ") depth: ");

	l->name = at;
	l->nname = 0;
	if (!end)
		end = strrchr(at, ')');
	if (!end)
		return false;
	while (end > at && *end != '(')
		end--;
	l->nname = (size_t)(end - at);
	return end > at;
}

static bool line_read(const char *text, struct uftrace_line *l)
{
	const char *at = text + strspn(text, " ");
	char *end;

	if (!time_read(&at, &l->time))
		return false;
	l->tid = (uint32_t)strtoul(at, &end, 10);
	if (strncmp(end, ": [", 3) != 0 || !memchr(end + 3, ']', strnlen(end + 3, 7)))
		return false;
	snprintf(l->kind, sizeof l->kind, "%.*s", (int)strcspn(end + 3, " ]"), end + 3);
	at = strchr(end + 3, ']') + 1;
	at += strspn(at, ": ");
	return name_read(at, l) || strcmp(l->kind, "args") == 0 || strcmp(l->kind, "retval") == 0 ||
	       strcmp(l->kind, "lost") == 0;
}

/* Logs the entry whose arguments are complete now. */
static bool entry_end(struct uftrace *u)
{
	bool good = true;

	if (!u->name)
		return true;
	u->entry.name = u->name;
	if (u->arguments)
		u->entry.arguments[u->entry.narguments++] = (struct logs_argument){
		    "arguments", logs_bytes(u->arguments, strlen(u->arguments))};
	good = slices_open(&u->slices, &u->entry, INT64_MAX);
	free(u->name);
	free(u->arguments);
	u->name = u->arguments = NULL;
	return good;
}

/* "  args[0] d64: 0x0000000000000001" */
static void argument_take(struct uftrace *u, const char *line)
{
	const char *value = strstr(line, ": ");
	char *before = u->arguments;

	if (!u->name || !value)
		return;
	value += 2;
	/* numbers are printed in full length */
	if (strncmp(value, "0x", 2) == 0) {
		const char *digits = value + 2 + strspn(value + 2, "0");

		u->arguments = text_format("%s%s0x%s", before ? before : "", before ? ", " : "",
					   *digits ? digits : "0");
	} else {
		u->arguments =
		    text_format("%s%s%s", before ? before : "", before ? ", " : "", value);
	}
	free(before);
}

static void event_take(struct uftrace *u, const struct uftrace_line *l)
{
	static const struct {
		const char *name;
		enum uftrace_switch what;
	} known[] = {
	    {"linux:sched-in", UFTRACE_IN},
	    {"linux:sched-out", UFTRACE_OUT},
	    {"linux:sched-out (pre-empted)", UFTRACE_PREEMPTED},
	    {"linux:task-new", UFTRACE_NEW},
	    {"linux:task-exit", UFTRACE_EXIT},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strlen(known[i].name) == l->nname &&
		    memcmp(known[i].name, l->name, l->nname) == 0) {
			*vector_add(&u->events) =
			    (struct uftrace_event){l->time, l->tid, u->processor, known[i].what};
			return;
		}
	u->unread += strncmp(l->name, "linux:task-name", 15) != 0;
}

static bool line_take(struct uftrace *u, const struct uftrace_line *l)
{
	struct slice_thread *t;

	if (strcmp(l->kind, "args") == 0)
		return true;
	if (!entry_end(u))
		return false;
	if (strcmp(l->kind, "event") == 0) {
		event_take(u, l);
		return true;
	}
	if (strcmp(l->kind, "retval") == 0) {
		u->returned++;
		return true;
	}
	t = slices_thread(&u->slices, process_of(u, l->tid), l->tid);
	if (strcmp(l->kind, "entry") == 0) {
		u->name = text_format("%.*s", (int)l->nname, l->name);
		u->entry.thread = t;
		u->entry.time = l->time;
		u->entry.narguments = 0;
	} else if (strcmp(l->kind, "exit") == 0) {
		slices_close(&u->slices, t, l->time, NULL);
	} else if (strcmp(l->kind, "lost") == 0) {
		logs_lost(t->thread,
			  strtoull(l->name, NULL, 10) + !isdigit((unsigned char)*l->name));
	} else {
		u->unread++;
	}
	return true;
}

static bool text_take(struct uftrace *u, const char *text)
{
	struct uftrace_line l;

	if (strncmp(text, "reading ", 8) == 0) {
		const char *number = strstr(text, "-cpu");

		u->processor =
		    number ? (uint32_t)strtoul(number + 4, NULL, 10) : SWITCH_ANY_PROCESSOR;
		return entry_end(u);
	}
	if (line_read(text, &l))
		return line_take(u, &l);
	if (strncmp(text, "  args[", 7) == 0)
		argument_take(u, text);
	else if (isdigit((unsigned char)*text))
		return import_fail(u->in, "no line of uftrace dump: %.60s", text);
	return true;
}

/* ---- states ---- */

static int by_time(const void *a, const void *b)
{
	const struct uftrace_event *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	/* who leaves a processor does so before another one comes */
	return (x->what == UFTRACE_IN) - (y->what == UFTRACE_IN);
}

static void switch_take(struct logs_switches *s, const struct uftrace_event *e)
{
	switch (e->what) {
	case UFTRACE_IN:
		switches_switch(s, e->time, e->processor, 0, SWITCH_BLOCKS, e->tid);
		break;
	case UFTRACE_OUT:
		switches_switch(s, e->time, e->processor, e->tid, SWITCH_BLOCKS, 0);
		break;
	case UFTRACE_PREEMPTED:
		switches_switch(s, e->time, e->processor, e->tid, SWITCH_PREEMPTED, 0);
		break;
	case UFTRACE_NEW:
		switches_fork(s, e->time, 0, e->tid);
		break;
	case UFTRACE_EXIT:
		switches_exit(s, e->time, e->tid);
	}
}

static void states_log(struct uftrace *u)
{
	struct logs_switches s;

	if (!u->events.n)
		return;
	qsort(u->events.at, u->events.n, sizeof *u->events.at, by_time);
	switches_begin(&s, u->logs, 0);
	for (size_t i = 0; i < u->events.n; i++) {
		const struct uftrace_event *e = &u->events.at[i];

		switches_thread(&s, e->tid, process_of(u, e->tid), NULL);
		switch_take(&s, e);
	}
	switches_end(&s);
}

static void uftrace_free(struct uftrace *u)
{
	for (size_t i = 0; i < u->programs.n; i++)
		free(u->programs.at[i].name);
	free(u->programs.at);
	free(u->events.at);
	free(u->name);
	free(u->arguments);
	hash_table_free(&u->pid_of);
}

static bool uftrace_read(struct import_input *in, struct logs *l)
{
	struct uftrace u = {.in = in, .logs = l, .processor = SWITCH_ANY_PROCESSOR};
	bool good = files_are_whole(&u) && tasks_read(&u), bad = false;
	char *line;

	slices_begin(&u.slices, l);
	while (good && import_line(in, &line, &bad) >= 0)
		good = text_take(&u, line);
	good = good && !bad && entry_end(&u);
	if (good) {
		states_log(&u);
		import_passed_over(in, u.returned, "return values were left out");
		import_passed_over(in, u.unread, "events that are not read were left out");
	}
	slices_end(&u.slices, in, good);
	uftrace_free(&u);
	return good;
}

const struct import_format import_uftrace = {
    .name = "uftrace",
    .summary = "the directory of uftrace record",
    .recognise = uftrace_recognise,
    .command = uftrace_command,
    .read = uftrace_read,
};
