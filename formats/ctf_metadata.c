#include "formats/ctf_metadata.h"
#include "base/array.h"
#include "base/sha256.h"
#include "trace/open/opened.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- the identity, and the clock ---- */

/* Hashes what makes a trace this one. */
static void uuid_make(struct ctf_metadata *m)
{
	unsigned char hash[SHA256_BYTES];
	const struct trace *t = m->trace;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		array_exhausted();
	fprintf(f, "%016" PRIx64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRIu64, t->spec->schema,
		t->origin, t->origin_real, t->duration, t->events);
	for (unsigned i = 0; i < t->nthreads; i++)
		fprintf(f, " %" PRIu32 " %" PRIu64 " %" PRIu64, t->threads[i].process,
			t->threads[i].tid, t->threads[i].events);
	if (fclose(f))
		array_exhausted();
	sha256_compute(hash, text, size);
	memcpy(m->uuid, hash, sizeof m->uuid);
	m->uuid[6] = (m->uuid[6] & 0x0f) | 0x80; /* version 8: of the maker's own kind */
	m->uuid[8] = (m->uuid[8] & 0x3f) | 0x80;
	free(text);
}

struct ctf_metadata ctf_metadata_of(const struct trace *t)
{
	struct ctf_metadata m = {.trace = t};
	int64_t last;

	/* Values of the clock are not negative, and readers add the offset in 64 bits. */
	if (t->origin > 0 && !__builtin_add_overflow(t->origin, t->duration, &last))
		m.base = t->origin;
	if (t->origin_real && (__builtin_sub_overflow(t->origin_real, m.base, &m.offset) ||
			       __builtin_add_overflow(t->origin_real, t->duration, &last)))
		m.offset = 0;
	uuid_make(&m);
	return m;
}

/* ---- TSDL ---- */

/* Prints a string literal. */
static void literal_print(FILE *f, const char *text)
{
	putc_unlocked('"', f);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '\n')
			fputs("\\n", f);
		else if (c == '"' || c == '\\')
			fprintf(f, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			fprintf(f, "\\%03o", c);
		else
			putc_unlocked(c, f);
	}
	putc_unlocked('"', f);
}

static void types_print(FILE *f)
{
	static const struct {
		const char *name;
		unsigned size, base;
		bool is_signed;
	} integers[] = {{"uint8_t", 8, 10, false},   {"uint16_t", 16, 10, false},
			{"uint32_t", 32, 10, false}, {"uint64_t", 64, 10, false},
			{"int32_t", 32, 10, true},   {"int64_t", 64, 10, true},
			{"code32_t", 32, 16, false}, {"address_t", 64, 16, false}};

	for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
		fprintf(
		    f,
		    "typealias integer { size = %u; align = 8; signed = %s; base = %u; } := %s;\n",
		    integers[i].size, integers[i].is_signed ? "true" : "false", integers[i].base,
		    integers[i].name);
	fputs(
	    "typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } := double_t;\n\n",
	    f);
}

