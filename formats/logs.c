#include "formats/logs.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "formats/specs.h"
#include "grammar/keyword.h"
#include "grammar/parser.h"
#include "spec/names.h"
#include "trace/format/record.h"
#include "trace/write/log_write.h"
#include "trace/write/process_write.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	SPECS_MOST = 8,
	HEAD_ROOM = 2048,  /* of each log, for its header and the notes that say what its ids are */
	MADE_FIRST = 2048, /* the first id of events of the specification that is made */
	MADE_MOST = RECORD_IDS - MADE_FIRST,
	BUFFER = 32768 /* of a thread; one that logs more gets a larger one */
};

struct logs_event {
	const struct event_type *type;
	struct spec
	    *alone; /* a specification of this event alone; NULL: it is of one that was added */
	uint32_t id;
};

struct added_spec {
	struct spec *spec;
	struct logs_event *events;
	uint32_t base;
};

struct logs_thread {
	struct logs_process *process;
	uint64_t tid;
	uint32_t number;
	char *name, *later; /* in the header; from a note at the end, or NULL */
	unsigned char *buffer;
	size_t used, room;
	uint64_t upper; /* of the time of the last event; UINT64_MAX: none yet */
	int64_t first;
	bool begun; /* there is a file */
	bool kept;  /* there is one even without events */
};

/* A name that an address has from a time on. */
struct address_name {
	uint64_t address;
	int64_t time;
	char *name;
	bool ended; /* the object that had it */
};

struct logs_process {
	struct logs *logs;
	uint32_t pid;
	char *name, *path;
	char *
	    directory; /* its name is to be this; NULL: one that is made; "": it is that of the logs */
	VECTOR(struct logs_thread *) threads;
	struct hash_table by_tid;
	char *numbered;      /* by number: whether a thread has it */
	VECTOR(char *) code; /* names of code, by its address */
	struct hash_table by_code;
	VECTOR(struct address_name) names;
	struct hash_table by_address; /* head: the last name of an address */
	size_t nnumbered;
};

struct logs {
	char *directory, *name;
	struct diag *diag;
	struct added_spec added[SPECS_MOST];
	unsigned nadded;
	uint32_t next_id;
	VECTOR(struct logs_event *) made;
	FILE *text; /* of the specification that is made: its events, then its intervals */
	char *events_text, *intervals_text;
	size_t events_size, intervals_size;
	FILE *intervals;
	VECTOR(char *) names; /* of events that are taken */
	VECTOR(struct logs_process *) processes;
	struct hash_table by_pid;
	int64_t first, last; /* of all events */
	int64_t ahead;       /* real time less the time of events */
	bool dated;
	uint64_t events, misfits, cut, negative;
	int error; /* of the first write that failed */
};

/* ---- names ---- */

/* Returns an identifier that looks like a text. The caller frees it. */
static char *identifier(const char *text, const char *otherwise)
{
	char *name = array_new(strlen(text) + strlen(otherwise) + 2, 1), *to = name;

	if (isdigit((unsigned char)*text))
		*to++ = '_';
	for (; *text && to - name < 200; text++)
		if (isalnum((unsigned char)*text))
			*to++ = *text;
		else if (to > name && to[-1] != '_')
			*to++ = '_';
	while (to > name && to[-1] == '_')
		to--;
	*to = '\0';
	if (!*name)
		strcpy(name, otherwise);
	return name;
}

static bool is_reserved(const char *name)
{
	return keyword_token(name) != TOKEN_NAME || is_intrinsic(name) ||
	       strcmp(name, "process") == 0;
}

/* Returns a name that is no keyword and that none of the list has. The caller frees it. */
static char *unique_name(char *name, char *const *list, size_t n)
{
	char *tried = name;

	for (unsigned i = 2;; i++) {
		bool taken = is_reserved(tried);

		for (size_t k = 0; k < n && !taken; k++)
			taken = strcmp(list[k], tried) == 0;
		if (!taken)
			break;
		if (tried != name)
			free(tried);
		tried = text_format("%s_%u", name, i);
	}
	if (tried != name)
		free(name);
	return tried;
}

char *logs_quoted(const char *text, size_t length)
{
	static const char no_character[] = "\xef\xbf\xbd"; /* U+FFFD */
	char *quoted = array_new(3 * length + 3, 1), *to = quoted;

	*to++ = '"';
	for (size_t i = 0, n; i < length; i += n) {
		unsigned char c = (unsigned char)text[i];
		size_t known = utf8_length(text + i, length - i);

		n = known ? known : 1;
		if (c == '"' || c == '\\')
			*to++ = '\\';
		if (!known || c < ' ' || c == 127)
			to = stpcpy(to, no_character);
		else
			to = mempcpy(to, text + i, n);
	}
	*to++ = '"';
	*to = '\0';
	return quoted;
}

