#include "formats/logs_inside.h"
#include "trace/write/log_write.h"
#include "trace/write/process_write.h"
#include "trace/write/spec_write.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- begin ---- */

struct logs *logs_begin(const char *directory, const char *name, struct diag *diag)
{
	struct logs *l = array_zero(1, sizeof *l);

	l->directory = text_format("%s", directory);
	l->name = logs_unique_name(logs_identifier(name, "imported"), NULL, 0);
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
	char *path = text_format("%s/%s.spec", directory, name);
	bool good = spec_write(path, text, strlen(text));

	free(path);
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
		logs_later_put(t);
	end = logs_room(t, NOTE_HEADER);
	write_32(end, RECORD_NOTE);
	write_32(end + 4, (uint32_t)NOTE_END << 24);
	t->used += NOTE_HEADER;
	logs_flush(t);
	if (l->error || !log_file_begin_head(&w, t->process->path, &head))
		return false;
	for (size_t i = 0; i < h->n; i++)
		log_file_schema(&w, h->specs[i].schema, h->specs[i].base, h->specs[i].events,
				h->specs[i].name);
	return log_file_end_head(&w, HEAD_ROOM);
}

/*
 * Returns the name of a process' directory among others: letters that files may have. The caller
 * frees it.
 */
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
	return good && logs_names_write(p) && process_write(p->path, &head) && process_move(p);
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
			logs_failed(l, errno);
			diag_error(l->diag, DIAG_NOWHERE, "cannot write %s: %s", l->directory,
				   l->error ? strerror(l->error) : "a write failed");
			return false;
		}
	misfits_warn(l);
	return true;
}

bool logs_has_events(const struct logs *l)
{
	return l->events > 0;
}

bool logs_end(struct logs *l)
{
	struct spec *made;
	char *text = NULL;
	bool good = false;

	made = made_parse(l, &text);
	if (made)
		good = all_end(l, made, text);
	spec_free(made);
	free(text);
	logs_discard(l);
	return good;
}