static void trace_print(FILE *f, const unsigned char uuid[CTF_UUID])
{
	fputs("trace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"", f);
	for (int i = 0; i < CTF_UUID; i++)
		fprintf(f, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
	fprintf(f,
		"\";\n\tbyte_order = %s;\n"
		"\tpacket.header := struct {\n"
		"\t\tuint32_t magic;\n"
		"\t\tuint8_t uuid[16];\n"
		"\t\tuint32_t stream_id;\n"
		"\t\tuint64_t stream_instance_id;\n"
		"\t};\n};\n\n",
		__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "le" : "be");
}

static void clock_print(FILE *f, const struct ctf_metadata *m)
{
	int64_t seconds = m->offset / 1000000000, rest = m->offset % 1000000000;

	if (rest < 0) {
		seconds--;
		rest += 1000000000;
	}
	fprintf(
	    f,
	    "clock {\n\tname = monotonic;\n\tdescription = \"CLOCK_MONOTONIC\";\n\tfreq = 1000000000;\n"
	    "\toffset_s = %" PRId64 ";\n\toffset = %" PRId64 ";\n};\n\n",
	    seconds, rest);
}

static void stream_print(FILE *f)
{
	for (unsigned bits = 32; bits <= 64; bits += 32)
		fprintf(f,
			"typealias integer { size = %u; align = 8; signed = false; map = "
			"clock.monotonic.value; } := time%u_t;\n",
			bits, bits);
	fprintf(f,
		"\nstream {\n\tid = 0;\n"
		"\tevent.header := struct {\n"
		"\t\tenum : uint16_t { compact = 0 ... %d, extended = %d } id;\n"
		"\t\tvariant <id> {\n"
		"\t\t\tstruct { time32_t timestamp; } compact;\n"
		"\t\t\tstruct { uint32_t id; time64_t timestamp; } extended;\n"
		"\t\t} v;\n"
		"\t} align(8);\n"
		"\tpacket.context := struct {\n"
		"\t\ttime64_t timestamp_begin;\n"
		"\t\ttime64_t timestamp_end;\n"
		"\t\tuint64_t content_size;\n"
		"\t\tuint64_t packet_size;\n"
		"\t\tuint64_t packet_seq_num;\n"
		"\t\tuint64_t events_discarded;\n"
		"\t\tuint32_t thread;\n"
		"\t\tuint64_t tid;\n"
		"\t\tuint32_t pid;\n"
		"\t\tstring name;\n"
		"\t\tstring procname;\n"
		"\t};\n};\n\n",
		CTF_ID_EXTENDED - 1, CTF_ID_EXTENDED);
}

/* ---- events ---- */

static const char *field_type(enum type type)
{
	static const char *const types[] = {
	    [TYPE_INT] = "int32_t",       [TYPE_UINT] = "uint32_t",   [TYPE_LONG] = "int64_t",
	    [TYPE_ULONG] = "uint64_t",    [TYPE_DOUBLE] = "double_t", [TYPE_STRING] = "string",
	    [TYPE_ADDRESS] = "address_t", [TYPE_CODE] = "address_t",  [TYPE_OBJECT] = "address_t",
	    [TYPE_CODE32] = "code32_t",
	};

	return types[type];
}

/* Readers take one underscore away from the names of fields: without it some would be keywords. */
void ctf_class_write(FILE *f, const struct spec *spec, const struct event_type *type, bool bytes)
{
	fprintf(f,
		"event {\n\tid = %" PRIu32
		";\n\tstream_id = 0;\n\tname = \"%s\";\n\tfields := struct {\n",
		ctf_class_id(spec, type, bytes), type->name);
	for (unsigned i = 0; i < type->nattributes; i++) {
		const struct attribute *a = &type->attributes[i];

		if (a->type == TYPE_STRING && bytes)
			fprintf(f, "\t\tstruct { uint32_t length; uint8_t bytes[length]; } _%s;\n",
				a->name);
		else
			fprintf(f, "\t\t%s _%s;\n", field_type(a->type), a->name);
	}
	fputs("\t};\n};\n\n", f);
}

/* ---- what import needs ---- */

/* Prints a field of a line: a tab before it, and a backslash before what would end it. */
static void item_print(FILE *f, const char *text)
{
	putc_unlocked('\t', f);
	for (; *text; text++) {
		if (*text == '\t' || *text == '\n' || *text == '\\')
			putc_unlocked('\\', f);
		putc_unlocked(*text == '\t' ? 't' : *text == '\n' ? 'n' : *text, f);
	}
}

static void line_end(FILE *f)
{
	putc_unlocked('\n', f);
}

/*
 * The directories: pid, rank, events that no log could record, name within the first one, program.
 */
static void processes_print(FILE *f, const struct opened *o)
{
	for (size_t i = 0; i < o->ndirectories; i++) {
		const struct trace_process *p = &o->processes[i];

		fprintf(f, "%" PRIu32 "\t%" PRIu32 "\t%" PRIu64, p->pid, p->rank, p->dropped);
		item_print(f, o->directories[i].inner ? o->directories[i].name : "");
		item_print(f, p->program);
		line_end(f);
	}
}

/*
 * The threads: number, index of the process, number in that, first name or nothing, and a later
 * name or nothing.
 */
static void threads_print(FILE *f, const struct opened *o)
{
	for (size_t i = 0; i < o->nlogs; i++) {
		const struct trace_thread *t = &o->threads[i];
		const struct log *log = &o->logs[i];
		const char *first = log->renamed ? log->first_name : log->name;
		char *nameless = text_format("thread %" PRIu32, t->number);

		fprintf(f, "%" PRIu32 "\t%" PRIu32 "\t%" PRIu32, t->number, t->directory,
			log->number);
		item_print(f, first && strcmp(first, nameless) != 0 ? first : "");
		item_print(f, log->renamed ? log->name : "");
		line_end(f);
		free(nameless);
	}
}

/* A line of the file "modules", "objects" or "made", with nanoseconds in place of its ticks. */
static void side_line_print(FILE *f, const struct log *log, const char *line, const char *end)
{
	char *rest = (char *)line;
	uint64_t ticks = *line >= '0' && *line <= '9' ? strtoull(line, &rest, 10) : 0;

	fprintf(f, "%" PRId64, ticks ? clock_ns(log->time, ticks) : 0);
	fwrite(rest, 1, (size_t)(end - rest), f);
	line_end(f);
}

static void side_file_print(FILE *f, const struct opened *o, size_t process, const char *name)
{
	const struct trace_process *p = &o->processes[process];
	const char *at, *end, *next;
	struct file file;

	if (!p->nthreads ||
	    !file_take(&file, directory_file(&o->directories[process], name), false))
		return;
	at = (const char *)file.bytes;
	end = at + (file.nholes ? file.holes[0].from : file.size);
	for (; at < end && (next = memchr(at, '\n', (size_t)(end - at))); at = next + 1)
		side_line_print(f, &o->logs[p->first_thread], at, next);
	file_unload(&file);
}

/* An entry of the environment that is printed to a file in memory first. */
struct environment_entry {
	FILE *file;
	char *text;
	size_t size;
};

static FILE *entry_begin(struct environment_entry *e)
{
	*e = (struct environment_entry){0};
	e->file = open_memstream(&e->text, &e->size);
	if (!e->file)
		array_exhausted();
	return e->file;
}

/* Prints the entry, unless it is empty. */
__attribute__((format(printf, 3, 4))) static void entry_end(struct environment_entry *e, FILE *f,
							    const char *name, ...)
{
	va_list arguments;

	if (fclose(e->file))
		array_exhausted();
	if (e->size) {
		putc_unlocked('\t', f);
		va_start(arguments, name);
		vfprintf(f, name, arguments);
		va_end(arguments);
		fputs(" = ", f);
		literal_print(f, e->text);
		fputs(";\n", f);
	}
	free(e->text);
}

static void environment_print(FILE *f, const struct ctf_metadata *m)
{
	static const char *const files[] = {"modules", "objects", "made"};
	const struct opened *o = opened_of(m->trace);
	struct environment_entry e;

	fprintf(f,
		"env {\n\ttracer_name = \"glimpse\";\n"
		"\tglimpse_origin = %" PRId64 ";\n\tglimpse_origin_real = %" PRId64 ";\n",
		m->trace->origin, m->trace->origin_real);
	fputs(m->trace->spec->text, entry_begin(&e));
	entry_end(&e, f, "glimpse_specification");
	processes_print(entry_begin(&e), o);
	entry_end(&e, f, "glimpse_processes");
	threads_print(entry_begin(&e), o);
	entry_end(&e, f, "glimpse_threads");
	for (size_t i = 0; i < o->ndirectories; i++)
		for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
			side_file_print(entry_begin(&e), o, i, files[k]);
			entry_end(&e, f, "glimpse_%s_%zu", files[k], i);
		}
	fputs("};\n\n", f);
}

/* ---- all of it ---- */

void ctf_layout_write(FILE *f, const unsigned char uuid[CTF_UUID])
{
	types_print(f);
	trace_print(f, uuid);
	stream_print(f);
}

void ctf_metadata_write(FILE *f, const struct ctf_metadata *m, const bool *bytes)
{
	const struct spec *spec = m->trace->spec;

	fputs("/* CTF 1.8 */\n\n", f);
	environment_print(f, m);
	clock_print(f, m);
	ctf_layout_write(f, m->uuid);
	for (unsigned i = 0; i < spec->nevents; i++) {
		ctf_class_write(f, spec, spec->events[i], false);
		if (bytes[i])
			ctf_class_write(f, spec, spec->events[i], true);
	}
}