/* ---- begin ---- */

struct logs *logs_begin(const char *directory, const char *name, struct diag *diag)
{
	struct logs *l = array_zero(1, sizeof *l);

	l->directory = text_format("%s", directory);
	l->name = unique_name(identifier(name, "imported"), NULL, 0);
	l->diag = diag;
	l->next_id = RECORD_FIRST_EVENT;
	l->first = INT64_MAX;
	l->last = INT64_MIN;
	l->text = open_memstream(&l->events_text, &l->events_size);
	l->intervals = open_memstream(&l->intervals_text, &l->intervals_size);
	if (!l->text || !l->intervals)
		array_exhausted();
	return l;
}

static void thread_free(struct logs_thread *t)
{
	free(t->name);
	free(t->later);
	free(t->buffer);
	free(t);
}

static void process_free(struct logs_process *p)
{
	for (size_t i = 0; i < p->threads.n; i++)
		thread_free(p->threads.at[i]);
	free(p->threads.at);
	free(p->name);
	free(p->path);
	free(p->directory);
	free(p->numbered);
	hash_table_free(&p->by_tid);
	for (size_t i = 0; i < p->code.n; i++)
		free(p->code.at[i]);
	free(p->code.at);
	hash_table_free(&p->by_code);
	for (size_t i = 0; i < p->names.n; i++)
		free(p->names.at[i].name);
	free(p->names.at);
	hash_table_free(&p->by_address);
	free(p);
}

void logs_discard(struct logs *l)
{
	for (size_t i = 0; i < l->processes.n; i++)
		process_free(l->processes.at[i]);
	for (size_t i = 0; i < l->made.n; i++) {
		spec_free(l->made.at[i]->alone);
		free(l->made.at[i]);
	}
	for (unsigned i = 0; i < l->nadded; i++) {
		spec_free(l->added[i].spec);
		free(l->added[i].events);
	}
	for (size_t i = 0; i < l->names.n; i++)
		free(l->names.at[i]);
	if (l->text)
		fclose(l->text);
	if (l->intervals)
		fclose(l->intervals);
	free(l->events_text);
	free(l->intervals_text);
	free(l->names.at);
	free(l->made.at);
	free(l->processes.at);
	hash_table_free(&l->by_pid);
	free(l->directory);
	free(l->name);
	free(l);
}

void logs_realtime(struct logs *l, int64_t time, int64_t realtime)
{
	l->ahead = realtime - time;
	l->dated = true;
}

/* ---- event types ---- */

static bool spec_add(struct logs *l, struct spec *spec)
{
	struct added_spec *a = &l->added[l->nadded];

	if (l->nadded == SPECS_MOST || l->next_id + spec->nevents > MADE_FIRST) {
		diag_error(l->diag, DIAG_NOWHERE, "%s: the specification has too many events",
			   spec->name);
		spec_free(spec);
		return false;
	}
	l->nadded++;
	*a = (struct added_spec){spec, array_zero(spec->nevents, sizeof *a->events), l->next_id};
	for (unsigned i = 0; i < spec->nevents; i++) {
		a->events[i] = (struct logs_event){spec->events[i], NULL, l->next_id++};
		*vector_add(&l->names) = text_format("%s", spec->events[i]->name);
	}
	return true;
}

bool logs_spec(struct logs *l, const char *text)
{
	static const char name[] = "the specification in the trace";
	struct diag quiet = {.out = NULL};
	struct spec *spec = spec_parse(name, text, &quiet);

	/* Warnings were for who wrote it; errors are for who reads it. */
	if (!spec)
		spec = spec_parse(name, text, l->diag);
	return spec && spec_add(l, spec);
}

void logs_spec_ready(struct logs *l, const char *name)
{
	struct diag quiet = {.out = NULL};

	for (unsigned i = 0; i < l->nadded; i++)
		if (strcmp(l->added[i].spec->name, name) == 0)
			return;
	spec_add(l, spec_parse(name, strcmp(name, "samples") == 0 ? SAMPLES_SPEC : SCHEDULER_SPEC,
			       &quiet));
}

const struct logs_event *logs_event(const struct logs *l, const char *name)
{
	for (unsigned i = 0; i < l->nadded; i++) {
		const struct spec *s = l->added[i].spec;

		for (unsigned k = 0; k < s->nevents; k++)
			if (strcmp(s->events[k]->name, name) == 0)
				return &l->added[i].events[k];
	}
	return NULL;
}

