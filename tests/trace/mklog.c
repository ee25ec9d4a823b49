/*
 * mklog RECIPE DIRECTORY: makes log directories from a text. README.md describes the recipes.
 *
 * It shares nothing with the readers but the specification's events: it is the other half of
 * doc/log-format.md.
 */
#include "spec/spec.h"
#include "tests/trace/output.h"
#include "tests/trace/recipe.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC_LOG 0x474c494d50534531
#define MAGIC_TAIL 0x474c494d50534554
#define MAGIC_PROCESS 0x474c494d50534550
#define GRAZE_MAGIC_32 0x12345670
#define GRAZE_MAGIC_64 0x123456789abcdef0
#define FIRST_ID 16
#define MAX_SPECS 16

static struct {
	FILE *recipe;
	char *folder; /* of the recipe: specifications are looked up there */
	const char *out;
	char *directory;
	bool swap;
	struct spec *specs[MAX_SPECS]; /* of this directory */
	unsigned bases[MAX_SPECS];
	unsigned nspecs;
	struct output *log;  /* the newest log or Graze log */
	struct output *file; /* what records are written to: the log, or its tail */
} make;

static struct output *current(void)
{
	if (!make.file)
		recipe_fail("this needs a 'log', 'graze' or 'tail' before it");
	return make.file;
}

/* ---- specifications ---- */

/* The lines up to ">>". */
static char *text_read(void)
{
	char *text = NULL, *line = NULL;
	size_t size = 0, room = 0;
	FILE *f = open_memstream(&text, &size);

	while (getline(&line, &room, make.recipe) > 0 && strcmp(line, ">>\n") != 0) {
		fputs(line, f);
		recipe_line++;
	}
	recipe_line++;
	fclose(f);
	free(line);
	return text;
}

static char *file_read(const char *name)
{
	struct source *s;
	char *path, *text;

	if (asprintf(&path, "%s/%s", make.folder, name) < 0)
		exit(2);
	s = source_read(path);
	if (!s)
		recipe_fail("cannot read %s: %s", path, strerror(errno));
	text = strdup(s->text);
	source_free(s);
	free(path);
	return text;
}

/*
 * spec FILE [hidden] [base=ID] [as=NAME]   or   spec NAME << [hidden] [base=ID], its lines, and >>
 */
static void spec_statement(const struct line *l)
{
	const char *name = line_word(l, 1, "a name")->text;
	/* What is only doubtful is the recipe's business. */
	struct diag quiet = {.program = "mklog"}, diag = {.out = stderr, .program = "mklog"};
	bool inside = false, hidden = false;
	unsigned i = make.nspecs;
	struct spec *spec;
	char *text;

	for (unsigned w = 2; w < l->nwords; w++) {
		inside |= !strcmp(l->words[w].text, "<<");
		hidden |= !strcmp(l->words[w].text, "hidden");
	}
	text = inside ? text_read() : file_read(name);
	spec = spec_parse(name, text, &quiet);
	if (!spec)
		spec_parse(name, text, &diag);
	if (!spec || i == MAX_SPECS)
		recipe_fail("%s is no good", name);
	make.specs[i] = spec;
	make.bases[i] = i ? make.bases[i - 1] + make.specs[i - 1]->nevents : FIRST_ID;
	make.bases[i] = (unsigned)line_number(l, "base", make.bases[i]);
	make.nspecs++;
	if (!hidden) {
		const char *file = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;

		file = line_text(l, "as", file);
		binary_bytes(&output_make(OUTPUT_PLAIN, make.directory, file, 0, false)->data, text,
			     strlen(text));
	}
	free(text);
}

static const struct event_type *event_find(const char *name, unsigned *id)
{
	for (unsigned i = make.nspecs; i-- > 0;) {
		const struct event_type *type = spec_event(make.specs[i], name);

		if (type) {
			*id = make.bases[i] + type->index;
			return type;
		}
	}
	recipe_fail("there is no statement and no event '%s'", name);
}

