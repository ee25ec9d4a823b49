#include "recorder/live_process/live_stacks.h"
#include "base/hash.h"
#include "recorder/live_process/live_memory.h"
#include "recorder/live_process/live_stop.h"
#include "recorder/samples/spaces.h"
#include "recorder/samples/unwind.h"
#include "trace/symbols/code_text.h"
#include "trace/symbols/image.h"
#include "trace/symbols/made_code.h"
#include "trace/symbols/modules.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the top of each stack so many bytes are copied. */
enum { COPY_MOST = 128 << 10 };

/* The functions at an address: several where calls are inlined, innermost first. */
struct address_frames {
	VECTOR(struct live_frame) list;
};

struct raw_stack {
	uint64_t *frames;
	unsigned n;
};

struct live_stacks {
	pid_t pid;
	struct modules modules;
	struct made_codes made;
	struct hash_table known; /* addresses: the index of the next */
	VECTOR(struct address_frames) addresses;
	VECTOR(struct raw_stack) raw;
	VECTOR(struct live_stack) list;
};

/* ---- addresses ---- */

static void raw_set(struct raw_stack *r, const uint64_t *frames, unsigned n)
{
	free(r->frames);
	r->frames = array_new(n, sizeof *frames);
	memcpy(r->frames, frames, n * sizeof *frames);
	r->n = n;
}

static bool copy_unwind(struct space *space, const struct live_registers *c, struct raw_stack *raw)
{
	struct stack_copy copy = {c->pc, c->sp, c->fp, c->stack, c->size};
	uint64_t frames[UNWIND_MOST];
	bool whole;

	raw_set(raw, frames, unwind(space, &copy, frames, &whole));
	return whole;
}

/*
 * A blocked thread: /proc has two of its registers. The third, the frame pointer, is in the stack
 * if a function has saved it; else the stack ends where it is needed. Returns false if the thread
 * went on while the copy was made: it is read again.
 */
static bool stack_peek(const struct live_threads *t, struct live_thread *thread,
		       struct live_registers *c)
{
	struct live_thread before = *thread;

	c->pc = thread->call.pc;
	c->sp = thread->call.sp;
	c->fp = 0;
	c->size = live_memory_read(t->pid, c->sp, c->stack, COPY_MOST);
	if (!live_thread_read(t, thread) || live_thread_stayed(&before, thread))
		return true;
	thread->blocked = -1;
	return false;
}

static const char *stop_error(int error)
{
	switch (error) {
	case ETIMEDOUT:
		return "the thread did not leave the kernel within 100 ms";
	case EPERM:
	case EACCES:
		return "ptrace is refused";
	case ESRCH:
		return "the thread ended";
	default:
		return strerror(error);
	}
}

static void stack_stop(const struct live_threads *t, const struct live_thread *thread,
		       struct space *space, struct live_registers *copy, struct live_stack *s,
		       struct raw_stack *raw)
{
	if (!live_stop_is_safe(t, thread))
		s->lack = t->tracer ? "another process traces it"
				    : "to stop the thread would end its system call";
	else if (live_stop_copy(t->pid, thread->tid, copy, COPY_MOST, &s->stopped))
		s->whole = copy_unwind(space, copy, raw);
	else
		s->lack = stop_error(errno);
	s->sp = copy->sp;
}

static void stack_read(const struct live_threads *t, struct live_thread *thread,
		       struct space *space, struct live_stack *s, struct raw_stack *raw)
{
	static unsigned char room[COPY_MOST];
	struct live_registers copy = {.stack = room};
	enum { TRIES = 5 };
	bool stayed = false;

	for (int i = 0; i < TRIES && !stayed && thread->call.state == CALL_KNOWN; i++)
		stayed = stack_peek(t, thread, &copy);
	if (stayed)
		s->whole = copy_unwind(space, &copy, raw);
	s->sp = copy.sp;
	if (thread->call.state == CALL_UNKNOWN)
		s->lack = "the system does not let us read it";
	else if (!s->whole)
		stack_stop(t, thread, space, &copy, s, raw);
}

/* ---- names ---- */

static int64_t always(const void *unused, uint64_t ticks)
{
	(void)unused;
	(void)ticks;
	return 0;
}

/* Takes "PID SINCE " off each line, as the recorder does for each process's own file. */
static size_t lines_strip(char *text)
{
	char *to = text;

	for (char *line = text, *end; *line; line = end) {
		char *from = line;

		end = line + strcspn(line, "\n");
		end += *end == '\n';
		for (int i = 0; i < 2; i++) {
			from += strcspn(from, " \n");
			from += *from == ' ';
		}
		memmove(to, from, (size_t)(end - from));
		to += end - from;
	}
	return (size_t)(to - text);
}

static void module_look(struct live_stacks *s, struct module *m)
{
	enum image_state state;
	char *path = text_format("/proc/%d/root%s", (int)s->pid, m->path);

	m->image = image_find(m->path, &m->id, &state);
	if (!m->image && *m->path == '/')
		m->image = image_find(path, &m->id, &state);
	free(path);
	if (!m->image)
		return;
	image_range(m->image, &m->low, &m->high);
	m->low += m->base;
	m->high += m->base;
}