const struct event_type *logs_event_type(const struct logs_event *e)
{
	return e->type;
}

const char *logs_event_name(const struct logs_event *e)
{
	return e->type->name;
}

static void fields_print(FILE *out, const struct logs_field *fields, unsigned n)
{
	VECTOR(char *) names = {0};

	for (unsigned i = 0; i < n; i++) {
		char *name = unique_name(identifier(fields[i].name, "value"), names.at, names.n);

		fprintf(out, "%s%s %s", i ? ", " : "(", type_name(fields[i].type), name);
		*vector_add(&names) = name;
	}
	if (n)
		putc(')', out);
	for (size_t i = 0; i < names.n; i++)
		free(names.at[i]);
	free(names.at);
}

/* Returns the text of an event. The caller frees it. */
static char *event_text(const char *name, const char *label, const struct logs_field *fields,
			unsigned nfields, const char *style)
{
	char *quoted = logs_quoted(label, strlen(label)), *text = NULL;
	bool labelled = strcmp(label, name) != 0;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		array_exhausted();
	fprintf(out, "event %s", name);
	fields_print(out, fields, nfields);
	if (labelled || style)
		fprintf(out, " = (%s%s%s%s)", labelled ? "label " : "", labelled ? quoted : "",
			labelled && style ? ", " : "", style ? style : "");
	fputs(";\n", out);
	fclose(out);
	free(quoted);
	return text;
}

const struct logs_event *logs_event_make(struct logs *l, const char *name,
					 const struct logs_field *fields, unsigned nfields,
					 const char *style)
{
	char *word = unique_name(identifier(name, "event"), l->names.at, l->names.n);
	struct diag quiet = {.out = NULL};
	struct logs_event *e;
	char *text, *whole;
	struct spec *alone;

	if (l->made.n == MADE_MOST) {
		diag_error(l->diag, DIAG_NOWHERE, "there are more than %d types of events",
			   MADE_MOST);
		free(word);
		return NULL;
	}
	*vector_add(&l->names) = word;
	text = event_text(word, name, fields, nfields, style);
	whole = text_format("glimpse alone\n%send alone.\n", text);
	alone = spec_parse(word, whole, &quiet);
	free(whole);
	if (!alone) {
		diag_error(l->diag, DIAG_NOWHERE, "'%s' cannot be an event", name);
		free(text);
		return NULL;
	}
	fputs(text, l->text);
	free(text);
	e = array_zero(1, sizeof *e);
	*e = (struct logs_event){alone->events[0], alone, MADE_FIRST + (uint32_t)l->made.n};
	*vector_add(&l->made) = e;
	return e;
}

const char *logs_interval_name(struct logs *l, const char *name)
{
	char *word = unique_name(identifier(name, "interval"), l->names.at, l->names.n);

	*vector_add(&l->names) = word;
	return word;
}

void logs_text(struct logs *l, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vfprintf(l->intervals, format, arguments);
	va_end(arguments);
}

/* ---- processes and threads ---- */

static void failed(struct logs *l)
{
	if (!l->error)
		l->error = errno;
}

static void *found(const struct hash_table *t, uint64_t key, void *at)
{
	const struct hash_slot *slot = hash_table_find(t, hash_mix(key), key);

	return slot ? ((void **)at)[slot->head] : NULL;
}

static void note(struct hash_table *t, uint64_t key, size_t index)
{
	struct hash_slot *slot = hash_table_slot(t, hash_mix(key), key);

	slot->head = (uint32_t)index;
	slot->tail = 0;
}

static uint64_t text_hash(const char *text)
{
	uint64_t hash = 0;

	for (; *text; text++)
		hash = hash_mix(hash ^ (unsigned char)*text);
	return hash;
}

/* Makes a process, in a directory that has a name of its own until the end. */
static struct logs_process *process_new(struct logs *l, uint64_t key, uint32_t pid,
					const char *directory)
{
	struct logs_process *p = array_zero(1, sizeof *p);

	p->logs = l;
	p->pid = pid;
	p->directory = directory ? text_format("%s", directory) : NULL;
	p->path = directory && !*directory
		      ? text_format("%s", l->directory)
		      : text_format("%s/.process.%zu", l->directory, l->processes.n);
	if (mkdir(p->path, 0700) != 0 && !(directory && !*directory && errno == EEXIST))
		failed(l);
	note(&l->by_pid, key, l->processes.n);
	*vector_add(&l->processes) = p;
	return p;
}

struct logs_process *logs_process(struct logs *l, uint32_t pid, const char *name)
{
	struct logs_process *p = found(&l->by_pid, pid, l->processes.at);

