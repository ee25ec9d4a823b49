#include "reader.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC_LOG UINT64_C(0x474c494d50534531)
#define MAGIC_TAIL UINT64_C(0x474c494d50534554)
#define MAGIC_CONTAINER UINT64_C(0x474c494d5053454c)
#define MAGIC_PROCESS UINT64_C(0x474c494d50534550)

struct bytes {
	unsigned char *at;
	size_t size;
};

struct schema {
	uint32_t base, count;
	char name[112];
};

/* The reading of one log. */
struct reading {
	struct reader_run *run;
	const char *directory;
	const char *const *layouts;
	struct bytes container; /* the file logs */
	uint32_t thread, level;
	uint64_t upper;
	struct schema schemas[32];
	unsigned nschemas;
	unsigned tails;
};

static uint32_t get32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static uint64_t get64(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static void fault(struct reading *r, const char *what)
{
	fprintf(stderr, "# %s log.%u.%u: %s\n", r->directory, r->thread, r->level, what);
	r->run->faults++;
}

/* Replaces the directory by that of the mapped files, if the file `tails` names one. */
static const char *elsewhere(const char *log_directory, const char *name)
{
	static char text[4096];
	const char *directory = log_directory;
	char process[8192];
	FILE *file;

	if (strncmp(name, "tail.", 5) && strcmp(name, "process"))
		return directory;
	snprintf(text, sizeof text, "%s/tails", directory);
	file = fopen(text, "r");
	if (!file)
		return directory;
	if (fscanf(file, "%*s %*s %4000[^\n]", text) == 1)
		directory = text;
	snprintf(process, sizeof process, "%s/process", directory);
	if (!strcmp(name, "process") && access(process, F_OK))
		directory = log_directory;
	fclose(file);
	return directory;
}

static struct bytes file_read(const char *directory, const char *name)
{
	struct bytes b = { NULL, 0 };
	struct stat st;
	char path[8192];
	int fd;

	snprintf(path, sizeof path, "%s/%s", elsewhere(directory, name), name);
	fd = open(path, O_RDONLY);
	if (fd < 0 || fstat(fd, &st))
		return b;
	b.at = malloc((size_t)st.st_size + 1);
	while (b.size < (size_t)st.st_size) {
		ssize_t n = read(fd, b.at + b.size, (size_t)st.st_size - b.size);

		if (n <= 0)
			break;
		b.size += (size_t)n;
	}
	close(fd);
	return b;
}

static void bytes_add(struct bytes *b, const unsigned char *more, size_t size)
{
	b->at = realloc(b->at, b->size + size + 1);
	memcpy(b->at + b->size, more, size);
	b->size += size;
}

/* ---- tails ---- */

/* Version 3 counts from an address. */
static uint64_t tail_head(const unsigned char *tail)
{
	return get64(tail + 24) - (get32(tail + 8) >= 3 ? get64(tail + 112) : 0);
}

static uint32_t tail_block(const unsigned char *tail)
{
	return get32(tail + (get32(tail + 8) >= 3 ? 120 : 60));
}

static const unsigned char *ring_block(const unsigned char *tail, uint32_t k)
{
	return tail + get32(tail + 32) + (size_t)k * tail_block(tail);
}

static size_t ring_used(const unsigned char *tail, uint32_t k, bool current)
{
	uint64_t head = tail_head(tail), from = (uint64_t)k * tail_block(tail);

	if (current && head >= from + 16 && head <= from + tail_block(tail))
		return (size_t)(head - from);
	return get32(ring_block(tail, k) + 8);
}

/* Adds the blocks of a ring, the oldest first. */
static void ring_add(struct bytes *log, const unsigned char *tail)
{
	uint32_t blocks = get32(tail + 36) / tail_block(tail);
	uint64_t done = 0;

	for (;;) {
		uint64_t next = UINT64_MAX, newest = 0;
		uint32_t k = 0;

		for (uint32_t i = 0; i < blocks; i++) {
			uint64_t s = get64(ring_block(tail, i));

			if (s > newest)
				newest = s;
			if (s > done && s < next) {
				next = s;
				k = i;
			}
		}
		if (next == UINT64_MAX)
			return;
		done = next;
		if (ring_used(tail, k, next == newest) > 16)
			bytes_add(log, ring_block(tail, k) + 16,
				  ring_used(tail, k, next == newest) - 16);
	}
}

static const unsigned char *tail_records(const unsigned char *tail)
{
	return tail + get32(tail + 32);
}

/* Puts what a tail holds at its place in the log, which the tail may end. */
static void stretch_put(struct reading *r, struct bytes *log, uint64_t base,
			const unsigned char *bytes, uint64_t size)
{
	uint64_t have = base < log->size ? log->size - base : 0;

	if (!size)
		return;
	if (base > log->size) {
		fault(r, "bytes between log and tail are missing");
		return;
	}
	have = have < size ? have : size;
	memcpy(log->at + base, bytes, have);
	bytes_add(log, bytes + have, size - have);
}

/* A tail with a staging buffer ends the log, whose file may reach beyond. */
static void staging_add(struct reading *r, struct bytes *log, const unsigned char *tail)
{
	uint64_t base = get64(tail + 16), head = tail_head(tail), reach = get64(tail + 104);
	uint64_t end = base + head > reach ? base + head : reach;

	stretch_put(r, log, get64(tail + 88), tail_records(tail) + get32(tail + 84),
		    get64(tail + 96));
	stretch_put(r, log, base, tail_records(tail), head);
	log->size = end < log->size ? end : log->size;
}

static void tail_add(struct reading *r, struct bytes *log, const unsigned char *tail)
{
	uint64_t base = get64(tail + 16), head = tail_head(tail), have;

	r->run->tails++;
	r->run->lost += get64(tail + 64);
	r->run->losses[get32(tail + 72) % 5] += get64(tail + 64);
	if (tail_block(tail)) {
		/* what is beyond is a copy of the ring that was not finished */
		log->size = log->size < base ? log->size : base;
		ring_add(log, tail);
		return;
	}
	if (get32(tail + 8) >= 2 && get32(tail + 84)) {
		staging_add(r, log, tail);
		return;
	}
	have = base < log->size ? log->size - base : 0;
	if (!log->at && !base) { /* it has no file yet */
		bytes_add(log, tail_records(tail), head);
		return;
	}
	if (head == 0) /* empty; or the process died before the base of a written tail moved on */
		return;
	if (have > head)
		fault(r, "the log goes beyond its tail");
	else if (memcmp(log->at + base, tail_records(tail), have))
		fault(r, "log and tail differ where they overlap");
	else
		stretch_put(r, log, base, tail_records(tail), head);
}

/* The tail in a file that belongs to the log, or NULL. */
static const unsigned char *tail_of(const struct reading *r, const struct bytes *file)
{
	size_t stride = file->size >= 4096 && get32(file->at + 8) >= 2 ? get32(file->at + 80) : 0;

	for (size_t at = 0; at + 4096 <= file->size; at += stride) {
		const unsigned char *tail = file->at + at;

		if (get64(tail) == MAGIC_TAIL && get32(tail + 12) == r->thread &&
		    get32(tail + 40) == r->level)
			return tail;
		if (!stride)
			break;
	}
	return NULL;
}

/* How many tails there may be: they are numbered without gaps, but some may have been removed. */
static unsigned tails_most(const char *directory)
{
	DIR *d = opendir(elsewhere(directory, "tail."));
	unsigned most = 0, k;

	for (struct dirent *e; d && (e = readdir(d));)
		if (sscanf(e->d_name, "tail.%u", &k) == 1 && k >= most)
			most = k + 1;
	if (d)
		closedir(d);
	return most;
}

/* Of two, which a thread has for a moment while it grows, that with the staging buffer. */
static void tails_add(struct reading *r, struct bytes *log)
{
	struct bytes best = { NULL, 0 };
	const unsigned char *tail = NULL;
	bool there = true;
	char name[32];

	/* those of a program that runs become more */
	for (unsigned k = 0; k < r->tails || there; k++) {
		const unsigned char *found;
		struct bytes file;

		snprintf(name, sizeof name, "tail.%u", k);
		file = file_read(r->directory, name);
		there = file.at;
		found = file.at ? tail_of(r, &file) : NULL;
		if (!found || (tail && !get32(found + 84))) {
			free(file.at);
			continue;
		}
		free(best.at);
		best = file;
		tail = found;
	}
	if (tail)
		tail_add(r, log, tail);
	free(best.at);
}

/* ---- the container ---- */

/*
 * Adds the log if a record of the container has it; returns false if none has. At the end may be one
 * that is cut off, whose log is still in its tail.
 */
static bool contained_add(struct reading *r, struct bytes *log)
{
	for (size_t at = 0; at + 24 <= r->container.size;) {
		const unsigned char *head = r->container.at + at;
		uint32_t check = 0x811c9dc5;

		for (int i = 0; i < 20; i++)
			check = (check ^ head[i]) * 0x01000193;
		if (get64(head) != MAGIC_CONTAINER || get32(head + 20) != check) {
			fault(r, "no record here in the container");
			return false;
		}
		at += 24 + get32(head + 16);
		if (at > r->container.size)
			return false;
		if (get32(head + 8) == r->thread && get32(head + 12) == r->level) {
			bytes_add(log, head + 24, get32(head + 16));
			return true;
		}
	}
	return false;
}

/* ---- records ---- */

static const char *layouts_of(const struct reading *r, const struct schema *s)
{
	size_t n = strlen(s->name);

	for (unsigned i = 0; r->layouts[i]; i++)
		if (strncmp(r->layouts[i], s->name, n) == 0 && r->layouts[i][n] == '=')
			return r->layouts[i];
	return NULL;
}

static const char *layout_of(const char *layouts, uint32_t index)
{
	const char *layout = layouts ? strchr(layouts, '=') + 1 : NULL;

	while (index-- && layout)
		layout = strchr(layout, ',') ? strchr(layout, ',') + 1 : NULL;
	return layout;
}

static struct reader_event *event_new(struct reader_run *run)
{
	if (run->count == run->room) {
		run->room = run->room ? 2 * run->room : 1024;
		run->events = realloc(run->events, run->room * sizeof *run->events);
	}
	memset(&run->events[run->count], 0, sizeof *run->events);
	return &run->events[run->count++];
}

static size_t string_read(struct reader_event *e, const unsigned char *at, size_t left)
{
	uint32_t length;

	if (left < 4)
		return SIZE_MAX;
	length = get32(at) & 0x7fffffff;
	if (!e->length)
		e->length = get32(at);
	return 4 + ((length + 3) & ~(size_t)3);
}

/* The size of the record, or 0 when it does not fit. */
static size_t event_read(struct reading *r, const struct schema *s, const unsigned char *at,
			 size_t left)
{
	uint32_t index = (get32(at) & 0xfff) - s->base;
	const char *layouts = layouts_of(r, s), *layout = layout_of(layouts, index);
	struct reader_event *e;
	size_t size = 4;
	unsigned value = 0;

	if (!layout)
		return 0;
	e = event_new(r->run);
	e->thread = r->thread;
	e->level = r->level;
	e->index = index;
	e->spec = layouts;
	e->ticks = r->upper << 20 | get32(at) >> 12;
	for (; *layout && *layout != ','; layout++) {
		size_t n = *layout == 'i' ? 4 : 8;

		if (*layout == 's')
			n = string_read(e, at + size, left - size);
		else if (size + n <= left && value < 3)
			e->values[value++] = n == 4 ? get32(at + size) : get64(at + size);
		if (n > left - size)
			return 0;
		size += n;
	}
	return size;
}

static void note_read(struct reading *r, unsigned kind, const unsigned char *at, uint32_t size)
{
	struct schema *s = &r->schemas[r->nschemas];

	if (kind == 1) {
		s->base = get32(at + 8);
		s->count = get32(at + 12);
		snprintf(s->name, sizeof s->name, "%.*s", (int)size - 16, at + 16);
		r->nschemas++;
	} else if (kind == 2 && r->thread < 64) {
		snprintf(r->run->names[r->thread], 64, "%.*s", (int)size, at);
	} else if (kind == 4) {
		r->run->lost += get64(at);
		r->run->losses[get32(at + 8) % 5] += get64(at);
	} else if (kind == 5) {
		r->run->changes++;
	} else if (kind == 6) {
		r->run->ended++;
	}
}

static const struct schema *schema_of(const struct reading *r, uint32_t id)
{
	for (unsigned i = 0; i < r->nschemas; i++)
		if (id >= r->schemas[i].base && id - r->schemas[i].base < r->schemas[i].count)
			return &r->schemas[i];
	return NULL;
}

static size_t record_read(struct reading *r, const unsigned char *at, size_t left)
{
	uint32_t word = get32(at), id = word & 0xfff;
	size_t size = 0;

	if (id == 1 && left >= 8) {
		r->upper = (uint64_t)(word >> 12) << 32 | get32(at + 4);
		return 8;
	}
	if (id == 2 && left >= 8) {
		size = 8 + ((get32(at + 4) & 0xffffff) + 3) / 4 * 4;
		if (size > left)
			return 0;
		note_read(r, get32(at + 4) >> 24, at + 8, get32(at + 4) & 0xffffff);
		return size;
	}
	if (id < 16 || !schema_of(r, id))
		return 0;
	return event_read(r, schema_of(r, id), at, left);
}

static void records_read(struct reading *r, const struct bytes *log)
{
	size_t at = get32(log->at + 8);

	while (at + 4 <= log->size) {
		size_t size = record_read(r, log->at + at, log->size - at);

		if (!size) {
			fprintf(stderr, "# at %zu of %zu: word %08x\n", at, log->size,
				get32(log->at + at));
			fault(r, "no record here");
			return;
		}
		at += size;
	}
}

/* ---- the directory ---- */

static void specs_read(struct reading *r, const unsigned char *process)
{
	for (unsigned i = 0; i < 30; i++) {
		const unsigned char *entry = process + 256 + 128 * i;
		struct schema *s = &r->schemas[r->nschemas];

		if (!get32(entry + 12))
			return;
		s->base = get32(entry + 8);
		s->count = get32(entry + 12);
		snprintf(s->name, sizeof s->name, "%.111s", entry + 16);
		r->nschemas++;
	}
}

static bool process_read(struct reading *r)
{
	struct bytes process = file_read(r->directory, "process");
	struct bytes switches = file_read(r->directory, "switches");

	r->run->changes += (unsigned)(switches.size / 16);
	free(switches.at);
	if (process.size < 20480 || get64(process.at) != MAGIC_PROCESS) {
		free(process.at);
		return false;
	}
	r->run->pid = get32(process.at + 12);
	r->run->state = get32(process.at + 20);
	r->run->dropped = get64(process.at + 80);
	specs_read(r, process.at);
	free(process.at);
	return true;
}

static bool log_read(const struct reading *all, uint32_t thread, uint32_t level)
{
	struct reading r = *all;
	struct bytes log = { NULL, 0 };
	char name[64];

	snprintf(name, sizeof name, level ? "log.%u.%u" : "log.%u", thread, level);
	r.thread = thread;
	r.level = level;
	if (!contained_add(&r, &log)) {
		log = file_read(r.directory, name);
		tails_add(&r, &log);
	}
	if (!log.at)
		return false;
	level ? r.run->inner++ : r.run->logs++;
	if (log.size < 128 || get64(log.at) != MAGIC_LOG || get32(log.at + 16) != thread) {
		/* the process died between creating the file and writing the header */
		if (log.size)
			fault(&r, "the header is wrong");
	} else {
		if (thread < 64)
			snprintf(r.run->names[thread], 64, "%.63s", log.at + 64);
		records_read(&r, &log);
	}
	free(log.at);
	return true;
}

bool reader_read(struct reader_run *run, const char *directory, const char *const *layouts)
{
	struct reading r = { .run = run, .directory = directory, .layouts = layouts };

	memset(run, 0, sizeof *run);
	if (!process_read(&r))
		return false;
	r.tails = tails_most(directory);
	r.container = file_read(directory, "logs");
	for (uint32_t thread = 0; log_read(&r, thread, 0); thread++)
		for (uint32_t level = 1; log_read(&r, thread, level); level++)
			;
	free(r.container.at);
	return true;
}

void reader_clear(struct reader_run *run)
{
	free(run->events);
	memset(run, 0, sizeof *run);
}
