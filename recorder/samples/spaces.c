#include "recorder/samples/spaces.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/monotonic.h"
#include "recorder/samples/code_exit.h"
#include "recorder/samples/made.h"
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* Between two readings of /proc/PID/maps, ns; the longer, the less the readings find. */
#define READ_LEAST INT64_C(10000000)
#define READ_MOST INT64_C(1000000000)

/* Code is read again after so long, ns: it may be other code by then. */
#define EXIT_KEPT INT64_C(100000000)
enum { EXITS = 256 };

/* So many rules of modules are found at once, by the address. */
enum { FOUND = 1 << 13 };

/* The rule for an instruction of a module, as a process has mapped it. */
struct found_rule {
	uint64_t pc, version; /* version: of the mappings */
	struct cfi_rule rule;
};

/* The rule for an instruction of code without a module. */
struct made_exit {
	uint64_t pc;
	int64_t read; /* when; 0: not yet */
	bool known;
	struct cfi_rule rule;
};

struct space_mapping {
	struct mapping m; /* its path is the space's own */
	struct sampled_image *image;
	bool looked; /* for the image */
};

struct space {
	uint32_t pid, number;
	int64_t since, ended; /* ended: INT64_MAX while it lives */
	VECTOR(struct space_mapping) maps;
	uint64_t version; /* of the mappings; no others have it */
	size_t last;      /* found */
	int64_t read,
	    pause; /* when its maps were read last, and how long they are not read again then */
	struct generated_code *made; /* NULL: no code without a module was sampled */
	struct made_exit *exits;
	int python; /* see space_python() */
};

static VECTOR(struct space *) spaces;
static uint32_t spaces_made;
static uint64_t versions; /* given so far; 0 is none */
static struct found_rule found[FOUND];
static const char *trace_directory;

/* ---- spaces ---- */

static struct space *space_add(uint32_t pid, int64_t since)
{
	struct space *s = array_zero(1, sizeof *s);

	s->pid = pid;
	s->number = spaces_made++;
	s->since = since;
	s->ended = INT64_MAX;
	s->version = ++versions;
	s->python = INT_MAX;
	*vector_add(&spaces) = s;
	return s;
}

/* Returns the last space of a process that began before a time or then; NULL: none. */
static struct space *space_find(uint32_t pid, int64_t time)
{
	struct space *last = NULL;

	/* records of several buffers come in no order */
	for (size_t i = 0; i < spaces.n; i++)
		if (spaces.at[i]->pid == pid && spaces.at[i]->since <= time &&
		    (!last || spaces.at[i]->since >= last->since))
			last = spaces.at[i];
	return last;
}

struct space *space_at(uint32_t pid, int64_t time)
{
	struct space *s = space_find(pid, time);

	return s ? s : space_add(pid, time);
}

bool space_lives(uint32_t pid)
{
	const struct space *s = space_find(pid, INT64_MAX);

	return s && s->ended == INT64_MAX;
}

uint32_t space_number(const struct space *s)
{
	return s->number;
}

struct space_identity space_identity(const struct space *s)
{
	return (struct space_identity){s->pid, s->since};
}

void space_execute(uint32_t pid, int64_t time)
{
	struct space *s = space_find(pid, time);

	if (s && s->ended > time)
		s->ended = time;
	space_add(pid, time);
}

void space_fork(uint32_t pid, uint32_t parent, int64_t time)
{
	const struct space *from = space_find(parent, time);
	struct space *s = space_add(pid, time);

	if (from)
		s->python = from->python;
	for (size_t i = 0; from && i < from->maps.n; i++) {
		struct space_mapping *m = vector_add(&s->maps);

		*m = from->maps.at[i];
		m->m.path = text_format("%s", from->maps.at[i].m.path);
	}
}

void space_end(uint32_t pid, int64_t time)
{
	struct space *s = space_find(pid, time);

	if (s && s->ended > time)
		s->ended = time;
}

static void space_free(struct space *s)
{
	for (size_t i = 0; i < s->maps.n; i++)
		free((char *)s->maps.at[i].m.path);
	free(s->maps.at);
	made_free(s->made);
	free(s->exits);
	free(s);
}

static void module_write(const struct space *s, const struct space_mapping *m, FILE *out)
{
	const struct build_id *id = image_id(m->image);
	uint64_t shift;

	if (!image_shift(m->image, m->m.offset, m->m.size, &shift))
		return;
	fprintf(out, "%" PRIu32 " %" PRId64 " 0 %016" PRIx64 " %016" PRIx64 " %016" PRIx64 " ",
		s->pid, s->since, m->m.from - m->m.offset - shift, m->m.from,
		m->m.from + m->m.size);
	for (unsigned i = 0; i < id->n; i++)
		fprintf(out, "%02x", id->bytes[i]);
	fprintf(out, "%s %s\n", id->n ? "" : "-", m->m.path);
}

