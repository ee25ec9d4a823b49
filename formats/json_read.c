#include "formats/json_read.h"
#include "config.h"

#ifdef HAVE_YAJL
#include "base/array.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <yajl/yajl_parse.h>

enum { DEPTH_MOST = 200, PART = 1 << 17, BLOCK = 1 << 16 };

/* Memory of one part: blocks that are used again for the next one. */
struct part_memory {
	VECTOR(char *) blocks;
	size_t block, used;
	VECTOR(char *) large;
};

struct json_reader {
	json_take *take;
	void *context;
	bool lines, failed, rooted; /* a root has begun */
	enum json_kind root;
	unsigned depth;   /* of containers that are open */
	unsigned outside; /* of these, those that are no part */
	struct json_value *open[DEPTH_MOST], *last[DEPTH_MOST];
	char *key, *where; /* of the value that comes; of the container that parts are in */
	struct part_memory memory;
};

/* ---- memory ---- */

static void *part_room(struct json_reader *r, size_t size)
{
	struct part_memory *m = &r->memory;

	size = (size + 15) & ~(size_t)15;
	if (size > BLOCK / 4) {
		char *large = array_new(size, 1);

		*vector_add(&m->large) = large;
		return large;
	}
	if (m->blocks.n && m->used + size > BLOCK) {
		m->block++;
		m->used = 0;
	}
	if (m->block == m->blocks.n) {
		char *block = array_new(BLOCK, 1);

		*vector_add(&m->blocks) = block;
	}
	m->used += size;
	return m->blocks.at[m->block] + m->used - size;
}

static void part_forget(struct json_reader *r)
{
	struct part_memory *m = &r->memory;

	for (size_t i = 0; i < m->large.n; i++)
		free(m->large.at[i]);
	m->large.n = 0;
	m->block = m->used = 0;
}

static void memory_free(struct json_reader *r)
{
	part_forget(r);
	for (size_t i = 0; i < r->memory.blocks.n; i++)
		free(r->memory.blocks.at[i]);
	free(r->memory.blocks.at);
	free(r->memory.large.at);
}

static char *part_text(struct json_reader *r, const char *text, size_t length)
{
	char *copy = part_room(r, length + 1);

	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

/* ---- parts ---- */

static bool part_give(struct json_reader *r, const struct json_value *v)
{
	bool good = r->take(r->context, r->where ? r->where : "", v);

	part_forget(r);
	r->failed |= !good;
	return good;
}

/* Whether a container that opens now is outside of all parts. */
static bool is_outside(const struct json_reader *r)
{
	if (r->lines || r->depth != r->outside)
		return false;
	return r->outside == 0 || (r->outside == 1 && r->root == JSON_OBJECT);
}

static struct json_value *value_add(struct json_reader *r, enum json_kind kind)
{
	struct json_value *v = part_room(r, sizeof *v);

	*v = (struct json_value){.kind = kind, .key = r->key};
	r->key = NULL;
	if (r->depth > r->outside) {
		unsigned inner = r->depth - 1;

		if (r->last[inner])
			r->last[inner]->next = v;
		else
			r->open[inner]->first = v;
		r->last[inner] = v;
	}
	return v;
}

/* A value that is no container has been read. */
static int value_end(struct json_reader *r, const struct json_value *v)
{
	return r->depth > r->outside || part_give(r, v);
}

static int on_open(struct json_reader *r, enum json_kind kind)
{
	if (r->depth == DEPTH_MOST)
		return 0;
	if (is_outside(r)) {
		if (r->outside == 0)
			r->root = kind;
		free(r->where);
		r->where = text_format("%s", r->key ? r->key : "");
		r->key = NULL;
		part_forget(r);
		r->outside++;
		r->depth++;
		return 1;
	}
	r->open[r->depth] = value_add(r, kind);
	r->last[r->depth++] = NULL;
	return 1;
}

static int on_close(struct json_reader *r)
{
	r->depth--;
	if (r->depth < r->outside) {
		r->outside--;
		free(r->where);
		r->where = NULL;
		return 1;
	}
	return r->depth > r->outside || part_give(r, r->open[r->depth]);
}

static int on_null(void *context)
{
	return value_end(context, value_add(context, JSON_NULL));
}

static int on_bool(void *context, int truth)
{
	struct json_value *v = value_add(context, JSON_BOOL);

	v->truth = truth;
	return value_end(context, v);
}

static int on_text(struct json_reader *r, enum json_kind kind, const char *text, size_t length)
{
	struct json_value *v = value_add(r, kind);

	v->text = part_text(r, text, length);
	v->length = length;
	return value_end(r, v);
}

static int on_number(void *context, const char *text, size_t length)
{
	return on_text(context, JSON_NUMBER, text, length);
}

static int on_string(void *context, const unsigned char *text, size_t length)
{
	return on_text(context, JSON_TEXT, (const char *)text, length);
}

static int on_key(void *context, const unsigned char *key, size_t length)
{
	struct json_reader *r = context;

	r->key = part_text(r, (const char *)key, length);
	return 1;
}

static int on_object(void *context)
{
	return on_open(context, JSON_OBJECT);
}

static int on_array(void *context)
{
	return on_open(context, JSON_ARRAY);
}

static int on_end(void *context)
{
	return on_close(context);
}

/* ---- reading ---- */

static const yajl_callbacks callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_bool,
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_start_map = on_object,
    .yajl_map_key = on_key,
    .yajl_end_map = on_end,
    .yajl_start_array = on_array,
    .yajl_end_array = on_end,
};

