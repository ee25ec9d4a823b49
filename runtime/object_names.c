/*
 * glimpse_name(): names of objects, in the file objects of the log directory; glimpse_context().
 */
#include "runtime/clock.h"
#include "runtime/guard.h"
#include "runtime/modules.h"
#include "runtime/process.h"
#include "runtime/registry.h"
#include "runtime/run.h"
#include "runtime/side_files.h"
#include "runtime/text.h"

#define NAME_MOST 1024

static void name_append(const volatile void *object, const char *name)
{
	char line[NAME_MOST + 64] = "";

	gl_text_add_number(line, sizeof line, gl_clock_ticks());
	gl_text_add(line, sizeof line, " ");
	gl_text_add_hex(line, sizeof line, (uint64_t)(uintptr_t)object);
	gl_text_add(line, sizeof line, " ");
	gl_text_add_visible(line, sizeof line - 1, name);
	gl_text_add(line, sizeof line, "\n");
	gl_side_file_append(SIDE_FILE_OBJECTS, line, strlen(line));
}

void glimpse_name(const volatile void *object, const char *name)
{
	struct guard g;
	bool open;

	if (!name || !gl_guard_enter(&g))
		return;
	gl_process_lock();
	open = gl_registry_has_addresses() && gl_run_open();
	gl_process_unlock();
	gl_modules_update_soon();
	if (open)
		name_append(object, name);
	gl_guard_leave(&g);
}

/* A probe that is loaded has one that does something. */
void glimpse_context(const void *stack)
{
	(void)stack;
}
