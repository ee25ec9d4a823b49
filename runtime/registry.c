#include "runtime/registry.h"
#include "runtime/fault.h"
#include "runtime/file.h"
#include "runtime/guard.h"
#include "runtime/note.h"
#include "runtime/process.h"
#include "runtime/switch.h"
#include "runtime/text.h"
#include "runtime/thread.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static void spec_words(struct glimpse_spec *spec, uint32_t *words)
{
	__atomic_store_n(&spec->words, words, __ATOMIC_RELEASE);
}

/* Back to its own words, all with one value: GLIMPSE_NEW or GLIMPSE_OFF. */
static void spec_reset(struct glimpse_spec *spec, uint32_t word)
{
	for (uint32_t i = 0; i < spec->nevents; i++)
		__atomic_store_n(&spec->local[i], word, __ATOMIC_RELAXED);
	spec_words(spec, spec->local);
}

/* NAME.spec, or NAME-SCHEMA.spec when another specification has that name. */
static void text_save(const struct glimpse_spec *spec)
{
	int fd = -1;

	for (int other = 0; other < 2 && fd < 0; other++) {
		char *path = (char *)gl_process_path(spec->name, UINT32_MAX);

		if (other) {
			gl_text_add(path, GL_PATH_MAX, "-");
			gl_text_add_hex(path, GL_PATH_MAX, spec->schema);
		}
		gl_text_add(path, GL_PATH_MAX, ".spec");
		fd = gl_file_create(path);
	}
	if (fd < 0 || !gl_file_write(fd, spec->text, spec->length, 0))
		gl_fault(FAULT_REGISTER, "cannot write", gl_process.path, errno,
			 "the tools will need -s FILE for this log");
	if (fd >= 0)
		gl_file_close(fd);
}

static bool entry_is(const struct spec_entry *e, const struct glimpse_spec *spec)
{
	return e->schema == spec->schema && e->count == spec->nevents &&
	       strncmp(e->name, spec->name, sizeof e->name - 1) == 0;
}

static void entry_fill(struct spec_entry *e, const struct glimpse_spec *spec)
{
	e->schema = spec->schema;
	e->base = gl_process.next_id;
	strncpy(e->name, spec->name, sizeof e->name - 1);
	gl_process.next_id += spec->nevents;
	__atomic_store_n(&e->count, spec->nevents, __ATOMIC_RELEASE);
	text_save(spec);
	for (uint32_t i = 0; i < spec->nevents; i++)
		gl_switch_set(e->base + i, !gl_switch_off_at_start(spec->name, spec->events[i]),
			      true);
}

/* A library that is loaded again, or twice, finds the ids it had. NULL: no room for it. */
static struct spec_entry *entry_find(const struct glimpse_spec *spec)
{
	struct spec_entry *e = gl_process.file->specs;
	struct tail *t = gl_thread_opened();

	for (unsigned i = 0; i < GL_SPECS; i++, e++) {
		if (e->count && entry_is(e, spec))
			return e;
		if (e->count)
			continue;
		if (spec->nevents > GL_IDS - gl_process.next_id)
			return NULL;
		entry_fill(e, spec);
		if (t)
			gl_note_schema(t, e);
		return e;
	}
	return NULL;
}

static void spec_publish(struct glimpse_spec *spec)
{
	struct spec_entry *e;

	if (spec->abi != GLIMPSE_ABI) {
		gl_fault(FAULT_REGISTER, "stubs made for another version of libglimpse:",
			 spec->name, 0, "run glimpsec again; its events are not logged");
		spec_reset(spec, GLIMPSE_OFF);
		return;
	}
	e = entry_find(spec);
	if (!e) {
		gl_fault(FAULT_REGISTER, "too many event types in one process:", spec->name, 0,
			 "its events are not logged");
		spec_reset(spec, GLIMPSE_OFF);
		return;
	}
	spec_words(spec, gl_process.file->switches + e->base);
}

void gl_registry_publish(void)
{
	for (struct glimpse_spec *s = gl_process.specs; s; s = s->next)
		spec_publish(s);
}

void gl_registry_silence(void)
{
	for (struct glimpse_spec *s = gl_process.specs; s; s = s->next)
		spec_reset(s, GLIMPSE_OFF);
}

void gl_registry_forget(void)
{
	for (struct glimpse_spec *s = gl_process.specs; s; s = s->next)
		spec_reset(s, GLIMPSE_NEW);
}

static void registry_add(struct glimpse_spec *spec)
{
	for (struct glimpse_spec *s = gl_process.specs; s; s = s->next)
		if (s == spec)
			return;
	spec->next = gl_process.specs;
	gl_process.specs = spec;
	if (gl_process.state == PROCESS_OPEN)
		spec_publish(spec);
	else if (gl_process.state == PROCESS_CLOSED)
		spec_reset(spec, GLIMPSE_OFF);
}

void glimpse_register(struct glimpse_spec *spec)
{
	struct guard g;

	if (!gl_guard_enter(&g))
		return;
	gl_process_lock();
	registry_add(spec);
	gl_process_unlock();
	gl_guard_leave(&g);
}

void glimpse_unregister(struct glimpse_spec *spec)
{
	struct glimpse_spec **at = &gl_process.specs;
	struct guard g;

	if (!gl_guard_enter(&g))
		return;
	gl_process_lock();
	while (*at && *at != spec)
		at = &(*at)->next;
	if (*at)
		*at = spec->next;
	spec_reset(spec, gl_process.state == PROCESS_CLOSED ? GLIMPSE_OFF : GLIMPSE_NEW);
	gl_process_unlock();
	gl_guard_leave(&g);
}

/* Asked under the lock: a destructor may unregister it just afterwards, when main() returned. */
static bool spec_open(struct glimpse_spec *spec, uint32_t event)
{
	bool known;

	gl_process_lock();
	registry_add(spec);
	gl_process_open();
	known = glimpse_word(spec, event) != GLIMPSE_NEW;
	gl_process_unlock();
	return known;
}

struct glimpse_slot glimpse_begin_new(struct glimpse_spec *spec, uint32_t event, uint32_t size)
{
	bool known = false;
	struct guard g;

	if (gl_guard_enter(&g)) {
		known = spec_open(spec, event);
		gl_guard_leave(&g);
	}
	if (!known)
		return (struct glimpse_slot){ NULL, NULL };
	return glimpse_begin(spec, event, size);
}
