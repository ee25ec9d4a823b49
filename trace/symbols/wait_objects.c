#include "trace/symbols/wait_objects.h"
#include <fnmatch.h>
#include <string.h>

enum { MOST_BEFORE = 3 }; /* functions of the C library within those that match */

/*
 * Returns the name of a function behind the type that it returns, which the demangled name of an
 * instance of a template begins with: "void std::f<int>(int)".
 */
static const char *without_type(const char *function)
{
	const char *name = function;
	int depth = 0;

	for (const char *at = function; *at && (depth || *at != '('); at++) {
		/* its brackets are no pairs */
		if (strncmp(at, "operator", strlen("operator")) == 0)
			break;
		if (strncmp(at, "->", 2) == 0)
			at += 2;
		depth += *at == '<' || *at == '(' || *at == '{';
		depth -= *at == '>' || *at == ')' || *at == '}';
		if (!depth && *at == ' ')
			name = at + 1;
	}
	return name;
}

static bool words_match(const struct object_words *words, const char *function)
{
	for (unsigned i = 0; i < words->nfunctions; i++)
		if (strcmp(words->functions[i], function) == 0 ||
		    fnmatch(words->functions[i], function, 0) == 0)
			return true;
	return false;
}

const struct object_words *object_words_matching(const struct spec *spec, const char *function)
{
	function = without_type(function);
	for (unsigned i = 0; i < spec->nobject_words; i++)
		if (!spec->object_words[i]->of && words_match(spec->object_words[i], function))
			return spec->object_words[i];
	return NULL;
}

struct wait_object wait_object_find(const struct spec *spec, wait_frame *frame, void *context)
{
	struct wait_object object = {NULL, 0};
	const char *function;
	unsigned before = 0;
	bool matched = false;

	for (unsigned i = 0; frame(context, i, &function); i++) {
		const struct object_words *words =
		    function ? object_words_matching(spec, function) : NULL;

		if (words) {
			matched = true;
			object.site = i + 1;
			if (words->name)
				object.words = words;
		} else if (function && matched) {
			object.site = i;
			break;
		} else if (function && ++before > MOST_BEFORE) {
			break;
		}
	}
	return object;
}

const struct object_words *wait_caller_words(const struct spec *spec, const char *of,
					     const char *function)
{
	for (unsigned i = 0; i < spec->nobject_words; i++) {
		const struct object_words *words = spec->object_words[i];

		if (words->name && words->of && strcmp(words->of, of) == 0 &&
		    words_match(words, function))
			return words;
	}
	return NULL;
}