/* ---- records ---- */

static void record_word(struct output *o, unsigned id, uint64_t ticks)
{
	binary_32(&o->data, id | (uint32_t)(ticks << 12));
}

static void time_record(struct output *o, uint64_t ticks)
{
	o->upper = ticks >> 20;
	binary_32(&o->data, 1 | (uint32_t)(o->upper >> 32) << 12);
	binary_32(&o->data, (uint32_t)o->upper);
}

static void note_record(struct output *o, unsigned kind, const struct binary *content)
{
	binary_32(&o->data, 2);
	binary_32(&o->data, kind << 24 | (uint32_t)content->size);
	binary_bytes(&o->data, content->bytes, content->size);
	binary_pad(&o->data);
}

static void string_put(struct binary *b, const struct word *value)
{
	bool null = !value;
	struct word text = null ? (struct word){"(null)", 6} : *value;

	binary_32(b, (uint32_t)text.length);
	binary_bytes(b, text.text, text.length);
	binary_pad(b);
}

/* A number is N, or N+STEP: STEP times the repetition more than N. */
static uint64_t value_number(const struct word *value, uint64_t repetition)
{
	struct word number = *value;
	char *plus = strchr(number.text + (number.length > 0), '+');
	uint64_t result, step = 0;

	if (plus) {
		struct word after = {plus + 1, strlen(plus + 1)};

		step = word_number(&after);
		*plus = '\0';
	}
	result = word_number(&number) + step * repetition;
	if (plus)
		*plus = '+';
	return result;
}

static void double_put(struct binary *b, const struct word *value)
{
	char *end;
	double real = strtod(value->text, &end);
	uint64_t bits;

	if (*end || end == value->text)
		recipe_fail("'%s' is no number", value->text);
	memcpy(&bits, &real, sizeof bits);
	binary_64(b, bits);
}

/* Attributes that the line does not name are 0, and their strings empty. */
static void attribute_put(struct binary *b, const struct attribute *a, const struct line *l,
			  uint64_t repetition)
{
	static const struct word zero = {"0", 1}, empty = {"", 0};
	const struct word *value;
	struct word found;

	value = line_find(l, a->name, &found);
	if (!value)
		value = a->type == TYPE_STRING ? &empty : &zero;
	if (a->type == TYPE_STRING)
		string_put(b, value->length == 4 && !memcmp(value->text, "null", 4) ? NULL : value);
	else if (a->type == TYPE_DOUBLE)
		double_put(b, value);
	else if (a->type == TYPE_INT || a->type == TYPE_UINT)
		binary_32(b, (uint32_t)value_number(value, repetition));
	else
		binary_64(b, value_number(value, repetition));
}

static void attributes_check(const struct event_type *type, const struct line *l, unsigned from)
{
	for (unsigned i = from; i < l->nwords; i++) {
		char *equals = strchr(l->words[i].text, '=');
		char *name =
		    equals ? strndup(l->words[i].text, (size_t)(equals - l->words[i].text)) : NULL;

		if (!name || event_attribute(type, name) < 0)
			recipe_fail("%s has no attribute '%s'", type->name, l->words[i].text);
		free(name);
	}
}

static void event_put(const struct line *l, unsigned from, uint64_t ticks, uint64_t repetition)
{
	struct output *o = current();
	unsigned id;
	const struct event_type *type = event_find(line_word(l, from, "an event")->text, &id);

	attributes_check(type, l, from + 1);
	if (o->kind == OUTPUT_GRAZE) {
		binary_32(&o->data, id - make.bases[0]);
		binary_64(&o->data, ticks);
	} else {
		if (ticks >> 20 != o->upper)
			time_record(o, ticks);
		record_word(o, id, ticks);
	}
	/* In a log strings follow what has a fixed size. */
	for (unsigned strings = 0; strings < 2; strings++)
		for (unsigned i = 0; i < type->nattributes; i++)
			if ((type->attributes[i].type == TYPE_STRING) == strings)
				attribute_put(&o->data, &type->attributes[i], l, repetition);
}