/* Ends the spaces of the process: what they know of modules and names is the stacks' then. */
static void names_take(struct live_stacks *s)
{
	char *modules = NULL, *made = NULL;
	size_t nmodules, nmade;
	struct space_files files = {open_memstream(&modules, &nmodules),
				    open_memstream(&made, &nmade)};

	if (!files.modules || !files.made)
		array_exhausted();
	spaces_free(&files);
	fclose(files.modules);
	fclose(files.made);
	modules_read(&s->modules, modules, lines_strip(modules), always, NULL);
	made_codes_read(&s->made, made, lines_strip(made), always, NULL);
	free(modules);
	free(made);
	for (size_t i = 0; i < s->modules.list.n; i++)
		module_look(s, &s->modules.list.at[i]);
	modules_order_memory(&s->modules);
}

static void frames_of_module(struct address_frames *f, struct module *m, uint64_t address)
{
	struct code_frames inlined = code_frames_make(m->image, m, address);
	bool library = code_is_library(m->image, m, address);

	for (size_t i = inlined.n; i-- > 0;)
		*vector_add(&f->list) =
		    (struct live_frame){text_format("%s", inlined.at[i].function),
					text_format("%s", inlined.at[i].text), address + m->base,
					module_name(m), library || inlined.at[i].of_system};
	if (!inlined.n)
		*vector_add(&f->list) =
		    (struct live_frame){code_text(m->image, m, address, CODE_FUNCTION),
					code_text(m->image, m, address, CODE_WHOLE),
					address + m->base, module_name(m), library};
	code_frames_free(&inlined);
}

static const struct address_frames *frames_at(struct live_stacks *s, uint64_t address)
{
	uint32_t number = hash_table_number(&s->known, address, 0, s->addresses.n);
	const struct made_code *made;
	struct address_frames *f;
	struct module *m;

	if (number < s->addresses.n)
		return &s->addresses.at[number];
	f = vector_add(&s->addresses);
	m = modules_at(&s->modules, address, 0);
	made = m ? NULL : made_codes_at(&s->made, address, 0);
	if (m)
		frames_of_module(f, m, address - m->base);
	else
		*vector_add(&f->list) = (struct live_frame){
		    made ? text_format("%s", made->name) : text_format("[no file]"),
		    made ? text_format("%s", made->name)
			 : text_format("0x%llx", (unsigned long long)address),
		    address, "", false};
	return f;
}

/* All addresses first: frames have no fixed place in memory before. */
static void names_find(struct live_stacks *s)
{
	for (size_t i = 0; i < s->raw.n; i++)
		for (unsigned k = 0; k < s->raw.at[i].n; k++)
			frames_at(s, s->raw.at[i].frames[k]);
	for (size_t i = 0; i < s->raw.n; i++)
		for (unsigned k = 0; k < s->raw.at[i].n; k++) {
			const struct address_frames *f = frames_at(s, s->raw.at[i].frames[k]);

			for (size_t n = 0; n < f->list.n; n++)
				*vector_add(&s->list.at[i].frames) = &f->list.at[n];
		}
}

/* ---- all of them ---- */

struct live_stacks *live_stacks_read(struct live_threads *t)
{
	struct live_stacks *s = array_zero(1, sizeof *s);
	struct space *space;

	s->pid = t->pid;
	spaces_open("");
	space_read(t->pid);
	space = space_at((uint32_t)t->pid, 0);
	for (size_t i = 0; i < t->list.n; i++) {
		struct live_stack *stack = vector_add(&s->list);
		struct raw_stack *raw = vector_add(&s->raw);

		stack_read(t, &t->list.at[i], space, stack, raw);
		stack->known = raw->n > 0;
	}
	live_stop_end();
	names_take(s);
	names_find(s);
	return s;
}

void live_stacks_free(struct live_stacks *s)
{
	for (size_t i = 0; i < s->addresses.n; i++) {
		struct address_frames *f = &s->addresses.at[i];

		for (size_t k = 0; k < f->list.n; k++) {
			free((char *)f->list.at[k].function);
			free((char *)f->list.at[k].text);
		}
		free(f->list.at);
	}
	for (size_t i = 0; i < s->list.n; i++) {
		free(s->list.at[i].frames.at);
		free(s->raw.at[i].frames);
	}
	modules_clear(&s->modules);
	made_codes_clear(&s->made);
	hash_table_free(&s->known);
	free(s->addresses.at);
	free(s->raw.at);
	free(s->list.at);
	free(s);
}

const struct live_stack *live_stack(const struct live_stacks *s, size_t i)
{
	return &s->list.at[i];
}

char *live_variable(const struct live_stacks *s, uint64_t address)
{
	struct module *m = modules_with(&s->modules, address, 0);

	return m ? code_variable(m->image, address - m->base) : NULL;
}

bool live_is_in_file(const struct live_stacks *s, uint64_t address)
{
	return modules_with(&s->modules, address, 0) != NULL;
}

uint64_t live_function_begin(const struct live_stacks *s, uint64_t address)
{
	struct module *m = modules_at(&s->modules, address, 0);
	struct place p;

	return m && m->image && image_function(m->image, address - m->base, &p) ? address - p.offset
										: 0;
}