	if (!p)
		p = process_new(l, pid, pid, NULL);
	if (name)
		logs_process_name(p, name);
	return p;
}

/* Keys of what has no number: its name, above all numbers. */
static uint64_t name_key(const char *name)
{
	return text_hash(name) | 3ull << 62;
}

struct logs_process *logs_process_named(struct logs *l, const char *name)
{
	uint64_t key = name_key(name);
	struct logs_process *p = found(&l->by_pid, key, l->processes.at);

	if (!p) {
		p = process_new(l, key, (uint32_t)l->processes.n + 1, NULL);
		logs_process_name(p, name);
	}
	return p;
}

/* Returns whether a name can be that of a process' directory. */
static bool directory_is_plain(const struct logs *l, const char *directory)
{
	if (strchr(directory, '/') || *directory == '.' || strlen(directory) > 255)
		return false;
	for (size_t i = 0; i < l->processes.n; i++)
		if (l->processes.at[i]->directory &&
		    strcmp(l->processes.at[i]->directory, directory) == 0)
			return false;
	return true;
}

struct logs_process *logs_process_restore(struct logs *l, uint32_t pid, const char *name,
					  const char *directory)
{
	bool plain = directory_is_plain(l, directory);
	struct logs_process *p = process_new(l, pid, pid, plain ? directory : NULL);

	logs_process_name(p, name);
	return p;
}

void logs_process_name(struct logs_process *p, const char *name)
{
	free(p->name);
	p->name = text_format("%s", name);
}

void logs_process_number(struct logs_process *p, uint32_t pid)
{
	p->pid = pid;
}

static bool number_is_free(const struct logs_process *p, uint32_t number)
{
	return number >= p->nnumbered || !p->numbered[number];
}

static void number_take(struct logs_process *p, struct logs_thread *t, uint32_t number)
{
	if (number >= p->nnumbered) {
		size_t n = number + 64;

		p->numbered = array_resize(p->numbered, n, 1);
		memset(p->numbered + p->nnumbered, 0, n - p->nnumbered);
		p->nnumbered = n;
	}
	p->numbered[number] = 1;
	t->number = number;
}

static uint32_t number_next(const struct logs_process *p)
{
	uint32_t number = (uint32_t)p->threads.n;

	while (!number_is_free(p, number))
		number++;
	return number;
}

static struct logs_thread *thread_new(struct logs_process *p, uint64_t key, uint64_t tid)
{
	struct logs_thread *t = array_zero(1, sizeof *t);

	t->process = p;
	t->tid = tid;
	t->upper = UINT64_MAX;
	number_take(p, t, number_next(p));
	note(&p->by_tid, key, p->threads.n);
	*vector_add(&p->threads) = t;
	return t;
}

struct logs_thread *logs_thread(struct logs_process *p, uint64_t tid)
{
	struct logs_thread *t = found(&p->by_tid, tid, p->threads.at);

	return t ? t : thread_new(p, tid, tid);
}

struct logs_thread *logs_thread_named(struct logs_process *p, const char *name)
{
	uint64_t key = name_key(name);
	struct logs_thread *t = found(&p->by_tid, key, p->threads.at);

	if (!t) {
		t = thread_new(p, key, 0);
		logs_thread_name(t, name);
	}
	return t;
}

struct logs_thread *logs_thread_restore(struct logs_process *p, uint64_t tid, uint32_t number,
					const char *name, const char *later)
{
	struct logs_thread *t = thread_new(p, tid, tid);

	logs_thread_number(t, number);
	logs_thread_name(t, name);
	t->later = later ? text_format("%s", later) : NULL;
	t->kept = true;
	return t;
}

void logs_thread_name(struct logs_thread *t, const char *name)
{
	free(t->name);
	t->name = text_format("%s", name);
}

void logs_thread_number(struct logs_thread *t, uint32_t number)
{
	enum { NUMBER_MOST = 1 << 20 };

	if (t->begun || number >= NUMBER_MOST || !number_is_free(t->process, number))
		return;
	t->process->numbered[t->number] = 0;
	number_take(t->process, t, number);
}

struct logs_process *logs_thread_process(const struct logs_thread *t)
{
	return t->process;
}

/* ---- code ---- */

/* The first address, and the bytes of each function: an address within one that calls is still its own. */
enum { CODE_FIRST = 1 << 20, CODE_SIZE = 16 };

uint64_t logs_code(struct logs_process *p, const char *name)
{
	uint64_t hash = text_hash(name);
	struct hash_slot *slot = hash_table_slot(&p->by_code, hash_mix(hash), hash);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)p->code.n;
		slot->tail = 0;
		*vector_add(&p->code) = text_format("%s", name);
	}
	return CODE_FIRST + (uint64_t)slot->head * CODE_SIZE;
}

