#include "trace/symbols/event_stacks.h"
#include <string.h>

uint64_t object_stack(const struct event_type *type, const unsigned char *record)
{
	uint64_t waiter = 0;

	if (!event_has_stack_and_code(type))
		return 0;
	for (unsigned i = 0; i < type->nattributes; i++)
		if (strcmp(type->attributes[i].name, NAME_WAITER) == 0)
			waiter = (uint64_t)record_value(type, i, record).integer;
	return waiter
		   ? waiter
		   : (uint64_t)record_value(type, (unsigned)type->stack_attribute, record).integer;
}
