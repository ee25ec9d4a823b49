#include "trace/write/pack_write.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "trace/format/record.h"
#include "trace/open/opened.h"
#include "trace/pack/block.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of the directory. */
struct packed_file {
	struct file file;      /* owned, unless it is the trace's */
	const struct log *log; /* NULL: it is no log that the trace has */
	const unsigned char *bytes;
	size_t size;
	const struct record_layouts *layouts;
};

struct pack_plan {
	struct opened *opened;     /* the directory as a trace; NULL: it cannot be opened */
	struct pack_index index;   /* its entries are the blocks, in order */
	struct packed_file *files; /* of the same index as index.members */
	struct record_layouts **layouts;
	bool within;                    /* there are directories within it */
	const struct id_table **tables; /* that the layouts are of */
	size_t nlayouts;
};

/* ---- cutting files into blocks ---- */

/* The most for a log's header and the notes after it; a log that is no longer is one block. */
#define HEAD_MOST 4096

struct cutting {
	struct pack_plan *plan;
	uint32_t member;
	const struct packed_file *file;
	const unsigned char *at; /* where the next block begins */
	/* Of the block that is being measured. */
	uint64_t upper, seq;  /* at its beginning */
	uint64_t first, last; /* ticks of its events */
	bool timed, notes;
	uint32_t counts[RECORD_IDS];
	uint16_t ids[RECORD_IDS];
	unsigned nids;
};

static struct pack_entry *block_add(struct cutting *c, const unsigned char *end, uint32_t codec)
{
	struct pack_entry *e = pack_index_entry(&c->plan->index);

	e->block = (struct pack_block){.member = c->member,
				       .codec = codec,
				       .size = (uint32_t)(end - c->at),
				       .offset = (uint64_t)(c->at - c->file->bytes)};
	c->at = end;
	return e;
}

static void raw_cut(struct cutting *c, const unsigned char *end)
{
	while (c->at < end)
		block_add(c, end - c->at > BLOCK_SIZE ? c->at + BLOCK_SIZE : end, PACK_RAW);
}

static void records_begin(struct cutting *c, uint64_t upper, uint64_t seq)
{
	c->upper = upper;
	c->seq = seq;
	c->first = UINT64_MAX;
	c->last = 0;
	c->notes = false;
	c->nids = 0;
}

static void records_cut(struct cutting *c, const unsigned char *end)
{
	const struct clock *clock = c->file->log->time;
	struct pack_entry *e;

	if (end == c->at)
		return;
	e = block_add(c, end,
		      PACK_COLUMNS_NATIVE | (c->timed ? PACK_TIMED : 0) |
			  (c->notes ? PACK_NOTES : 0));
	e->block.upper = c->upper;
	e->block.seq = c->seq;
	if (c->last >= c->first) {
		e->from = clock_ns(clock, c->first);
		e->to = clock_ns(clock, c->last);
	}
	for (unsigned i = 0; i < c->nids; i++) {
		pack_index_count(&c->plan->index, e, c->ids[i], c->counts[c->ids[i]]);
		c->counts[c->ids[i]] = 0;
	}
}

static void event_count(struct cutting *c, uint32_t id, uint64_t ticks)
{
	if (c->counts[id]++ == 0)
		c->ids[c->nids++] = (uint16_t)id;
	if (ticks < c->first)
		c->first = ticks;
	if (ticks > c->last)
		c->last = ticks;
}

/* Returns the size of the record, or 0 if there is no whole one. */
static size_t record_size_within(const struct id_row *row, const unsigned char *at, size_t room)
{
	size_t size = 0;

	if (room < 4)
		return 0;
	if (row->size)
		return event_size_within(row, at, room);
	if (RECORD_ID(read_32(at)) == RECORD_TIME)
		size = TIME_SIZE;
	else if (RECORD_ID(read_32(at)) == RECORD_NOTE && room >= NOTE_HEADER)
		size = note_size(at);
	return size <= room ? size : 0;
}

