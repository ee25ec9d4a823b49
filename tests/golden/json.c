/* The JSON writer: commas, lines, escapes, numbers. */
#include "base/json.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned count;
static bool failed;

static void expect(const char *name, const char *text, const char *wanted)
{
	bool same = !strcmp(text, wanted);

	printf("%sok %u - %s\n", same ? "" : "not ", ++count, name);
	if (!same)
		printf("# %s# instead of\n# %s", text, wanted);
	failed |= !same;
}

/* One document of some shape, as a string. */
static char *document(unsigned lines, void (*fill)(struct json *j))
{
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	struct json j = json_begin(out, lines);

	json_array(&j, NULL);
	fill(&j);
	json_close(&j);
	fclose(out);
	return text;
}

static void check(const char *name, unsigned lines, void (*fill)(struct json *j),
		  const char *wanted)
{
	char *text = document(lines, fill);

	expect(name, text, wanted);
	free(text);
}

static void nested(struct json *j)
{
	json_object(j, NULL);
	json_int(j, "a", 1);
	json_array(j, "b");
	json_bool(j, NULL, true);
	json_null(j, NULL);
	json_close(j);
	json_close(j);
	json_object(j, NULL);
	json_close(j);
}

static void integers(struct json *j)
{
	json_int(j, NULL, INT64_MIN);
	json_uint(j, NULL, UINT64_MAX);
}

static void reals(struct json *j)
{
	json_real(j, NULL, 0.1);
	json_real(j, NULL, -0.0);
	json_real(j, NULL, 1.0 / 3);
	json_real(j, NULL, 1e300);
	json_real(j, NULL, NAN);
	json_real(j, NULL, -INFINITY);
}

static void strings(struct json *j)
{
	json_string(j, NULL, "\"\\/\b\f\n\r\t\x01\x7f");
	json_string(j, NULL, NULL);
	json_bytes(j, NULL, "a\0b", 3);
}

static void utf8(struct json *j)
{
	json_string(j, NULL, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
	json_string(j, NULL, "\xff" "a\xc3");
	json_string(j, NULL, "\xc0\x80\xed\xa0\x80");
}

static void nothing(struct json *j)
{
	(void)j;
}

int main(void)
{
	check("one line", 0, nested, "[{\"a\": 1, \"b\": [true, null]}, {}]\n");
	check("a line for each element", 1, nested,
	      "[\n  {\"a\": 1, \"b\": [true, null]},\n  {}\n]\n");
	check("a line for each member of them", 2, nested,
	      "[\n  {\n    \"a\": 1,\n    \"b\": [true, null]\n  },\n  {}\n]\n");
	check("nothing in it", 1, nothing, "[]\n");
	check("integers", 0, integers, "[-9223372036854775808, 18446744073709551615]\n");
	check("reals", 0, reals, "[0.1, -0, 0.3333333333333333, 1e+300, null, null]\n");
	check("escapes", 0, strings,
	      "[\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u007f\", null, \"a\\u0000b\"]\n");
	check("UTF-8 and what is none", 0, utf8,
	      "[\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\", \"\xef\xbf\xbd" "a\xef\xbf\xbd\", "
	      "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"]\n");
	printf("1..%u\n", count);
	return failed;
}