/* Reports an error of the parser in a block that has just been read. */
static bool fail_at(struct import_input *in, yajl_handle parser, const struct json_reader *r,
		    size_t block)
{
	unsigned char *why;

	if (r->failed)
		return false;
	in->done -= block - yajl_get_bytes_consumed(parser);
	if (r->depth == DEPTH_MOST)
		return import_fail(in, "JSON is nested deeper than %d levels", DEPTH_MOST);
	why = yajl_get_error(parser, 0, NULL, 0);
	import_fail(in, "no valid JSON: %.*s", (int)strcspn((char *)why, "\n"), why);
	yajl_free_error(parser, why);
	return false;
}

static bool all_parse(struct import_input *in, yajl_handle parser, struct json_reader *r,
		      bool *open)
{
	unsigned char *block = array_new(PART, 1);
	bool good = true;
	ssize_t n;

	while (good && (n = import_read(in, block, PART)) != 0)
		if (n < 0)
			good = false;
		else if (yajl_parse(parser, block, (size_t)n) != yajl_status_ok)
			good = fail_at(in, parser, r, (size_t)n);
	free(block);
	if (!good)
		return false;
	if (open)
		*open = r->depth > 0;
	if (r->depth > 0 && !(open && r->depth == r->outside && !r->key))
		return import_fail(in, "the file ends in the middle of a value");
	return r->depth > 0 || yajl_complete_parse(parser) == yajl_status_ok ||
	       fail_at(in, parser, r, 0);
}

bool json_read(struct import_input *in, bool lines, json_take *take, void *context, bool *open)
{
	struct json_reader *r = array_zero(1, sizeof *r);
	yajl_handle parser = yajl_alloc(&callbacks, NULL, r);
	bool good;

	if (!parser)
		array_exhausted();
	r->take = take;
	r->context = context;
	r->lines = lines;
	yajl_config(parser, yajl_allow_multiple_values, (int)lines);
	yajl_config(parser, yajl_dont_validate_strings, 1);
	good = all_parse(in, parser, r, open);
	yajl_free(parser);
	memory_free(r);
	free(r->where);
	free(r);
	return good;
}
#else
bool json_read(struct import_input *in, bool lines, json_take *take, void *context, bool *open)
{
	(void)lines;
	(void)take;
	(void)context;
	(void)open;
	return import_built_without(in, "yajl", "libyajl-dev");
}
#endif

