#include "trace/format/log_name.h"
#include "trace/format/format.h"
#include <stdio.h>
#include <string.h>

/*
 * Reads a number as the runtime writes it, without leading zeros. Returns the text after it, or
 * NULL if there is no number.
 */
static const char *number_read(const char *text, uint32_t *number)
{
	size_t digits = strspn(text, "0123456789");
	uint64_t value = 0;

	if (digits == 0 || digits > 10 || (text[0] == '0' && digits > 1))
		return NULL;
	for (size_t i = 0; i < digits; i++)
		value = 10 * value + (uint64_t)(text[i] - '0');
	*number = (uint32_t)value;
	return value < UINT32_MAX ? text + digits : NULL;
}

bool log_name_parse(const char *name, const char *prefix, struct log_name *log)
{
	size_t length = strlen(prefix);
	const char *rest;

	log->level = 0;
	if (strncmp(name, prefix, length) != 0)
		return false;
	rest = number_read(name + length, &log->number);
	if (!rest || *rest == '\0')
		return rest;
	if (*rest != '.')
		return false;
	rest = number_read(rest + 1, &log->level);
	return rest && *rest == '\0' && log->level > 0 && log->level < LOG_LEVELS;
}

const char *log_name_print(char text[LOG_NAME_TEXT], struct log_name log)
{
	snprintf(text, LOG_NAME_TEXT, log.level ? "log.%u.%u" : "log.%u", log.number, log.level);
	return text;
}

int log_name_compare(const struct log_name *a, const struct log_name *b)
{
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->level > b->level) - (a->level < b->level);
}