/* TICKS EVENT attribute=value... */
static void event_statement(const struct line *l)
{
	event_put(l, 1, word_number(&l->words[0]), 0);
}

/* repeat COUNT TICKS EVENT attribute=value... where TICKS and values may be N+STEP */
static void repeat_statement(const struct line *l)
{
	uint64_t count = word_number(line_word(l, 1, "a count"));
	const struct word *ticks = line_word(l, 2, "TICKS+STEP");

	for (uint64_t i = 0; i < count; i++)
		event_put(l, 3, value_number(ticks, i), i);
}

/* ---- notes ---- */

static void schema_note(struct binary *b, const struct spec *s, unsigned base, const struct line *l)
{
	binary_64(b, l ? line_number(l, "identity", s->schema) : s->schema);
	binary_32(b, l ? (uint32_t)line_number(l, "base", base) : base);
	binary_32(b, l ? (uint32_t)line_number(l, "count", s->nevents) : s->nevents);
	binary_bytes(b, s->name, strlen(s->name));
}

static void note_schema(struct binary *b, const struct line *l)
{
	const struct word *name = line_word(l, 2, "a specification's name");

	for (unsigned i = 0; i < make.nspecs; i++) {
		if (strcmp(make.specs[i]->name, name->text) == 0) {
			schema_note(b, make.specs[i], make.bases[i], l);
			return;
		}
	}
	recipe_fail("no specification %s", name->text);
}

static void note_bytes(struct binary *b, const struct line *l)
{
	const struct word *text = line_word(l, 2, "bytes");

	binary_bytes(b, text->text, text->length);
}

static void note_clock(struct binary *b, const struct line *l)
{
	for (unsigned i = 2; i < 5; i++)
		binary_64(b, word_number(line_word(l, i, "TICKS MONOTONIC REALTIME")));
}

static void note_lost(struct binary *b, const struct line *l)
{
	binary_64(b, word_number(line_word(l, 2, "a count")));
	binary_32(b, (uint32_t)line_number(l, "reason", 1));
}

static void note_switch(struct binary *b, const struct line *l)
{
	unsigned id;

	event_find(line_word(l, 2, "an event")->text, &id);
	binary_32(b, id);
	binary_32(b, (uint32_t)word_number(line_word(l, 3, "0 or 1")));
	binary_64(b, word_number(line_word(l, 4, "ticks")));
}

static void note_end(struct binary *b, const struct line *l)
{
	(void)b, (void)l;
}

/* note schema SPEC | name TEXT | clock T M R | lost N | switch EVENT 0|1 T | end | KIND BYTES */
static void note_statement(const struct line *l)
{
	static const struct {
		const char *name;
		void (*put)(struct binary *b, const struct line *l);
	} notes[] = {
	    {"schema", note_schema}, {"name", note_bytes},    {"clock", note_clock},
	    {"lost", note_lost},     {"switch", note_switch}, {"end", note_end},
	};
	const struct word *kind = line_word(l, 1, "a kind");
	struct binary content = {.swap = make.swap};
	unsigned i = 0;

	while (i < 6 && strcmp(notes[i].name, kind->text) != 0)
		i++;
	if (i < 6)
		notes[i].put(&content, l);
	else
		note_bytes(&content, l);
	note_record(current(), i < 6 ? i + 1 : (unsigned)word_number(kind), &content);
	free(content.bytes);
}

/* ---- files ---- */

/* pair=TICKS/MONOTONIC/REALTIME */
static void pair_put(struct binary *b, const struct line *l, const char *key)
{
	char *text = strdup(line_text(l, key, "0/0/0")), *rest = text;

	for (int i = 0; i < 3; i++) {
		char *part = strsep(&rest, "/");
		struct word word = {part, 0};

		if (!part)
			recipe_fail("%s wants TICKS/MONOTONIC/REALTIME", key);
		binary_64(b, word_number(&word));
	}
	free(text);
}