/* ---- values ---- */

#include "base/json.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct json_value *json_member(const struct json_value *v, const char *key)
{
	for (v = v && v->kind == JSON_OBJECT ? v->first : NULL; v; v = v->next)
		if (strcmp(v->key, key) == 0)
			return v;
	return NULL;
}

/* Returns whether a number is written as a whole one, without point and exponent. */
static bool json_is_whole(const struct json_value *v)
{
	return v && v->kind == JSON_NUMBER && !strpbrk(v->text, ".eE");
}

int64_t json_integer_of(const struct json_value *v, int64_t otherwise)
{
	char *end;
	int64_t n;
	double real;

	if (!v || (v->kind != JSON_NUMBER && v->kind != JSON_TEXT) || !v->length)
		return otherwise;
	errno = 0;
	n = strtoll(v->text, &end, 10);
	if (*end == '\0' && errno == 0)
		return n;
	real = strtod(v->text, NULL);
	return v->kind == JSON_NUMBER && errno == 0 && fabs(real) < 0x1p63 ? (int64_t)real
									   : otherwise;
}

int64_t json_nearest(double number, double most)
{
	return isnan(number) ? 0 : llround(fmax(-most, fmin(most, number)));
}

double json_real_of(const struct json_value *v, double otherwise)
{
	char *end;
	double n;

	if (!v || (v->kind != JSON_NUMBER && v->kind != JSON_TEXT) || !v->length)
		return otherwise;
	n = strtod(v->text, &end);
	return *end == '\0' ? n : otherwise;
}

const char *json_text_of(const struct json_value *v, const char *otherwise)
{
	return v && v->kind == JSON_TEXT ? v->text : otherwise;
}

static void value_print(struct json *j, const struct json_value *v)
{
	switch (v->kind) {
	case JSON_BOOL:
		json_bool(j, v->key, v->truth);
		break;
	case JSON_NUMBER:
		if (json_is_whole(v))
			json_int(j, v->key, json_integer_of(v, 0));
		else
			json_real(j, v->key, json_real_of(v, 0));
		break;
	case JSON_TEXT:
		json_bytes(j, v->key, v->text, v->length);
		break;
	case JSON_ARRAY:
	case JSON_OBJECT:
		if (j->depth >= JSON_DEPTH) {
			json_string(j, v->key, "...");
			break;
		}
		if (v->kind == JSON_ARRAY)
			json_array(j, v->key);
		else
			json_object(j, v->key);
		for (const struct json_value *i = v->first; i; i = i->next)
			value_print(j, i);
		json_close(j);
		break;
	default:
		json_null(j, v->key);
	}
}

/* Returns the JSON of a container on one line. The caller frees it. */
static char *container_text(const struct json_value *v)
{
	struct json_value alone = *v;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	struct json j = json_begin(out, 0);

	alone.key = NULL;
	value_print(&j, &alone);
	fclose(out);
	text[strcspn(text, "\n")] = '\0';
	return text;
}

struct logs_value json_logs_value(const struct json_value *v, char **made)
{
	*made = NULL;
	switch (v->kind) {
	case JSON_BOOL:
		return logs_integer(v->truth);
	case JSON_NUMBER:
		if (json_is_whole(v) && *v->text == '-')
			return logs_integer(json_integer_of(v, INT64_MIN));
		return json_is_whole(v) ? logs_natural(strtoull(v->text, NULL, 10))
					: logs_real(json_real_of(v, 0));
	case JSON_TEXT:
		return logs_bytes(v->text, v->length);
	case JSON_NULL:
		return logs_bytes("null", 4);
	default:
		*made = container_text(v);
		return logs_bytes(*made, strlen(*made));
	}
}