/* Cuts intact records into blocks, from at on. */
static void range_cut(struct cutting *c, const struct record_range *range, const unsigned char *at)
{
	const struct id_row *rows = c->file->log->ids->rows;
	uint64_t upper = range->upper, seq = range->seq;
	size_t size;

	records_begin(c, upper, seq);
	for (; at < range->end; at += size) {
		uint32_t word = read_32(at);

		size = record_size_within(&rows[RECORD_ID(word)], at, (size_t)(range->end - at));
		if (size == 0 || size > BLOCK_SIZE)
			break;
		if ((size_t)(at - c->at) + size > BLOCK_SIZE) {
			records_cut(c, at);
			records_begin(c, upper, seq);
		}
		if (rows[RECORD_ID(word)].size) {
			event_count(c, RECORD_ID(word), upper | RECORD_LOW_TIME(word));
			seq++;
		} else if (RECORD_ID(word) == RECORD_TIME) {
			upper = time_upper(at);
			c->timed = true;
		} else {
			/* the others say something of their place only */
			c->notes |= NOTE_KIND(read_32(at + 4)) < NOTE_END;
		}
	}
	records_cut(c, at);
	raw_cut(c, range->end);
}

/* Returns the end of the header and the notes after it, which every reader of the log needs. */
static const unsigned char *head_end(const struct cutting *c, const struct record_range *range)
{
	const unsigned char *at = range->start;

	while (range->end - at >= NOTE_HEADER && RECORD_ID(read_32(at)) == RECORD_NOTE) {
		size_t size = note_size(at);

		if (size > (size_t)(range->end - at) ||
		    (size_t)(at - c->file->bytes) + size > HEAD_MOST)
			break;
		at += size;
	}
	return at;
}

static void log_cut(struct cutting *c)
{
	const struct log *log = c->file->log;
	const unsigned char *end = c->file->bytes + c->file->size;

	for (size_t i = 0; i < log->nranges; i++) {
		const struct record_range *r = &log->ranges[i];
		const unsigned char *start = r->start;

		if (start < c->at || start >= end)
			continue;
		if (c->at == c->file->bytes)
			start = head_end(c, r);
		else
			c->timed = true;
		raw_cut(c, start);
		range_cut(c, r, start);
	}
	raw_cut(c, end);
}

/* Cuts a file into blocks: logs between records, so that each block can be read alone. */
static void pack_write_file_cut(struct pack_plan *p, size_t file)
{
	struct cutting *c = array_zero(1, sizeof *c);

	c->plan = p;
	c->member = (uint32_t)file;
	c->file = &p->files[file];
	c->at = c->file->bytes;
	if (c->file->log && c->file->size > HEAD_MOST)
		log_cut(c);
	else
		raw_cut(c, c->at + c->file->size);
	free(c);
}

/* ---- planning ---- */

