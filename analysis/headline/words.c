#include "analysis/headline/words.h"
#include "analysis/activity/span_text.h"
#include "analysis/headline/causes.h"
#include "trace/address.h"
#include "trace/plain_name.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>
#include <string.h>

/* Code without a symbol, "libc.so.6:fn_1b30", "0x7f00" or "[unnamed code]", gets no "()". */
static bool is_symbol(const char *name)
{
	return *name != '[' && !strstr(name, ":fn_") && strncmp(name, "0x", 2) != 0 &&
	       !strstr(name, "+0x");
}

bool is_start(const char *function)
{
	return *function == '[' && module_is_of_run_time(function + 1);
}

void say_function(struct part_line *l, const char *name)
{
	int n = (int)plain_name_length(name);
	char *plain = text_format("%.*s", n, name), *shown = plain_name_short(plain);

	line_link(l, PART_FUNCTION, name, "%s%s", shown, is_symbol(plain) ? "()" : "");
	free(shown);
	free(plain);
}

void say_site(struct part_line *l, const char *name)
{
	size_t n;
	const char *line = plain_name_line(name, &n);

	say_function(l, name);
	if (!line)
		return;
	line_say(l, ", ");
	line_link(l, PART_PLACE, name, "%.*s", (int)n, line);
}

void say_thread(struct part_line *l, const struct trace *t, uint32_t thread)
{
	const struct trace_thread *is = &t->threads[thread];

	line_link(l, PART_THREAD, is->label, "%s", is->label)->number = is->number;
}

uint32_t thread_keyed(const struct evidence *g, int64_t key)
{
	for (uint32_t i = 0; i < g->trace->nthreads; i++)
		if (g->names[i] == key)
			return i;
	return NO_THREAD;
}

void say_keyed_thread(struct part_line *l, const struct evidence *g, int64_t key, const char *name)
{
	uint32_t thread = thread_keyed(g, key);

	if (thread != NO_THREAD)
		say_thread(l, g->trace, thread);
	else
		line_link(l, PART_THREAD, name, "%s", name);
}

/*
 * The name of a lock that the program did not name says what it is: "lock 3". That of one which is
 * known by its call site begins with the word of its language: "Mutex of append (journal.cc:26)".
 */
static bool name_has_kind(const struct span_class *c, const struct subject *lock,
			  const struct evidence *g)
{
	if (c && c->words && name_says(lock->name, c->words->name))
		return true;
	return c && c->lock != NO_LOCK &&
	       symbols_is_numbered(lock->name, g->set->objects->locks.at[c->lock].kind);
}

void say_lock_name(struct part_line *l, const struct evidence *g, const struct subject *lock)
{
	const struct span_class *c = subject_class(g, lock);

	if (!name_has_kind(c, lock, g))
		line_say(l, "%s ", c && c->words ? c->words->name : "lock");
	line_link(l, PART_OBJECT, lock_name_of(g->set->objects, lock->name), "%s", lock->name);
}

static const char *class_word(const struct span_class *c)
{
	const struct interval *i = c->role->interval;
	const char *label = class_style_label(c);

	return c->role->kind == KIND_HOLD ? "lock held" : label ? label : i->name;
}

void say_class(struct part_line *l, const struct evidence *g, const struct span_class *c)
{
	line_say(l, "%s", class_word(c));
	if (c->site == NO_KEY)
		return;
	line_say(l, " in ");
	say_site(l, evidence_text(g, c->site));
}

void say_subject(struct part_line *l, const struct evidence *g, const struct subject *s)
{
	const struct span_class *c;

	switch (s->kind) {
	case SUBJECT_LOCK:
		say_lock_name(l, g, s);
		break;
	case SUBJECT_THREAD:
		say_keyed_thread(l, g, s->key, s->name);
		break;
	case SUBJECT_FUNCTION:
		say_function(l, s->name);
		break;
	case SUBJECT_SITE:
		c = subject_class(g, s);
		line_say(l, "%s in ", c ? class_word(c) : "time");
		say_function(l, s->name);
		break;
	default:
		line_say(l, "%s", s->name);
	}
}
