/*
 * mklog RECIPE DIRECTORY: makes log directories from a text. README.md describes the recipes.
 *
 * It shares nothing with the readers but the specification's events: it is the other half of
 * doc/log-format.md.
 */
#include "tests/trace/mklog.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct make make;

struct output *current(void)
{
	if (!make.file)
		recipe_fail("this needs a 'log', 'graze' or 'tail' before it");
	return make.file;
}

static void directory_statement(const struct line *l)
{
	const char *name = line_word(l, 1, "a name")->text;

	free(make.directory);
	if (asprintf(&make.directory, "%s/%s", make.out, name) < 0)
		exit(2);
	specs_forget();
	make.log = make.file = NULL;
}

static void order_statement(const struct line *l)
{
	bool big = strcmp(line_word(l, 1, "'little' or 'big'")->text, "big") == 0;

	make.swap = big == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
}

static void time_statement(const struct line *l)
{
	time_record(current(), word_number(line_word(l, 1, "ticks")));
}

static void raw_statement(const struct line *l)
{
	for (unsigned i = 1; i < l->nwords; i++) {
		unsigned char byte = (unsigned char)strtoul(l->words[i].text, NULL, 16);

		binary_bytes(&current()->data, &byte, 1);
	}
}

static void word_statement(const struct line *l)
{
	for (unsigned i = 1; i < l->nwords; i++)
		binary_32(&current()->data, (uint32_t)word_number(&l->words[i]));
}

static void text_statement(const struct line *l)
{
	const struct word *text = line_word(l, 1, "bytes");

	binary_bytes(&current()->data, text->text, text->length);
}

static void zeros_statement(const struct line *l)
{
	binary_zeros(&current()->data, word_number(line_word(l, 1, "a number of bytes")));
}

static void cut_statement(const struct line *l)
{
	binary_cut(&current()->data, word_number(line_word(l, 1, "a number of bytes")));
}

/* back: from the tail to its log again */
static void back_statement(const struct line *l)
{
	(void)l;
	make.file = make.log;
}

/* gone: the newest log has no file */
static void gone_statement(const struct line *l)
{
	(void)l;
	if (!make.log)
		recipe_fail("this needs a 'log' before it");
	make.log->gone = true;
}

/* patch OFFSET BYTE...: a negative offset counts from the end */
static void patch_statement(const struct line *l)
{
	struct binary *b = &current()->data;
	int64_t offset = (int64_t)word_number(line_word(l, 1, "an offset"));

	if (offset < 0)
		offset += (int64_t)b->size;
	for (unsigned i = 2; i < l->nwords; i++, offset++) {
		if (offset < 0 || (uint64_t)offset >= b->size)
			recipe_fail("the file has no byte %lld", (long long)offset);
		b->bytes[offset] = (unsigned char)strtoul(l->words[i].text, NULL, 16);
	}
}

/* file NAME: what follows is written to a plain file */
static void file_statement(const struct line *l)
{
	const char *name = line_word(l, 1, "a name")->text;

	make.file = output_make(OUTPUT_PLAIN, make.directory, name, 0, make.swap);
}

static const struct {
	const char *name;
	void (*run)(const struct line *l);
} statements[] = {
    {"spec", spec_statement},
    {"process", process_statement},
    {"log", log_statement},
    {"graze", graze_statement},
    {"tail", tail_statement},
    {"note", note_statement},
    {"repeat", repeat_statement},
    {"time", time_statement},
    {"raw", raw_statement},
    {"word", word_statement},
    {"text", text_statement},
    {"zeros", zeros_statement},
    {"cut", cut_statement},
    {"patch", patch_statement},
    {"file", file_statement},
    {"order", order_statement},
    {"block", block_statement},
    {"pooled", pooled_statement},
    {"back", back_statement},
    {"gone", gone_statement},
    {"directory", directory_statement},
};

static void statement_run(const struct line *l)
{
	if (l->nwords == 0)
		return;
	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
		if (strcmp(l->words[0].text, statements[i].name) == 0) {
			statements[i].run(l);
			return;
		}
	}
	if (strspn(l->words[0].text, "0123456789") == 0)
		recipe_fail("unknown statement '%s'", l->words[0].text);
	event_statement(l);
}

static void recipe_run(void)
{
	char *text = NULL;
	size_t room = 0;
	ssize_t length;

	while ((length = getline(&text, &room, make.recipe)) > 0) {
		struct line line;

		recipe_line++;
		if (text[length - 1] == '\n')
			text[length - 1] = '\0';
		line_split(&line, text);
		statement_run(&line);
		line_free(&line);
	}
	free(text);
}

int main(int argc, char **argv)
{
	char *slash;

	if (argc != 3) {
		fputs("usage: mklog RECIPE DIRECTORY\n", stderr);
		return 2;
	}
	recipe_name = argv[1];
	make.recipe = fopen(argv[1], "r");
	if (!make.recipe)
		recipe_fail("cannot read it: %s", strerror(errno));
	slash = strrchr(argv[1], '/');
	make.folder = slash ? strndup(argv[1], (size_t)(slash - argv[1])) : strdup(".");
	make.out = argv[2];
	make.directory = strdup(argv[2]);
	recipe_run();
	outputs_write();
	specs_forget();
	free(make.directory);
	free(make.folder);
	fclose(make.recipe);
	return 0;
}
