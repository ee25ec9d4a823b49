#include "viewers/gorge/query/call_name.h"
#include "analysis/activity/roles.h"
#include "base/array.h"
#include "trace/address.h"
#include "trace/plain_name.h"

int call_function(const struct interval *interval)
{
	struct role role;

	if (interval->kind != KIND_CALL || interval->anchor.interval || interval->partner.interval)
		return -1;
	role = role_of(interval);
	return (interval->direction == FORWARDS ? role.start : role.end).code[0];
}

char *call_name(const struct trace *t, const struct event *anchor, int function)
{
	char buffer[ADDRESS_TEXT];
	const char *text = address_text(t, buffer, anchor, (unsigned)function);

	return text_format("%.*s", (int)plain_name_length(text), text);
}
