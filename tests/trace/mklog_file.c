/* Files of a recipe: logs, tails, the process file. */
#include "tests/trace/mklog.h"
#include <stdlib.h>
#include <string.h>

#define MAGIC_LOG 0x474c494d50534531
#define MAGIC_TAIL 0x474c494d50534554
#define MAGIC_CONTAINER 0x474c494d5053454c
#define MAGIC_PROCESS 0x474c494d50534550
#define GRAZE_MAGIC_32 0x12345670
#define GRAZE_MAGIC_64 0x123456789abcdef0

static void pair_put_text(struct binary *b, char *text, const char *key)
{
	for (int i = 0; i < 3; i++) {
		char *part = strsep(&text, "/");
		struct word word = {part, 0};

		if (!part)
			recipe_fail("%s wants TICKS/MONOTONIC/REALTIME", key);
		binary_64(b, word_number(&word));
	}
}

/* pair=TICKS/MONOTONIC/REALTIME */
static void pair_put(struct binary *b, const struct line *l, const char *key)
{
	char *text = strdup(line_text(l, key, "0/0/0"));

	pair_put_text(b, text, key);
	free(text);
}

/* pairs=PAIR,PAIR,... after the switches */
static void pairs_put(struct binary *b, const struct line *l)
{
	char *text = strdup(line_text(l, "pairs", "")), *rest = text, *pair;

	while (*text && (pair = strsep(&rest, ",")))
		pair_put_text(b, pair, "pairs");
	free(text);
}

/* How many pairs there are in pairs=. */
static uint32_t pairs_count(const struct line *l)
{
	const char *text = line_text(l, "pairs", "");
	uint32_t n = *text != '\0';

	for (; *text; text++)
		n += *text == ',';
	return n;
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
void log_statement(const struct line *l)
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
void graze_statement(const struct line *l)
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
	binary_32(b, 0);
	binary_32(b, (uint32_t)line_number(l, "stride", 0));
	binary_32(b, (uint32_t)o->staging);
	binary_64(b, line_number(l, "sent", thread == UINT32_MAX ? 0 : base - o->pending.size));
	binary_64(b, o->pending.size);
	binary_64(b, line_number(l, "reach", 0));
	binary_zeros(b, o->records - b->size);
}

/* Moves the log's last bytes to the staging buffer; the log has zeros there. */
static void pending_take(struct output *o, struct output *log, size_t size)
{
	unsigned char *at = log->data.bytes + log->data.size - size;

	binary_bytes(&o->pending, at, size);
	memset(at, 0, size);
}

/* How much of the log the tail has as well: BYTES or `all`, its header included. */
static size_t overlap_of(const struct line *l, size_t end)
{
	size_t overlap;

	if (strcmp(line_text(l, "overlap", ""), "all") == 0)
		return end;
	overlap = line_number(l, "overlap", 0);
	if (overlap > end || line_number(l, "pending", 0) > end)
		recipe_fail("the log is shorter than that");
	return overlap;
}

/*
 * tail K [log=N] [level=] [overlap=BYTES | overlap=all | gap=BYTES | base=] [lost=] [block=]
 * [thread=] [version=] [head=] [staging= pending=BYTES] [stride=] [place=] ...
 */
void tail_statement(const struct line *l)
{
	uint64_t number = word_number(line_word(l, 1, "a number")),
		 thread = line_number(l, "log", number);
	struct output *o = output_make(OUTPUT_TAIL, make.directory, "tail.", number, make.swap);
	struct output *log = log_find(thread, line_number(l, "level", 0));
	size_t end = log ? log->data.size : 0, overlap = overlap_of(l, end);

	o->place = line_number(l, "place", 0);
	o->staging = line_number(l, "staging", 0);
	if (log)
		pending_take(o, log, line_number(l, "pending", 0));
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
void block_statement(const struct line *l)
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

/* FNV-1a, of 32 bits. */
static uint32_t check_of(const unsigned char *bytes, size_t size)
{
	uint32_t check = 0x811c9dc5;

	for (size_t i = 0; i < size; i++)
		check = (check ^ bytes[i]) * 0x01000193;
	return check;
}

/* pooled [thread=] [level=] [size=]: the newest log, as it is, goes into the container */
void pooled_statement(const struct line *l)
{
	struct output *o = output_find(make.directory, "logs", 0);
	const char *name;
	uint32_t level = 0;
	size_t head;

	if (!make.log)
		recipe_fail("this needs a 'log' before it");
	if (!o)
		o = output_make(OUTPUT_PLAIN, make.directory, "logs", 0, make.swap);
	name = strrchr(make.log->path, '/') + 1;
	if (strchr(name + 4, '.'))
		level = (uint32_t)atoi(strchr(name + 4, '.') + 1);
	o->data.swap = make.log->data.swap;
	head = o->data.size;
	binary_64(&o->data, MAGIC_CONTAINER);
	binary_32(&o->data, (uint32_t)line_number(l, "thread", (uint64_t)atoi(name + 4)));
	binary_32(&o->data, (uint32_t)line_number(l, "level", level));
	binary_32(&o->data, (uint32_t)line_number(l, "size", make.log->data.size));
	binary_32(&o->data, check_of(o->data.bytes + head, o->data.size - head));
	binary_bytes(&o->data, make.log->data.bytes, make.log->data.size);
	make.log->gone = true;
	make.file = o;
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
void process_statement(const struct line *l)
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
	binary_32(b, pairs_count(l) ? 4096 + 16384 : 0);
	binary_32(b, pairs_count(l));
	text_put(b, line_text(l, "source", ""), 24);
	text_put(b, line_text(l, "program", "program"), 128);
	if (strcmp(line_text(l, "specs", ""), "no") != 0)
		process_specs(b);
	binary_zeros(b, 4096 + 16384 - b->size);
	pairs_put(b, l);
	make.file = o;
}
