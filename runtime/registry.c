#include "runtime/registry.h"
#include "runtime/file.h"
#include "runtime/guard.h"
#include "runtime/log.h"
#include "runtime/modules.h"
#include "runtime/process.h"
#include "runtime/text.h"
#include "runtime/thread_tails.h"
#include "runtime/warning.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Switches -------------------------------------------------------------------------------- */

/* A record of the file "switches". */
struct switch_record {
	uint32_t id;
	uint32_t on;
	uint64_t ticks;
};

static void change_record(uint32_t id, bool on)
{
	struct switch_record c = { id, on, gl_clock_ticks() };
	int fd = gl_file_open(gl_process_path("switches", UINT32_MAX),
			      O_WRONLY | O_CREAT | O_APPEND, NULL);

	if (fd < 0)
		return;
	gl_file_append(fd, &c, sizeof c);
	gl_file_close(fd);
}

/*
 * Sets the switch of an event id. Being on at the start of the run is not recorded. The time
 * recorded as off contains all of the time in which events are missing.
 */
static void switch_set(uint32_t id, bool on, bool start)
{
	uint32_t *word = &gl_process.file->switches[id];

	if (on)
		__atomic_store_n(word, id, __ATOMIC_SEQ_CST);
	if (!on || !start)
		change_record(id, on);
	if (!on)
		__atomic_store_n(word, GLIMPSE_OFF, __ATOMIC_SEQ_CST);
}

/* Returns whether `item` is *, EVENT, SPECIFICATION or SPECIFICATION.EVENT of an event. */
static bool item_names(const char *item, size_t length, const char *spec, const char *event)
{
	size_t n = strlen(spec);

	if ((length == 1 && *item == '*') || (length == n && memcmp(item, spec, n) == 0))
		return true;
	if (length > n + 1 && strncmp(item, spec, n) == 0 && item[n] == '.') {
		item += n + 1;
		length -= n + 1;
	}
	return length == strlen(event) && memcmp(item, event, length) == 0;
}

/* Returns whether GLIMPSE_OFF, items between commas, names an event. */
static bool event_off_at_start(const char *spec, const char *event)
{
	const char *s = secure_getenv("GLIMPSE_OFF");

	while (s && *s) {
		size_t length = strcspn(s, ",");

		if (item_names(s, length, spec, event))
			return true;
		s += length + (s[length] == ',');
	}
	return false;
}

/* ---- Specifications -------------------------------------------------------------------------- */

static void spec_words(struct glimpse_spec *spec, uint32_t *words)
{
	__atomic_store_n(&spec->words, words, __ATOMIC_RELEASE);
}

/* Gives a specification its own words again, all of one value: GLIMPSE_NEW or GLIMPSE_OFF. */
static void spec_reset(struct glimpse_spec *spec, uint32_t word)
{
	for (uint32_t i = 0; i < spec->nevents; i++)
		__atomic_store_n(&spec->local[i], word, __ATOMIC_RELAXED);
	spec_words(spec, spec->local);
}

/*
 * The first byte is written last. Readers pass over a file that has 0 there: a process that is
 * killed may leave a half of the text, which can look like another specification.
 */
static bool text_write(int fd, const struct glimpse_spec *spec)
{
	size_t first = spec->length > 0;

	return gl_file_write(fd, spec->text + first, spec->length - first, first) &&
	       gl_file_write(fd, spec->text, first, 0);
}

/* Writes NAME.spec, or NAME-SCHEMA.spec if another specification has that name. */
static void text_save(const struct glimpse_spec *spec)
{
	struct file_mark mark;
	int fd = -1;

	for (int other = 0; other < 2 && fd < 0; other++) {
		char *path = (char *)gl_process_path(spec->name, UINT32_MAX);

		if (other) {
			gl_text_add(path, GL_PATH_MAX, "-");
			gl_text_add_hex(path, GL_PATH_MAX, spec->schema);
		}
		gl_text_add(path, GL_PATH_MAX, ".spec");
		fd = gl_file_create(path, &mark);
	}
	if (fd < 0 || !text_write(fd, spec)) {
		gl_warning_print(WARNING_REGISTER, "cannot write", gl_process.path, errno,
				 "the tools need -s FILE for this log");
		if (fd >= 0)
			gl_file_remove(gl_process.path, &mark);
	}
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
		switch_set(e->base + i, !event_off_at_start(spec->name, spec->events[i]), true);
}

/*
 * Returns the entry of a specification in the process file. A library that is loaded again, or
 * twice, finds the ids it had. Returns NULL if there is no room for an entry.
 */
static struct spec_entry *entry_find(const struct glimpse_spec *spec)
{
	struct spec_entry *e = gl_process.file->specs;
	struct tail *t = gl_thread_tails_idle();