static int entry_is_file(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* Returns the path of a file, or NULL after a warning if it is no regular file. */
static char *file_path(const char *directory, const char *name, uint32_t *mode, struct diag *diag)
{
	struct directory d = {.path = directory};
	char *path = directory_join(&d, name);
	struct stat status;

	if (lstat(path, &status) == 0 && S_ISREG(status.st_mode)) {
		*mode = status.st_mode & 0777;
		return path;
	}
	diag_warning(diag, "pack", DIAG_NOWHERE, "%s: left out: %s", path,
		     S_ISDIR(status.st_mode) ? "a directory that is no log directory"
					     : file_why(S_ISLNK(status.st_mode) ? ELOOP : EINVAL));
	free(path);
	return NULL;
}

/* Returns the log of that number in a directory, or NULL. */
static const struct log *opened_log(const struct opened *o, const char *directory, unsigned number)
{
	for (unsigned i = 0; i < o->trace.nprocesses; i++) {
		const struct trace_process *p = &o->processes[i];

		if (strcmp(p->path, directory) != 0)
			continue;
		for (uint32_t k = p->first_thread; k < p->first_thread + p->nthreads; k++)
			if (o->logs[k].number == number)
				return &o->logs[k];
	}
	return NULL;
}

/* Returns the log file of that name that the trace has in memory as it is on the disk, or NULL. */
static const struct log_file *opened_file(const struct opened *o, const char *directory,
					  const char *name, const char *path,
					  const struct log **log)
{
	unsigned number;

	*log = o && sscanf(name, "log.%u", &number) == 1 ? opened_log(o, directory, number) : NULL;
	for (unsigned i = 0; *log && i < (*log)->nfiles && !(*log)->swapped && !(*log)->graze; i++)
		if (!(*log)->files[i].altered && strcmp((*log)->files[i].path, path) == 0)
			return &(*log)->files[i];
	return NULL;
}

static const struct record_layouts *layouts_of(struct pack_plan *p, const struct id_table *ids)
{
	for (size_t i = 0; i < p->nlayouts; i++)
		if (p->tables[i] == ids)
			return p->layouts[i];
	p->layouts = array_grow(p->layouts, p->nlayouts, sizeof(struct record_layouts *));
	p->tables = array_grow(p->tables, p->nlayouts, sizeof(struct id_table *));
	p->tables[p->nlayouts] = ids;
	return p->layouts[p->nlayouts++] = record_layouts_new(ids);
}

/* A directory whose files are added. */
struct folder {
	const char *path;
	const char *name; /* in the directory that is packed; NULL: it is that one */
};

/*
 * The recorder may still write `names` when it has ended, and has the file locked then. It does not
 * do so for longer than this; somebody else may.
 */
static void names_wait(const char *path)
{
	enum { WAIT_MS = 6000, STEP_MS = 10 };
	int fd = file_open(path, O_RDONLY);

	for (int ms = 0;
	     fd >= 0 && ms < WAIT_MS && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
	     ms += STEP_MS)
		poll(NULL, 0, STEP_MS);
	if (fd >= 0)
		close(fd);
}

static bool member_add(struct pack_plan *p, const struct folder *folder, const char *name,
		       const char *path, uint32_t mode, struct diag *diag)
{
	size_t n = p->index.nmembers;
	struct pack_member *m = pack_index_member(&p->index);
	const struct log *log;
	const struct log_file *opened = opened_file(p->opened, folder->path, name, path, &log);
	struct packed_file *f;

	p->files = array_grow(p->files, n, sizeof *p->files);
	f = &p->files[n];
	m->name = folder->name ? text_format("%s/%s", folder->name, name) : text_format("%s", name);
	m->mode = mode;
	*f = (struct packed_file){.log = NULL};
	if (opened) {
		f->log = log;
		f->bytes = opened->file.bytes;
		f->size = opened->file.size;
		f->layouts = layouts_of(p, log->ids);
		m->parted = log->events > 0 && log->nfiles == 1 && !log->disordered;
		m->first = log->first;
		m->last = log->last;
	} else if (file_load(&f->file, path, false)) {
		f->bytes = f->file.bytes;
		f->size = f->file.size;
	} else {
		diag_error(diag, DIAG_NOWHERE, "%s: %s", path, file_why(errno));
		return false;
	}
	if (file_holes_size(opened ? &opened->file : &f->file) >= FILE_HOLES_MOST) {
		diag_error(diag, DIAG_NOWHERE, "%s: %s", path, file_why(EFBIG));
		return false;
	}
	m->size = f->size;
	pack_write_file_cut(p, p->index.nmembers - 1);
	return true;
}

/*
 * Opens the directory as a trace; one that cannot be opened is packed all the same, and whoever
 * opens the packed file is told what is wrong.
 */
static struct opened *trace_try(const char *path)
{
	struct diag quiet = {.program = "glimpse"};
	struct trace *t = trace_open_as_written(path, &quiet);

	return t ? opened_of(t) : NULL;
}

void pack_plan_free(struct pack_plan *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->index.nmembers; i++)
		file_unload(&p->files[i].file);
	free(p->files);
	for (size_t i = 0; i < p->nlayouts; i++)
		record_layouts_free(p->layouts[i]);
	free(p->layouts);
	free(p->tables);
	pack_index_clear(&p->index);
	if (p->opened)
		trace_close(&p->opened->trace);
	free(p);
}