static void space_end_write(struct space *s, const struct space_files *files)
{
	for (size_t i = 0; files->modules && i < s->maps.n; i++)
		if (s->maps.at[i].image)
			module_write(s, &s->maps.at[i], files->modules);
	if (files->made && s->made)
		made_write(s->made, files->made);
	space_free(s);
}

void spaces_open(const char *directory)
{
	trace_directory = directory;
}

void spaces_sweep(int64_t before, const struct space_files *files)
{
	size_t kept = 0;

	for (size_t i = 0; i < spaces.n; i++)
		if (spaces.at[i]->ended < before)
			space_end_write(spaces.at[i], files);
		else
			spaces.at[kept++] = spaces.at[i];
	spaces.n = kept;
}

void spaces_free(const struct space_files *files)
{
	for (size_t i = 0; i < spaces.n; i++)
		space_end_write(spaces.at[i], files);
	free(spaces.at);
	memset(&spaces, 0, sizeof spaces);
	spaces_made = 0;
}

/* ---- mappings ---- */

/* Records of the kernel and /proc differ in what they say of memory without a file. */
static bool mapping_equal(const struct mapping *a, const struct mapping *b)
{
	return a->from == b->from && a->size == b->size && a->inode == b->inode &&
	       (!a->inode || (a->offset == b->offset && strcmp(a->path, b->path) == 0));
}

static bool overlap(const struct mapping *a, const struct mapping *b)
{
	return a->from < b->from + b->size && b->from < a->from + a->size;
}

/* Adds a mapping in the place of what was there; returns false if the same one was. */
static bool map_add(struct space *s, const struct mapping *m)
{
	size_t kept = 0;
	struct space_mapping *new;

	for (size_t i = 0; i < s->maps.n; i++)
		if (mapping_equal(&s->maps.at[i].m, m))
			return false;
	for (size_t i = 0; i < s->maps.n; i++)
		if (overlap(&s->maps.at[i].m, m))
			free((char *)s->maps.at[i].m.path);
		else
			s->maps.at[kept++] = s->maps.at[i];
	s->maps.n = kept;
	new = vector_add(&s->maps);
	*new = (struct space_mapping){.m = *m};
	new->m.path = text_format("%s", m->path);
	s->version = ++versions;
	if (s->made && made_is_dump(m->path))
		made_dump_open(s->made, m->path);
	return true;
}

void space_map(uint32_t pid, int64_t time, const struct mapping *m)
{
	map_add(space_at(pid, time), m);
}

/*
 * Reads the executable mappings of a line; false: it is none. The line is changed, and has the
 * path.
 */
static bool maps_line_read(char *line, struct mapping *m)
{
	uint64_t to;
	char mode[5];
	int path = 0;

	*m = (struct mapping){.path = ""};
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n", &m->from,
		   &to, mode, &m->offset, &m->major, &m->minor, &m->inode, &path) < 7 ||
	    !strchr(mode, 'x'))
		return false;
	line[strcspn(line, "\n")] = '\0';
	m->size = to - m->from;
	m->path = line + path;
	return true;
}

/* Adds what the process has mapped by now; returns whether something of that is new. */
static bool maps_read(struct space *s)
{
	char *name = text_format("/proc/%d/maps", (int)s->pid), *line = NULL;
	FILE *f = fopen(name, "re");
	bool changed = false;
	struct mapping m;
	size_t room = 0;

	free(name);
	while (f && getline(&line, &room, f) > 0)
		if (maps_line_read(line, &m))
			changed |= map_add(s, &m);
	free(line);
	if (f)
		fclose(f);
	return changed;
}

void space_read(pid_t pid)
{
	maps_read(space_at((uint32_t)pid, 0));
}

static struct space_mapping *mapped_find(struct space *s, uint64_t pc)
{
	if (s->last < s->maps.n && pc - s->maps.at[s->last].m.from < s->maps.at[s->last].m.size)
		return &s->maps.at[s->last];
	for (size_t i = 0; i < s->maps.n; i++)
		if (pc - s->maps.at[i].m.from < s->maps.at[i].m.size) {
			s->last = i;
			return &s->maps.at[i];
		}
	return NULL;
}

/*
 * Memory that becomes executable after it was mapped is in no record of the kernel: /proc has it.
 */
static struct space_mapping *mapped_look(struct space *s, uint64_t pc)
{
	struct space_mapping *m = mapped_find(s, pc);
	int64_t now;