/* Returns the last name of an address, or NULL. */
static struct address_name *address_name(const struct logs_process *p, uint64_t address)
{
	const struct hash_slot *slot =
	    p->names.n ? hash_table_find(&p->by_address, hash_mix(address), address) : NULL;

	return slot ? &p->names.at[slot->head] : NULL;
}

bool logs_address_is_named(const struct logs_process *p, uint64_t address)
{
	return address_name(p, address) != NULL;
}

void logs_address_name(struct logs_process *p, int64_t time, uint64_t address, const char *name)
{
	const struct address_name *last = address_name(p, address);

	if (last && !last->ended && strcmp(last->name, name) == 0)
		return;
	note(&p->by_address, address, p->names.n);
	*vector_add(&p->names) =
	    (struct address_name){address, time, text_format("%s", name), false};
}

static void name_print(FILE *out, const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name < ' ' || *name == '\\' || *name == 127)
			fprintf(out, "\\%03o", (unsigned char)*name);
		else
			putc(*name, out);
	putc('\n', out);
}

static void code_print(FILE *out, const struct logs_process *p)
{
	for (size_t i = 0; i < p->code.n; i++) {
		uint64_t start = CODE_FIRST + i * CODE_SIZE;

		fprintf(out, "0 %016" PRIx64 " %016" PRIx64 " ", start, start + CODE_SIZE);
		name_print(out, p->code.at[i]);
	}
}

static void address_names_print(FILE *out, const struct logs_process *p)
{
	for (size_t i = 0; i < p->names.n; i++) {
		const struct address_name *n = &p->names.at[i];

		fprintf(out, "%" PRId64 " %016" PRIx64 " ", n->time > 0 ? n->time : 0, n->address);
		name_print(out, n->name);
	}
}

/* Writes a file that gives addresses their names: doc/log-format.md. */
static bool names_write(const struct logs_process *p, const char *file,
			void (*print)(FILE *out, const struct logs_process *p))
{
	char *path = text_format("%s/%s", p->path, file);
	FILE *out = fopen(path, "wxe");

	free(path);
	if (!out)
		return false;
	print(out, p);
	return !ferror(out) & (fclose(out) == 0);
}

static bool all_names_write(const struct logs_process *p)
{
	return (!p->code.n || names_write(p, "made", code_print)) &&
	       (!p->names.n || names_write(p, "objects", address_names_print));
}

/* ---- writing ---- */

static char *log_path(const struct logs_thread *t)
{
	char name[LOG_NAME_TEXT];

	return text_format("%s/%s", t->process->path,
			   log_name_print(name, (struct log_name){t->number, 0}));
}

