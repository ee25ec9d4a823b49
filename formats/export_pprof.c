#include "formats/export_calls.h"
#include "config.h"

#ifdef HAVE_PROTOBUF_C
#include "base/array.h"
#include "base/hash.h"
#include "formats/profile.pb-c.h"
#include <stdlib.h>
#include <zlib.h>

/* The message as it grows; all is freed at the end by the library. */
struct pprof {
	const struct calls *calls;
	Pprof__Profile *profile;
	VECTOR(char *) strings;
	VECTOR(Pprof__Sample *) samples;
	bool sampled;                   /* calls are not known of all functions */
};

static int64_t string_add(struct pprof *p, const char *text, size_t length)
{
	*vector_add(&p->strings) = text_format("%.*s", (int)length, text);
	return (int64_t)p->strings.n - 1;
}

static int64_t text_add(struct pprof *p, const char *text)
{
	return string_add(p, text, strlen(text));
}

#define MESSAGE(type, init) __extension__ ({ \
	type *message_ = malloc(sizeof *message_); \
	if (!message_) \
		array_exhausted(); \
	init(message_); \
	message_; })

static Pprof__ValueType *value_type(struct pprof *p, const char *type, const char *unit)
{
	Pprof__ValueType *v = MESSAGE(Pprof__ValueType, pprof__value_type__init);

	v->type = text_add(p, type);
	v->unit = text_add(p, unit);
	return v;
}

/* ---- functions: each is a location ---- */

static void function_set(struct pprof *p, size_t i, const struct call_function *f)
{
	Pprof__Function *function = MESSAGE(Pprof__Function, pprof__function__init);
	Pprof__Location *location = MESSAGE(Pprof__Location, pprof__location__init);
	Pprof__Line *line = MESSAGE(Pprof__Line, pprof__line__init);
	const char *colon = f->line ? strrchr(f->line, ':') : NULL;

	function->id = location->id = line->function_id = i + 1;
	function->name = function->system_name = text_add(p, f->name);
	if (colon) {
		function->filename = string_add(p, f->line, (size_t)(colon - f->line));
		function->start_line = line->line = strtol(colon + 1, NULL, 10);
	}
	location->n_line = 1;
	location->line = array_new(1, sizeof(Pprof__Line *));
	location->line[0] = line;
	p->profile->function[i] = function;
	p->profile->location[i] = location;
}

static void functions_set(struct pprof *p)
{
	static const struct call_function elsewhere = {.name = "(many paths)"};
	size_t n = p->calls->nfunctions + 1;

	p->profile->n_function = p->profile->n_location = n;
	p->profile->function = array_new(n, sizeof(Pprof__Function *));
	p->profile->location = array_new(n, sizeof(Pprof__Location *));
	for (size_t i = 0; i < n; i++)
		function_set(p, i, i + 1 < n ? &p->calls->functions[i] : &elsewhere);
}

/* ---- samples ---- */

enum { NVALUES = 3 };

static void sample_add(struct pprof *p, const struct call_tree *t, uint32_t node, int64_t thread_key,
		       int64_t thread)
{
	Pprof__Sample *s = MESSAGE(Pprof__Sample, pprof__sample__init);
	Pprof__Label *label = MESSAGE(Pprof__Label, pprof__label__init);
	uint32_t path[PATH_MOST];

	s->n_location_id = path_of(t, node, path);
	s->location_id = array_new(s->n_location_id, sizeof *s->location_id);
	for (size_t i = 0; i < s->n_location_id; i++)
		s->location_id[i] =
		    (path[i] == NO_FUNCTION ? p->calls->nfunctions : path[i]) + UINT64_C(1);
	s->n_value = NVALUES;
	s->value = array_new(NVALUES, sizeof *s->value);
	s->value[0] = (int64_t)(p->sampled ? t->nodes[node].samples : t->nodes[node].calls);
	s->value[1] = t->nodes[node].own.total;
	s->value[2] = t->nodes[node].cpu.total;
	label->key = thread_key;
	label->str = thread;
	s->n_label = 1;
	s->label = array_new(1, sizeof(Pprof__Label *));
	s->label[0] = label;
	*vector_add(&p->samples) = s;
}

static void samples_add(struct pprof *p)
{
	const struct trace *trace = p->calls->trace;
	int64_t key = text_add(p, "thread");

	for (unsigned i = 0; i < trace->nthreads; i++) {
		const struct call_tree *t = &p->calls->threads[i].tree;
		int64_t thread = t->n > 1 ? text_add(p, trace->threads[i].label) : 0;

		for (uint32_t node = 1; node < t->n; node++)
			if (t->nodes[node].calls)
				sample_add(p, t, node, key, thread);
	}
}

/* ---- all ---- */

static bool compressed_write(FILE *out, const unsigned char *bytes, size_t size)
{
	z_stream z = {.next_in = (unsigned char *)bytes, .avail_in = (uInt)size};
	unsigned char part[1 << 14];
	int status;

	/* 16: with the header of gzip */
	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		array_exhausted();
	do {
		z.next_out = part;
		z.avail_out = sizeof part;
		status = deflate(&z, Z_FINISH);
		fwrite(part, 1, sizeof part - z.avail_out, out);
	} while (status == Z_OK);
	deflateEnd(&z);
	return status == Z_STREAM_END;
}

static void profile_fill(struct pprof *p)
{
	Pprof__Profile *profile = p->profile;

	text_add(p, "");
	for (unsigned i = 0; i < p->calls->trace->nthreads; i++)
		p->sampled |= p->calls->threads[i].sampled;
	profile->n_sample_type = NVALUES;
	profile->sample_type = array_new(NVALUES, sizeof(Pprof__ValueType *));
	profile->sample_type[0] = value_type(p, p->sampled ? "samples" : "calls", "count");
	profile->sample_type[1] = value_type(p, "own", "nanoseconds");
	profile->sample_type[2] = value_type(p, "cpu", "nanoseconds");
	profile->default_sample_type = profile->sample_type[2]->type;
	profile->period_type = value_type(p, "cpu", "nanoseconds");
	profile->period = 1;
	profile->time_nanos = p->calls->trace->origin_real;
	profile->duration_nanos = p->calls->trace->duration;
	functions_set(p);
	samples_add(p);
	profile->n_sample = p->samples.n;
	profile->sample = p->samples.at;
	profile->n_string_table = p->strings.n;
	profile->string_table = p->strings.at;
}

bool pprof_write(FILE *out, const struct calls *c)
{
	struct pprof p = {.calls = c, .profile = MESSAGE(Pprof__Profile, pprof__profile__init)};
	unsigned char *bytes;
	size_t size;

	profile_fill(&p);
	size = pprof__profile__get_packed_size(p.profile);
	bytes = array_new(size, 1);
	pprof__profile__pack(p.profile, bytes);
	compressed_write(out, bytes, size);
	free(bytes);
	pprof__profile__free_unpacked(p.profile, NULL);
	return true;
}
#else
bool pprof_write(FILE *out, const struct calls *c)
{
	(void)out;
	(void)c;
	return false;
}
#endif