	if (m || s->ended < INT64_MAX || (now = monotonic_now()) - s->read < s->pause)
		return m;
	s->read = now;
	s->pause = maps_read(s) ? READ_LEAST : 2 * s->pause;
	s->pause = s->pause < READ_LEAST ? READ_LEAST : s->pause < READ_MOST ? s->pause : READ_MOST;
	return mapped_find(s, pc);
}

const char *space_module(struct space *s, uint64_t pc)
{
	const struct space_mapping *m = mapped_look(s, pc);

	return m ? m->m.path : NULL;
}

bool space_has_module(const struct space *s, const char *begin)
{
	for (size_t i = 0; i < s->maps.n; i++) {
		const char *path = s->maps.at[i].m.path, *name = strrchr(path, '/');

		if (name && strncmp(name + 1, begin, strlen(begin)) == 0)
			return true;
	}
	return false;
}

/* Notes which Python it is, by a path as /usr/lib/libpython3.11.so.1.0 or /usr/bin/python3.11. */
static void python_note(struct space *s, const char *path)
{
	const char *name = strrchr(path, '/');
	int minor;

	if (name &&
	    (sscanf(name, "/python3.%d", &minor) == 1 ||
	     sscanf(name, "/libpython3.%d", &minor) == 1) &&
	    minor < s->python)
		s->python = minor;
}

int space_python(const struct space *s)
{
	return s->python;
}

static struct sampled_image *mapping_image(struct space *s, struct space_mapping *m)
{
	if (!m->looked) {
		m->image = image_of((pid_t)s->pid, &m->m);
		m->looked = true;
		if (m->image)
			python_note(s, m->m.path);
	}
	return m->image;
}

bool space_waits_inside(struct space *s, uint64_t pc)
{
	struct space_mapping *m = mapped_look(s, pc);
	struct sampled_image *i = m ? mapping_image(s, m) : NULL;

	return i && image_waits_inside(i, pc - m->m.from + m->m.offset);
}

enum space_code space_rule_searched(struct space *s, uint64_t pc, struct cfi_rule *rule)
{
	struct space_mapping *m = mapped_look(s, pc);

	if (!m)
		return SPACE_NO_CODE;
	if (!mapping_image(s, m))
		return SPACE_MADE;
	*rule = image_rule(m->image, pc - m->m.from + m->m.offset);
	return SPACE_MODULE;
}

enum space_code space_rule(struct space *s, uint64_t pc, struct cfi_rule *rule)
{
	struct found_rule *f = &found[hash_mix(pc ^ s->version << 48) & (FOUND - 1)];
	enum space_code code;

	if (f->pc == pc && f->version == s->version) {
		*rule = f->rule;
		return SPACE_MODULE;
	}
	code = space_rule_searched(s, pc, rule);
	/* the search may have read mappings: they have another version then */
	if (code == SPACE_MODULE)
		*f = (struct found_rule){pc, s->version, *rule};
	return code;
}

void space_made_note(struct space *s, uint64_t pc)
{
	if (!s->made) {
		s->made = made_new((pid_t)s->pid, s->since, trace_directory);
		for (size_t i = 0; i < s->maps.n; i++)
			if (made_is_dump(s->maps.at[i].m.path))
				made_dump_open(s->made, s->maps.at[i].m.path);
	}
	made_note(s->made, pc);
}

/*
 * Reads code of the process, up to the end of the page if the next one cannot be read; returns how
 * many bytes.
 */
static size_t code_read(const struct space *s, uint64_t pc, unsigned char code[CODE_EXIT_SIZE])
{
	struct iovec to = {code, CODE_EXIT_SIZE}, from = {(void *)(uintptr_t)pc, CODE_EXIT_SIZE};
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), left = page - pc % page;
	ssize_t n = process_vm_readv((pid_t)s->pid, &to, 1, &from, 1, 0);

	if (n < 0 && left < CODE_EXIT_SIZE) {
		from.iov_len = left;
		n = process_vm_readv((pid_t)s->pid, &to, 1, &from, 1, 0);
	}
	return n < 0 ? 0 : (size_t)n;
}

bool space_made_rule(struct space *s, uint64_t pc, struct cfi_rule *rule)
{
	int64_t now = monotonic_now();
	unsigned char code[CODE_EXIT_SIZE];
	struct made_exit *e;

	if (!s->exits)
		s->exits = array_zero(EXITS, sizeof *s->exits);
	e = &s->exits[hash_mix(pc) % EXITS];
	if (e->pc != pc || !e->read || now - e->read > EXIT_KEPT) {
		*e = (struct made_exit){.pc = pc, .read = now};
		e->known =
		    s->ended == INT64_MAX && code_exit_rule(code, code_read(s, pc, code), &e->rule);
	}
	*rule = e->rule;
	return e->known;
}
