#include "recorder/samples/spaces.h"
#include "base/array.h"
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mapped {
	struct mapping m; /* its path is the space's own */
	struct image *image;
	bool looked; /* for the image */
};

struct space {
	uint32_t pid, number;
	int64_t since, ended; /* ended: INT64_MAX while it lives */
	VECTOR(struct mapped) maps;
	size_t last; /* found */
};

static VECTOR(struct space *) spaces;
static uint32_t made;

/* ---- spaces ---- */

static struct space *space_add(uint32_t pid, int64_t since)
{
	struct space *s = array_zero(1, sizeof *s);

	s->pid = pid;
	s->number = made++;
	s->since = since;
	s->ended = INT64_MAX;
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

uint32_t space_number(const struct space *s)
{
	return s->number;
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

	for (size_t i = 0; from && i < from->maps.n; i++) {
		struct mapped *m = vector_add(&s->maps);

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
	free(s);
}

static void module_write(const struct space *s, const struct mapped *m, FILE *out)
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

static void space_end_write(struct space *s, FILE *modules)
{
	for (size_t i = 0; modules && i < s->maps.n; i++)
		if (s->maps.at[i].image)
			module_write(s, &s->maps.at[i], modules);
	space_free(s);
}

void spaces_sweep(int64_t before, FILE *modules)
{
	size_t kept = 0;

	for (size_t i = 0; i < spaces.n; i++)
		if (spaces.at[i]->ended < before)
			space_end_write(spaces.at[i], modules);
		else
			spaces.at[kept++] = spaces.at[i];
	spaces.n = kept;
}

void spaces_free(FILE *modules)
{
	for (size_t i = 0; i < spaces.n; i++)
		space_end_write(spaces.at[i], modules);
	free(spaces.at);
	memset(&spaces, 0, sizeof spaces);
	made = 0;
}

/* ---- mappings ---- */

static bool overlap(const struct mapping *a, const struct mapping *b)
{
	return a->from < b->from + b->size && b->from < a->from + a->size;
}

void space_map(uint32_t pid, int64_t time, const struct mapping *m)
{
	struct space *s = space_at(pid, time);
	size_t kept = 0;
	struct mapped *new;

	for (size_t i = 0; i < s->maps.n; i++)
		if (overlap(&s->maps.at[i].m, m))
			free((char *)s->maps.at[i].m.path);
		else
			s->maps.at[kept++] = s->maps.at[i];
	s->maps.n = kept;
	new = vector_add(&s->maps);
	*new = (struct mapped){.m = *m};
	new->m.path = text_format("%s", m->path);
}

void space_read(pid_t pid)
{
	char *name = text_format("/proc/%d/maps", (int)pid), *line = NULL;
	FILE *f = fopen(name, "re");
	size_t room = 0;

	free(name);
	while (f && getline(&line, &room, f) > 0) {
		struct mapping m = {.path = ""};
		uint64_t to;
		char mode[5];
		int path = 0;

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n",
			   &m.from, &to, mode, &m.offset, &m.major, &m.minor, &m.inode,
			   &path) < 7 ||
		    !strchr(mode, 'x'))
			continue;
		line[strcspn(line, "\n")] = '\0';
		m.size = to - m.from;
		m.path = line + path;
		space_map((uint32_t)pid, 0, &m);
	}
	free(line);
	if (f)
		fclose(f);
}

static struct mapped *mapped_find(struct space *s, uint64_t pc)
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

bool space_rule(struct space *s, uint64_t pc, struct cfi_rule *rule)
{
	struct mapped *m = mapped_find(s, pc);

	if (!m)
		return false;
	if (!m->looked) {
		m->image = image_of((pid_t)s->pid, &m->m);
		m->looked = true;
	}
	if (!m->image)
		return false;
	*rule = image_rule(m->image, pc - m->m.from + m->m.offset);
	return true;
}