/* Reports why there are no entries. n: as scandir() has it. */
static void report_nothing(const char *path, int n, struct diag *diag)
{
	if (n < 0 && errno != ENOENT && errno != ENOTDIR)
		diag_error(diag, DIAG_NOWHERE, "%s: %s", path, strerror(errno));
	else
		diag_error(diag, DIAG_NOWHERE,
			   "%s: %s; give the log directory that holds log.0, log.1, ...", path,
			   n == 0 ? "it is empty" : "it is not a directory");
}

/*
 * Adds the files of a directory, but for those of the directories within it. Returns false after a
 * report to diag.
 */
static bool folder_add(struct pack_plan *p, const struct folder *folder,
		       const struct subdirectories *within, struct diag *diag)
{
	struct dirent **entries;
	int n = scandir(folder->path, &entries, entry_is_file, versionsort);
	bool good = true;

	if (n < 0 || (n == 0 && !folder->name)) {
		report_nothing(folder->path, n, diag);
		good = false;
	}
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;
		bool taken = good && !subdirectories_have(within, name);
		uint32_t mode;
		char *path = taken ? file_path(folder->path, name, &mode, diag) : NULL;

		if (path && strcmp(name, "names") == 0)
			names_wait(path);
		good = good && (!path || member_add(p, folder, name, path, mode, diag));
		free(path);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return good;
}

static bool folders_add(struct pack_plan *p, const char *path, struct diag *diag)
{
	static const struct subdirectories none;
	struct subdirectories within = subdirectories_find(path);
	bool good = folder_add(p, &(struct folder){path, NULL}, &within, diag);

	p->within = within.n;
	for (size_t i = 0; good && i < within.n; i++) {
		struct folder folder = {subdirectory_path(path, within.names[i]), within.names[i]};

		good = folder_add(p, &folder, &none, diag);
		free((char *)folder.path);
	}
	subdirectories_clear(&within);
	return good;
}

struct pack_plan *pack_plan_new(const char *path, struct diag *diag)
{
	struct pack_plan *p = array_zero(1, sizeof *p);

	p->opened = trace_try(path);
	if (p->opened) {
		p->index.timed = p->opened->trace.events > 0;
		p->index.origin = p->opened->trace.origin;
	}
	if (folders_add(p, path, diag))
		return p;
	pack_plan_free(p);
	return NULL;
}

/* ---- writing ---- */

#define BLOCKS 64        /* that are in memory at a time */
#define SMALL (1u << 16) /* files of fewer bytes are kept twice */

struct writer {
	struct pack_plan *plan;
	FILE *f;
	uint64_t at;  /* bytes written so far */
	size_t begun; /* the first entry of the blocks in memory */
	struct byte_buffer packed[BLOCKS];
	struct block_scratch *scratch; /* of each worker */
};

static bool bytes_write(struct writer *w, const void *bytes, size_t size)
{
	w->at += size;
	return fwrite(bytes, 1, size, w->f) == size;
}

static void entry_pack(void *context, size_t i, unsigned worker)
{
	struct writer *w = context;
	struct pack_block *b = &w->plan->index.entries[w->begun + i].block;
	const struct packed_file *f = &w->plan->files[b->member];

	w->packed[i].size = 0;
	block_pack(&w->packed[i], b, f->bytes + b->offset,
		   PACK_CODEC(b->codec) == PACK_COLUMNS_NATIVE ? f->layouts : NULL,
		   &w->scratch[worker]);
}

