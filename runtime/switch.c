#include "runtime/switch.h"
#include "runtime/file.h"
#include "runtime/guard.h"
#include "runtime/process.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the file "switches" consists of. */
struct change {
	uint32_t id;
	uint32_t on;
	uint64_t ticks;
};

static void change_record(uint32_t id, bool on)
{
	struct change c = { id, on, gl_clock_ticks() };
	int fd = gl_file_open(gl_process_path("switches", UINT32_MAX),
			      O_WRONLY | O_CREAT | O_APPEND);
	ssize_t ignored;

	if (fd < 0)
		return;
	ignored = write(fd, &c, sizeof c);
	(void)ignored;
	gl_file_close(fd);
}

/* What is recorded as off holds all of the time in which events are missing. */
void gl_switch_set(uint32_t id, bool on, bool start)
{
	uint32_t *word = &gl_process.file->switches[id];

	if (on)
		__atomic_store_n(word, id, __ATOMIC_SEQ_CST);
	if (!on || !start)
		change_record(id, on);
	if (!on)
		__atomic_store_n(word, GLIMPSE_OFF, __ATOMIC_SEQ_CST);
}

static bool names(const char *item, size_t length, const char *spec, const char *event)
{
	size_t n = strlen(spec);

	if (length == 1 && *item == '*')
		return true;
	if (length > n + 1 && strncmp(item, spec, n) == 0 && item[n] == '.') {
		item += n + 1;
		length -= n + 1;
	}
	return length == strlen(event) && memcmp(item, event, length) == 0;
}

bool gl_switch_off_at_start(const char *spec, const char *event)
{
	const char *s = secure_getenv("GLIMPSE_OFF");

	while (s && *s) {
		size_t length = strcspn(s, ",");

		if (names(s, length, spec, event))
			return true;
		s += length + (s[length] == ',');
	}
	return false;
}

static int switch_named(const char *event, bool on)
{
	const struct process_file *file = gl_process.file;
	int found = -1;

	for (struct glimpse_spec *s = gl_process.specs; s; s = s->next)
		for (uint32_t i = 0; i < s->nevents; i++)
			if (s->words != s->local &&
			    names(event, strlen(event), s->name, s->events[i])) {
				gl_switch_set((uint32_t)(s->words - file->switches) + i, on, false);
				found = 0;
			}
	return found;
}

int glimpse_switch(const char *event, int on)
{
	struct guard g;
	int result = -1;

	if (!event || !gl_guard_enter(&g))
		return -1;
	gl_process_lock();
	if (gl_process_open())
		result = switch_named(event, on != 0);
	gl_process_unlock();
	gl_guard_leave(&g);
	return result;
}
