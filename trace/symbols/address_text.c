#include "spec/layout.h"
#include "trace/address.h"
#include "trace/symbols/objects.h"
#include "trace/symbols/symbols.h"
#include <string.h>

const char *address_text(const struct trace *t, char buffer[ADDRESS_TEXT], const struct event *e,
			 unsigned attribute)
{
	enum type type = e->type->attributes[attribute].type;
	struct value v = record_value(e->type, attribute, e->record);
	uint64_t address = (uint64_t)v.integer;
	const char *text = NULL;

	if (type == TYPE_OBJECT)
		text = symbols_object(t, buffer, process_of_event(t, e), address, e);
	else if (type != TYPE_ADDRESS)
		text = symbols_code(t, process_of_event(t, e), address, type == TYPE_CODE32,
				    e->time);
	return text ? text : address_digits(buffer, address);
}

const char *address_function(const struct trace *t, char buffer[ADDRESS_TEXT],
			     const struct event *e, unsigned attribute)
{
	enum type type = e->type->attributes[attribute].type;
	struct value v = record_value(e->type, attribute, e->record);
	uint64_t address = (uint64_t)v.integer;
	const char *text = symbols_function(t, process_of_event(t, e), address,
					    type == TYPE_CODE32, e->time);

	return text ? text : address_digits(buffer, address);
}

const char *address_line(const struct trace *t, const struct event *e, unsigned attribute)
{
	enum type type = e->type->attributes[attribute].type;
	struct value v = record_value(e->type, attribute, e->record);

	return symbols_line(t, process_of_event(t, e), (uint64_t)v.integer, type == TYPE_CODE32,
			    e->time);
}

const char *address_module(const struct trace *t, const struct event *e, unsigned attribute)
{
	enum type type = e->type->attributes[attribute].type;
	struct value v = record_value(e->type, attribute, e->record);

	return symbols_module(t, process_of_event(t, e), (uint64_t)v.integer, type == TYPE_CODE32,
			      e->time);
}

bool module_is_of_run_time(const char *module)
{
	static const char *const libraries[] = {
	    "libc",   "ld-linux", "ld-musl", "libpthread", "libm",       "libdl", "librt", "libgcc_s",
	    "libstdc++", "libc++", "libgomp", "libomp",     "libgfortran", "libquadmath",
	};

	if (!module)
		return false;
	if (strncmp(module, "libglimpse", strlen("libglimpse")) == 0 || strcmp(module, "[vdso]") == 0)
		return true;
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
		size_t n = strlen(libraries[i]);

		/* libc.so.6, libc-2.31.so */
		if (strncmp(module, libraries[i], n) == 0 && (module[n] == '.' || module[n] == '-'))
			return true;
	}
	return false;
}

bool address_is_of_run_time(const struct trace *t, const struct event *e, unsigned attribute)
{
	return module_is_of_run_time(address_module(t, e, attribute));
}

int64_t address_key(const struct trace *t, const struct event *e, unsigned attribute)
{
	char buffer[ADDRESS_TEXT];

	return symbols_number(t, address_text(t, buffer, e, attribute));
}

const char *address_key_text(const struct trace *t, int64_t key)
{
	return symbols_numbered(t, key);
}

int64_t text_key(const struct trace *t, const char *text)
{
	return symbols_number(t, text);
}