static void text_put(struct binary *b, const char *text, size_t room)
{
	size_t length = strnlen(text, room - 1);

	binary_bytes(b, text, length);
	binary_zeros(b, room - length);
}

/* log.N or, with level=L, log.N.L */
static struct output *log_make(enum output_kind kind, uint64_t number, uint64_t level)
{
	char name[48];

	if (level == 0)
		return output_make(kind, make.directory, "log.", number, make.swap);
	snprintf(name, sizeof name, "log.%u.", (unsigned)number);
	return output_make(kind, make.directory, name, level, make.swap);
}

static struct output *log_find(uint64_t number, uint64_t level)
{
	char name[48];

	snprintf(name, sizeof name, level ? "log.%u." : "log.", (unsigned)number);
	return output_find(make.directory, name, level ? level : number);
}

/*
 * log N [level=] [name=] [pid=] [tid=] [clock=] [ring=] [pair=T/M/R] [version=] [thread=]
 * [header=] [schema=no]
 */
static void log_statement(const struct line *l)
{
	uint64_t number = word_number(line_word(l, 1, "a number"));
	struct output *o = log_make(OUTPUT_LOG, number, line_number(l, "level", 0));
	size_t header = line_number(l, "header", 128);
	struct binary *b = &o->data;

	binary_64(b, MAGIC_LOG);
	binary_32(b, (uint32_t)header);
	binary_32(b, (uint32_t)line_number(l, "version", 1));
	binary_32(b, (uint32_t)line_number(l, "thread", number));
	binary_32(b, (uint32_t)line_number(l, "pid", 1));
	binary_64(b, line_number(l, "tid", 1 + number));
	binary_32(b, (uint32_t)line_number(l, "clock", 2));
	binary_32(b, (uint32_t)line_number(l, "ring", 0));
	pair_put(b, l, "pair");
	text_put(b, line_text(l, "name", ""), 64);
	if (header > b->size && header < 4096)
		binary_zeros(b, header - b->size);
	make.log = make.file = o;
	for (unsigned i = 0; i < make.nspecs && strcmp(line_text(l, "schema", ""), "no"); i++) {
		struct binary note = {.swap = make.swap};

		schema_note(&note, make.specs[i], make.bases[i], NULL);
		note_record(o, 1, &note);
		free(note.bytes);
	}
}

/* graze N */
static void graze_statement(const struct line *l)
{
	uint64_t number = word_number(line_word(l, 1, "a number"));
	struct output *o = output_make(OUTPUT_GRAZE, make.directory, "log.", number, make.swap);

	if (make.nspecs != 1)
		recipe_fail("the original format needs one 'spec ... hidden' before it");
	binary_32(&o->data, GRAZE_MAGIC_32);
	binary_64(&o->data, GRAZE_MAGIC_64);
	make.log = make.file = o;
}

/* What a tail's header says, up to the records. */
static void tail_header(struct output *o, const struct line *l, uint64_t thread, uint64_t base)
{
	struct binary *b = &o->data;

	binary_64(b, MAGIC_TAIL);
	binary_32(b, (uint32_t)line_number(l, "version", 1));
	binary_32(b, (uint32_t)line_number(l, "thread", thread));
	binary_64(b, line_number(l, "base", base));
	binary_64(b, line_number(l, "head", 0));
	binary_32(b, (uint32_t)line_number(l, "start", 4096));
	binary_32(b, (uint32_t)o->room);
	binary_32(b, (uint32_t)line_number(l, "level", 0));
	binary_zeros(b, 16);
	binary_32(b, (uint32_t)o->block);
	binary_64(b, line_number(l, "lost", 0));
	binary_32(b, (uint32_t)line_number(l, "why", 0));
	binary_zeros(b, o->records - b->size);
}