static bool bytes_write(int fd, const unsigned char *bytes, size_t size)
{
	while (size) {
		ssize_t n = write(fd, bytes, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		bytes += n;
		size -= (size_t)n;
	}
	return true;
}

static bool file_make(const char *directory, const char *name, const char *text)
{
	char *path = text_format("%s/%s", directory, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool good = fd >= 0 && bytes_write(fd, (const unsigned char *)text, strlen(text));

	free(path);
	return !(fd >= 0 && close(fd) != 0) && good;
}

/* Appends what a thread has logged to its file; leaves room for the head in a new one. */
static void thread_flush(struct logs_thread *t)
{
	struct logs *l = t->process->logs;
	char *path;
	int fd;

	if (t->used && !l->error) {
		path = log_path(t);
		fd = open(path,
			  O_WRONLY | O_NOFOLLOW | O_CLOEXEC |
			      (t->begun ? O_APPEND : O_CREAT | O_EXCL),
			  0600);
		free(path);
		if (fd < 0 || (!t->begun && lseek(fd, HEAD_ROOM, SEEK_SET) < 0) ||
		    !bytes_write(fd, t->buffer, t->used))
			failed(l);
		t->begun = true;
		if (fd >= 0 && close(fd) != 0)
			failed(l);
	}
	t->used = 0;
}

/* Returns room for a record. */
static unsigned char *room_for(struct logs_thread *t, size_t size)
{
	if (t->used + size > t->room) {
		size_t wanted = t->begun && t->room < 8 * BUFFER ? 2 * t->room : BUFFER;

		thread_flush(t);
		if (t->room < wanted || t->room < size) {
			t->room = size > wanted ? size : wanted;
			t->buffer = array_resize(t->buffer, t->room, 1);
		}
	}
	return t->buffer + t->used;
}

static void clamp(struct logs *l, bool fits)
{
	l->misfits += !fits;
}

/* Returns a value as a whole number of 64 bits, of a signed type or not. */
static uint64_t whole(struct logs *l, const struct logs_value *v, bool negative_fits)
{
	switch (v->kind) {
	case LOGS_INTEGER:
		clamp(l, negative_fits || v->integer >= 0);
		return negative_fits || v->integer >= 0 ? (uint64_t)v->integer : 0;
	case LOGS_NATURAL:
		clamp(l, !negative_fits || v->natural <= INT64_MAX);
		return !negative_fits || v->natural <= INT64_MAX ? v->natural : INT64_MAX;
	case LOGS_REAL: {
		double least = negative_fits ? -0x1p63 : 0, most = negative_fits ? 0x1p63 : 0x1p64;
		bool fits = v->real >= least && v->real < most;

		clamp(l, fits);
		if (!fits)
			return v->real >= most ? negative_fits ? INT64_MAX : UINT64_MAX
			       : v->real < least && negative_fits ? (uint64_t)INT64_MIN
								  : 0;
		return negative_fits ? (uint64_t)(int64_t)v->real : (uint64_t)v->real;
	}
	default:
		clamp(l, false);
		return 0;
	}
}

static double real(struct logs *l, const struct logs_value *v)
{
	switch (v->kind) {
	case LOGS_INTEGER:
		return (double)v->integer;
	case LOGS_NATURAL:
		return (double)v->natural;
	case LOGS_REAL:
		return v->real;
	default:
		clamp(l, false);
		return 0;
	}
}

static void fixed_put(struct logs *l, unsigned char *to, enum type type, const struct logs_value *v)
{
	uint64_t bits;
	double number;

	switch (type) {
	case TYPE_INT: {
		int64_t n = (int64_t)whole(l, v, true);
		int32_t narrow = (int32_t)(n > INT32_MAX   ? INT32_MAX
					   : n < INT32_MIN ? INT32_MIN
							   : n);

		clamp(l, narrow == n);
		memcpy(to, &narrow, sizeof narrow);
		break;
	}
	case TYPE_UINT:
	case TYPE_CODE32: {
		uint64_t n = whole(l, v, false);
		uint32_t narrow = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;

		clamp(l, narrow == n);
		memcpy(to, &narrow, sizeof narrow);
		break;
	}
	case TYPE_DOUBLE:
		number = real(l, v);
		memcpy(to, &number, sizeof number);
		break;
	default:
		bits = whole(l, v, type == TYPE_LONG);
		memcpy(to, &bits, sizeof bits);
	}
}

/* Returns the text of a value; of a number it stands in buffer. */
static size_t text_of(const struct logs_value *v, char buffer[32], const char **text)
{
	*text = buffer;
	switch (v->kind) {
	case LOGS_INTEGER:
		return (size_t)snprintf(buffer, 32, "%" PRId64, v->integer);
	case LOGS_NATURAL:
		return (size_t)snprintf(buffer, 32, "%" PRIu64, v->natural);
	case LOGS_REAL:
		return (size_t)snprintf(buffer, 32, "%.17g", v->real);
	default:
		*text = v->text.bytes;
		return v->text.length;
	}
}

static size_t string_put(struct logs *l, unsigned char *to, const struct logs_value *v)
{
	char buffer[32];
	const char *text;
	size_t length = text_of(v, buffer, &text), padded;
	bool cut = v->kind == LOGS_TEXT && v->text.cut;

	if (length > STRING_MAX) {
		length = STRING_MAX;
		cut = true;
		l->cut++;
	}
	padded = padded_size(length);
	write_32(to, (uint32_t)length | (uint32_t)cut << 31);
	if (padded > length)
		memset(to + 4 + padded - 4, 0, 4);
	if (length)
		memcpy(to + 4, text, length);
	return 4 + padded;
}

static size_t record_most(const struct event_type *type, const struct logs_value *values)
{
	size_t size = TIME_SIZE + type->fixed_size;

	for (unsigned i = 0; type->nstrings && i < type->nattributes; i++)
		if (type->attributes[i].type == TYPE_STRING) {
			size_t length = values[i].kind == LOGS_TEXT ? values[i].text.length : 32;

			size += 8 + (length > STRING_MAX ? STRING_MAX : length);
		}
	return size;
}

static int64_t time_note(struct logs_thread *t, int64_t time)
{
	struct logs *l = t->process->logs;

	if (time < 0) {
		l->negative++;
		time = 0;
	}
	if (time < l->first)
		l->first = time;
	if (time > l->last)
		l->last = time;
	l->events++;
	return time;
}

/* What an event ends has its name no longer. */
static void name_end(const struct logs_process *p, const struct logs_value *object)
{
	struct address_name *n =
	    object->kind == LOGS_NATURAL ? address_name(p, object->natural) : NULL;

	if (n)
		n->ended = true;
}

void logs_write(struct logs_thread *t, int64_t time, const struct logs_event *e,
		const struct logs_value *values)
{
	const struct event_type *type = e->type;
	struct logs *l = t->process->logs;
	unsigned char *at = room_for(t, record_most(type, values)), *strings;
	uint64_t ticks = (uint64_t)time_note(t, time);

	if (t->upper == UINT64_MAX)
		t->first = (int64_t)ticks;
	if (ticks >> TIME_LOW_BITS != t->upper) {
		time_write(at, ticks);
		t->upper = ticks >> TIME_LOW_BITS;
		at += TIME_SIZE;
	}
	write_32(at, e->id | (uint32_t)ticks << 12);
	strings = at + type->fixed_size;
	for (unsigned i = 0; i < type->nattributes; i++) {
		const struct attribute *a = &type->attributes[i];

		if (a->type == TYPE_STRING)
			strings += string_put(l, strings, &values[i]);
		else
			fixed_put(l, at + a->offset, a->type, &values[i]);
	}
	t->used = (size_t)(strings - t->buffer);
	if (type->ends_attribute >= 0)
		name_end(t->process, &values[type->ends_attribute]);
}

void logs_lost(struct logs_thread *t, uint64_t events)
{
	enum { SIZE = NOTE_HEADER + 12 };
	unsigned char *at;

	if (!events)
		return;
	at = room_for(t, SIZE);
	write_32(at, RECORD_NOTE);
	write_32(at + 4, (uint32_t)NOTE_LOST << 24 | 12);
	write_64(at + 8, events);
	write_32(at + 16, 0);
	t->used += SIZE;
}

void logs_process_file(struct logs_process *p, const char *name, const char *text)
{
	if (!file_make(p->path, name, text))
		failed(p->logs);
}

/* A name that a thread was given later. */
static void later_put(struct logs_thread *t)
{
	size_t length = strnlen(t->later, STRING_MAX), padded = padded_size(length);
	unsigned char *at = room_for(t, NOTE_HEADER + padded);

	write_32(at, RECORD_NOTE);
	write_32(at + 4, (uint32_t)NOTE_NAME << 24 | (uint32_t)length);
	memset(at + NOTE_HEADER, 0, padded);
	memcpy(at + NOTE_HEADER, t->later, length);
	t->used += NOTE_HEADER + padded;
}

/* ---- end ---- */

/* Returns the specification that is made, or NULL after a report; *text is the caller's. */
static struct spec *made_parse(struct logs *l, char **text)
{
	static const char *const muted[] = {"unused-attribute", NULL};
	struct spec *made;

	fclose(l->text);
	fclose(l->intervals);
	l->text = l->intervals = NULL;
	*text =
	    text_format("/* Made by glimpse import. */\nglimpse %s\n\n%s%s%s\nend %s.\n", l->name,
			l->events_text, l->intervals_size ? "\n" : "", l->intervals_text, l->name);
	l->diag->muted = muted;
	made = spec_parse(l->name, *text, l->diag);
	l->diag->muted = NULL;
	return made;
}

static bool spec_make(const char *directory, const char *name, const char *text)
{
	char *file = text_format("%s.spec", name);
	bool good = file_make(directory, file, text);

	free(file);
	return good;
}

/* What all logs and processes have in common. */
struct heads {
	struct process_spec specs[SPECS_MOST + 1];
	const char *texts[SPECS_MOST + 1];
	size_t n;
	struct clock_sample first, last;
};

static struct clock_sample sample_at(const struct logs *l, int64_t time)
{
	return (struct clock_sample){(uint64_t)time, time, l->dated ? time + l->ahead : 0};
}

static void heads_add(struct heads *h, const struct spec *spec, uint32_t base, const char *text)
{
	h->texts[h->n] = text;
	h->specs[h->n++] = (struct process_spec){spec->schema, base, spec->nevents, spec->name};
}

static struct heads heads_make(const struct logs *l, const struct spec *made, const char *text)
{
	struct heads h = {.first = sample_at(l, l->first), .last = sample_at(l, l->last)};

	for (unsigned i = 0; i < l->nadded; i++)
		heads_add(&h, l->added[i].spec, l->added[i].base, l->added[i].spec->text);
	if (made && made->nevents)
		heads_add(&h, made, MADE_FIRST, text);
	if (l->last == l->first)
		h.last = sample_at(l, l->first + 1);
	return h;
}

static bool thread_has_log(const struct logs_thread *t)
{
	return t->begun || t->used || t->kept;
}

static bool thread_end(struct logs_thread *t, const struct heads *h)
{
	struct logs *l = t->process->logs;
	struct log_head head = {
	    .name = {t->number, 0},
	    .pid = t->process->pid,
	    .tid = t->tid,
	    .clock = CLOCK_NANOSECONDS,
	    .opened = sample_at(l, t->upper == UINT64_MAX ? l->first : t->first),
	    .thread = t->name ? t->name : "",
	};
	struct log_file_writer w;
	unsigned char *end;

	if (t->later)
		later_put(t);
	end = room_for(t, NOTE_HEADER);
	write_32(end, RECORD_NOTE);
	write_32(end + 4, (uint32_t)NOTE_END << 24);
	t->used += NOTE_HEADER;
	thread_flush(t);
	if (l->error || !log_file_begin_head(&w, t->process->path, &head))
		return false;
	for (size_t i = 0; i < h->n; i++)
		log_file_schema(&w, h->specs[i].schema, h->specs[i].base, h->specs[i].events,
				h->specs[i].name);
	return log_file_end_head(&w, HEAD_ROOM);
}

/* Returns the name of a process' directory among others: letters that files may have. The caller frees it. */
static char *process_name(const struct logs_process *p)
{
	char *name, *path;

	if (p->directory)
		return text_format("%s/%s", p->logs->directory, p->directory);
	name = text_format("%.100s", p->name && *p->name ? p->name : "process");
	for (char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._+-", *c))
			*c = '_';
	path = text_format("%s/%s%s.%" PRIu32, p->logs->directory, *name == '.' ? "_" : "", name,
			   p->pid);
	free(name);
	return path;
}

static bool process_move(struct logs_process *p)
{
	enum { ALIKE_MOST = 10000 };
	char *path = process_name(p);
	bool good = (p->directory && !*p->directory) || rename(p->path, path) == 0;

	for (unsigned i = 2; !good && i < ALIKE_MOST && (errno == ENOTEMPTY || errno == EEXIST);
	     i++) {
		char *name = process_name(p);

		free(path);
		path = text_format("%s.%u", name, i);
		free(name);
		good = rename(p->path, path) == 0;
	}
	free(p->path);
	p->path = path;
	return good;
}

static bool process_end(struct logs_process *p, const struct heads *h)
{
	struct process_head head = {.pid = p->pid,
				    .program = p->name ? p->name : "",
				    .first = h->first,
				    .last = h->last,
				    .specs = h->specs,
				    .nspecs = h->n};
	bool good = true;

	for (size_t i = 0; i < p->threads.n && good; i++)
		good = !thread_has_log(p->threads.at[i]) || thread_end(p->threads.at[i], h);
	for (size_t i = 0; i < h->n && good; i++)
		good = spec_make(p->path, h->specs[i].name, h->texts[i]);
	return good && all_names_write(p) && process_write(p->path, &head) && process_move(p);
}

static void misfits_warn(const struct logs *l)
{
	if (l->misfits)
		diag_warning(l->diag, "import", DIAG_NOWHERE,
			     "%" PRIu64
			     " values do not fit their types: the nearest that do are logged",
			     l->misfits);
	if (l->cut)
		diag_warning(l->diag, "import", DIAG_NOWHERE,
			     "%" PRIu64 " strings were cut to %d bytes", l->cut, STRING_MAX);
	if (l->negative)
		diag_warning(l->diag, "import", DIAG_NOWHERE, "%" PRIu64 " times before 0 became 0",
			     l->negative);
}

static bool all_end(struct logs *l, const struct spec *made, const char *text)
{
	struct heads h = heads_make(l, made, text);

	for (size_t i = 0; i < l->processes.n; i++)
		if (l->error || !process_end(l->processes.at[i], &h)) {
			failed(l);
			diag_error(l->diag, DIAG_NOWHERE, "cannot write %s: %s", l->directory,
				   l->error ? strerror(l->error) : "a write failed");
			return false;
		}
	misfits_warn(l);
	return true;
}

bool logs_end(struct logs *l)
{
	struct spec *made;
	char *text = NULL;
	bool good = false;

	if (!l->events) {
		diag_error(l->diag, DIAG_NOWHERE, "there are no events in it");
		logs_discard(l);
		return false;
	}
	made = made_parse(l, &text);
	if (made)
		good = all_end(l, made, text);
	spec_free(made);
	free(text);
	logs_discard(l);
	return good;
}