	for (unsigned i = 0; i < GL_SPECS; i++, e++) {
		if (e->count && entry_is(e, spec))
			return e;
		if (e->count)
			continue;
		if (spec->nevents > GL_IDS - gl_process.next_id)
			return NULL;
		entry_fill(e, spec);
		gl_process_save();
		if (t)
			gl_log_schema(t, e);
		return e;
	}
	return NULL;
}

static void spec_publish(struct glimpse_spec *spec)
{
	struct spec_entry *e;

	if ((spec->abi & ~GLIMPSE_ADDRESSES) != GLIMPSE_ABI) {
		gl_warning_print(WARNING_REGISTER,
				 "stubs generated for another version of libglimpse:", spec->name,
				 0, "run glimpsec again; its events are not logged");
		spec_reset(spec, GLIMPSE_OFF);
		return;
	}
	e = entry_find(spec);
	if (!e) {
		gl_warning_print(WARNING_REGISTER,
				 "too many event types in one process:", spec->name, 0,
				 "its events are not logged");
		spec_reset(spec, GLIMPSE_OFF);
		return;
	}
	spec_words(spec, gl_process.file->switches + e->base);
	if (spec->abi & GLIMPSE_ADDRESSES)
		gl_modules_want();
}

/*
 * ---- Names in GLIMPSE_OFF that are nearly right ------------------------------------------------
 */

enum { NEAR_NAME = 64 };

/* Returns how many letters must be changed, added or left out to make one name of the other. */
static unsigned name_distance(const char *a, size_t n, const char *b)
{
	unsigned row[NEAR_NAME + 1], length = (unsigned)strlen(b);

	if (length > NEAR_NAME)
		return UINT32_MAX;
	for (unsigned k = 0; k <= length; k++)
		row[k] = k;
	for (size_t i = 0; i < n; i++) {
		unsigned before = row[0]++;

		for (unsigned k = 1; k <= length; k++) {
			unsigned least = before + (a[i] != b[k - 1]);

			before = row[k];
			least = row[k - 1] + 1 < least ? row[k - 1] + 1 : least;
			row[k] = before + 1 < least ? before + 1 : least;
		}
	}
	return row[length];
}

/* Returns the event that is nearest to an item of GLIMPSE_OFF; NULL if an event has the name, or
 * none is near. */
static const char *nearest_event(const char *item, size_t length)
{
	unsigned best = (unsigned)((length + 1) / 3) + 1; /* letters that are exchanged are two */
	const char *near = NULL;

	for (const struct glimpse_spec *s = gl_process.specs; s; s = s->next)
		for (uint32_t i = 0; i < s->nevents; i++) {
			unsigned distance;

			if (item_names(item, length, s->name, s->events[i]))
				return NULL;
			distance = name_distance(item, length, s->events[i]);
			if (distance < best) {
				best = distance;
				near = s->events[i];
			}
		}
	return near;
}

static void names_check(void)
{
	const char *s = secure_getenv("GLIMPSE_OFF");

	while (s && *s) {
		size_t length = strcspn(s, ",");
		const char *near = length <= NEAR_NAME ? nearest_event(s, length) : NULL;
		char name[NEAR_NAME + 1] = "", remedy[2 * NEAR_NAME] = "";

		if (near) {
			memcpy(name, s, length);
			gl_text_add(remedy, sizeof remedy, "did you mean ");
			gl_text_add(remedy, sizeof remedy, near);
			gl_text_add(remedy, sizeof remedy, "?");
			gl_warning_print(WARNING_SETTING, "GLIMPSE_OFF: unknown event", name, 0,
					 remedy);
		}
		s += length + (s[length] == ',');
	}
}

void gl_registry_publish(void)
{
	for (struct glimpse_spec *s = gl_process.specs; s; s = s->next)
		spec_publish(s);
	names_check();
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

bool gl_registry_has_addresses(void)
{
	for (const struct glimpse_spec *s = gl_process.specs; s; s = s->next)
		if (s->abi & GLIMPSE_ADDRESSES)
			return true;
	return false;
}

void gl_registry_add(struct glimpse_spec *spec)
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

int gl_registry_switch(const char *name, bool on)
{
	int found = -1;

	for (struct glimpse_spec *s = gl_process.specs; s; s = s->next)
		for (uint32_t i = 0; i < s->nevents; i++)
			if (s->words != s->local &&
			    item_names(name, strlen(name), s->name, s->events[i])) {
				uint32_t *word = s->words + i;

				switch_set((uint32_t)(word - gl_process.file->switches), on, false);
				found = 0;
			}
	return found;
}

void glimpse_register(struct glimpse_spec *spec)
{
	struct guard g;

	if (!gl_guard_enter(&g))
		return;
	gl_process_lock();
	gl_registry_add(spec);
	gl_process_unlock();
	gl_modules_update_soon();
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
