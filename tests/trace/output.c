#include "tests/trace/output.h"
#include "tests/trace/recipe.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct output *outputs, **outputs_end = &outputs;

static char *output_path(const char *directory, const char *name, uint64_t number)
{
	char *path;

	if (name[strlen(name) - 1] == '.') {
		if (asprintf(&path, "%s/%s%" PRIu64, directory, name, number) < 0)
			exit(2);
	} else if (asprintf(&path, "%s/%s", directory, name) < 0) {
		exit(2);
	}
	return path;
}

struct output *output_find(const char *directory, const char *name, uint64_t number)
{
	char *path = output_path(directory, name, number);
	struct output *o = outputs;

	while (o && strcmp(o->path, path))
		o = o->next;
	free(path);
	return o;
}

struct output *output_make(enum output_kind kind, const char *directory, const char *name,
			   uint64_t number, bool swap)
{
	struct output *o = calloc(1, sizeof *o);

	if (!o)
		exit(2);
	o->kind = kind;
	o->path = output_path(directory, name, number);
	o->data.swap = swap;
	o->upper = UINT64_MAX;
	*outputs_end = o;
	outputs_end = &o->next;
	return o;
}

/* Makes all directories above the file. */
static void output_directories(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0700) && errno != EEXIST)
			recipe_fail("cannot make %s: %s", path, strerror(errno));
		*slash = '/';
	}
}

void output_close_block(struct output *o)
{
	struct binary used = {.swap = o->data.swap};

	if (!o->open)
		return;
	binary_32(&used, (uint32_t)(o->data.size - o->open));
	memcpy(o->data.bytes + o->open + 8, used.bytes, used.size);
	free(used.bytes);
	if (!o->head_given)
		binary_set_64(&o->data, 24, o->data.size - o->records);
}

/* A tail's head is known, and its file has its full size, only when all its records are there. */
static void output_finish(struct output *o)
{
	if (o->kind != OUTPUT_TAIL)
		return;
	output_close_block(o);
	if (!o->head_given && !o->block)
		binary_set_64(&o->data, 24, o->data.size - o->records);
	if (o->data.size < o->records + o->room)
		binary_zeros(&o->data, o->records + o->room - o->data.size);
	if (!o->pending.size)
		return;
	if (o->data.size < o->records + o->staging)
		binary_zeros(&o->data, o->records + o->staging - o->data.size);
	binary_bytes(&o->data, o->pending.bytes, o->pending.size);
}

void outputs_write(void)
{
	for (struct output *o = outputs; o; o = o->next) {
		FILE *f;

		if (o->gone)
			continue;
		output_finish(o);
		output_directories(o->path);
		f = fopen(o->path, o->place ? "r+b" : "wb");
		if (!f || fseek(f, (long)o->place, SEEK_SET) ||
		    (o->data.size && fwrite(o->data.bytes, o->data.size, 1, f) != 1) || fclose(f))
			recipe_fail("cannot write %s: %s", o->path, strerror(errno));
	}
}