static bool entries_write(struct writer *w)
{
	struct pack_index *x = &w->plan->index;
	bool good = true;

	for (; good && w->begun < x->nentries; w->begun += BLOCKS) {
		size_t n = x->nentries - w->begun < BLOCKS ? x->nentries - w->begun : BLOCKS;

		progress_step(w->begun, x->nentries);
		parallel_for(n, entry_pack, w);
		for (size_t i = 0; good && i < n; i++) {
			x->entries[w->begun + i].block.at = w->at;
			good = bytes_write(w, w->packed[i].bytes, w->packed[i].size);
		}
	}
	return good;
}

/*
 * Returns whether a damaged block would make others unreadable: the heads of logs that are not
 * small, and small files that are no logs.
 */
static bool worth_a_copy(const struct pack_plan *p, const struct pack_entry *e)
{
	const struct packed_file *f = &p->files[e->block.member];

	return (f->size < SMALL) != (f->log != NULL) && e->block.offset == 0 &&
	       e->block.size < SMALL;
}

static bool copies_write(struct writer *w)
{
	struct pack_index *x = &w->plan->index;
	size_t n = x->nentries;
	struct byte_buffer packed = {NULL, 0, 0};
	bool good = true;

	for (size_t i = 0; good && i < n; i++) {
		struct pack_block b = x->entries[i].block;

		if (!worth_a_copy(w->plan, &x->entries[i]))
			continue;
		packed.size = 0;
		b.at = w->at;
		block_pack(&packed, &b, w->plan->files[b.member].bytes + b.offset, NULL,
			   &w->scratch[0]);
		good = bytes_write(w, packed.bytes, packed.size);
		pack_index_entry(x)->block = b;
	}
	free(packed.bytes);
	return good;
}

/* Writes what is no part of a file in as many blocks as it takes. */
static bool list_write(struct writer *w, uint32_t member, const struct byte_buffer *list)
{
	struct byte_buffer packed = {NULL, 0, 0};
	bool good = true;

	for (size_t at = 0; good && at < list->size; at += BLOCK_SIZE) {
		size_t left = list->size - at;
		struct pack_block b = {.member = member,
				       .size = left < BLOCK_SIZE ? (uint32_t)left : BLOCK_SIZE,
				       .offset = at};

		packed.size = 0;
		block_pack(&packed, &b, list->bytes + at, NULL, &w->scratch[0]);
		good = bytes_write(w, packed.bytes, packed.size);
	}
	free(packed.bytes);
	return good;
}

static bool begin_write(struct writer *w)
{
	unsigned char header[PACK_HEADER] = PACK_MAGIC;
	struct byte_buffer list = {NULL, 0, 0};
	bool good;

	write_little_32(header + 8, w->plan->within ? PACK_VERSION_WITHIN : PACK_VERSION);
	pack_index_write_members(&list, &w->plan->index);
	good = bytes_write(w, header, sizeof header) && list_write(w, MEMBER_LIST, &list);
	free(list.bytes);
	return good;
}

static bool end_write(struct writer *w)
{
	unsigned char trailer[PACK_TRAILER];
	struct byte_buffer list = {NULL, 0, 0};
	bool good;

	write_little_64(trailer, w->at);
	memcpy(trailer + 8, PACK_END_MAGIC, 8);
	pack_index_sort(&w->plan->index);
	pack_index_write(&list, &w->plan->index);
	good = list_write(w, MEMBER_INDEX, &list) && bytes_write(w, trailer, sizeof trailer);
	free(list.bytes);
	return good;
}

bool pack_write(struct pack_plan *p, FILE *f)
{
	struct writer *w = array_zero(1, sizeof *w);
	unsigned workers = parallel_workers();
	bool good;

	w->plan = p;
	w->f = f;
	w->scratch = array_zero(workers, sizeof *w->scratch);
	progress_begin("packing");
	good = begin_write(w) && entries_write(w) && copies_write(w) && end_write(w);
	progress_end();
	for (unsigned i = 0; i < workers; i++)
		block_scratch_free(&w->scratch[i]);
	for (size_t i = 0; i < BLOCKS; i++)
		free(w->packed[i].bytes);
	free(w->scratch);
	free(w);
	return good && fflush(f) == 0;
}