/*
 * tail K [log=N] [level=] [overlap=BYTES | gap=BYTES | base=] [lost=] [block=] [thread=]
 * [version=] [head=] ...
 */
static void tail_statement(const struct line *l)
{
	uint64_t number = word_number(line_word(l, 1, "a number")),
		 thread = line_number(l, "log", number);
	struct output *o = output_make(OUTPUT_TAIL, make.directory, "tail.", number, make.swap);
	struct output *log = log_find(thread, line_number(l, "level", 0));
	size_t overlap = line_number(l, "overlap", 0), end = log ? log->data.size : 0;

	if (overlap > end)
		recipe_fail("the log is shorter than the overlap");
	o->records = 4096;
	o->room = line_number(l, "size", 4096);
	o->block = line_number(l, "block", 0);
	o->head_given = line_text(l, "head", NULL);
	tail_header(o, l, thread, end - overlap + line_number(l, "gap", 0));
	if (log) {
		binary_bytes(&o->data, log->data.bytes + end - overlap, overlap);
		o->upper = log->upper;
	}
	make.file = o;
}

/* block SEQUENCE: begins the next block of a ring */
static void block_statement(const struct line *l)
{
	struct output *o = current();

	if (o->block == 0)
		recipe_fail("this needs a 'tail ... block=SIZE' before it");
	output_close_block(o);
	binary_zeros(&o->data, (o->block - (o->data.size - o->records) % o->block) % o->block);
	o->open = o->data.size;
	o->upper = UINT64_MAX;
	binary_64(&o->data, word_number(line_word(l, 1, "a sequence number")));
	binary_64(&o->data, 0);
}

static void process_specs(struct binary *b)
{
	for (unsigned i = 0; i < make.nspecs; i++) {
		binary_64(b, make.specs[i]->schema);
		binary_32(b, make.bases[i]);
		binary_32(b, make.specs[i]->nevents);
		text_put(b, make.specs[i]->name, 112);
	}
}

/*
 * process [program=] [pid=] [clock=] [state=] [first=T/M/R] [newest=T/M/R] [cost=PS] [frequency=]
 * ...
 */
static void process_statement(const struct line *l)
{
	struct output *o = output_make(OUTPUT_PLAIN, make.directory, "process", 0, make.swap);
	struct binary *b = &o->data;

	binary_64(b, MAGIC_PROCESS);
	binary_32(b, (uint32_t)line_number(l, "version", 1));
	binary_32(b, (uint32_t)line_number(l, "pid", 1));
	binary_32(b, (uint32_t)line_number(l, "clock", 2));
	binary_32(b, (uint32_t)line_number(l, "state", 1));
	pair_put(b, l, "first");
	pair_put(b, l, "newest");
	binary_64(b, line_number(l, "cost", 0));
	binary_64(b, line_number(l, "dropped", 0));
	binary_64(b, line_number(l, "frequency", 0));
	binary_zeros(b, 32);
	text_put(b, line_text(l, "program", "program"), 128);
	if (strcmp(line_text(l, "specs", ""), "no") != 0)
		process_specs(b);
	binary_zeros(b, 4096 + 16384 - b->size);
	make.file = o;
}

/* ---- single statements ---- */

static void directory_statement(const struct line *l)
{
	const char *name = line_word(l, 1, "a name")->text;

	if (asprintf(&make.directory, "%s/%s", make.out, name) < 0)
		exit(2);
	make.nspecs = 0;
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
    {"back", back_statement},
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
	make.folder = strdup(argv[1]);
	slash = strrchr(make.folder, '/');
	if (slash)
		*slash = '\0';
	else
		make.folder = strdup(".");
	make.out = argv[2];
	make.directory = strdup(argv[2]);
	recipe_run();
	outputs_write();
	return 0;
}
