#include "viewers/gorge/document/html.h"
#include "base/array.h"
#include "base/base64.h"
#include "base/output.h"
#include "base/units.h"
#include "viewers/gorge/document/payload.h"
#include "viewers/gorge/page/assets.h"
#include <stdlib.h>
#include <zlib.h>

/* Documents with more events than this are too slow in a browser. */
enum { MOST_EVENTS = 1000000 };

/* The page runs only what is in it, and connects to nothing. */
static char *policy_make(void)
{
	char *runs = assets_policy(false);
	char *policy = text_format("<meta http-equiv=\"Content-Security-Policy\" content=\""
				   "default-src 'none'; %s; base-uri 'none'; "
				   "form-action 'none'\">\n",
				   runs);

	free(runs);
	return policy;
}

/* Writes bytes as a script of a type that no browser runs, compressed and in base64. */
static void put_packed(FILE *out, const char *id, const void *bytes, size_t n)
{
	uLongf size = compressBound(n);
	unsigned char *packed = array_zero(size, 1);

	if (compress2(packed, &size, bytes, n, Z_DEFAULT_COMPRESSION) != Z_OK)
		array_exhausted();
	fprintf(out, "<script type=\"application/octet-stream\" id=\"%s\">", id);
	base64_write(out, packed, size);
	fputs("</script>\n", out);
	free(packed);
}

static void put_data(FILE *out, const struct trace_slice *x, const struct view *v, struct trace *t,
		     const char *directory)
{
	char *text = NULL;
	size_t size;
	FILE *payload = open_memstream(&text, &size);

	if (!payload)
		array_exhausted();
	payload_write(x, v, t, directory, payload);
	if (fclose(payload) != 0)
		array_exhausted();
	put_packed(out, "data", text, size);
	free(text);
}

/* Tells readers that the document has a part of the trace. */
static void put_note(FILE *out, const struct trace_slice *x)
{
	char from[UNITS_TEXT], to[UNITS_TEXT], count[UNITS_TEXT];

	if (!x->whole)
		fprintf(
		    out,
		    "<p id=\"part\" hidden>This document shows part of the trace: %s events from %s to "
		    "%s, and the intervals that overlap this time. Why lists the findings of all "
		    "threads in it.</p>\n",
		    units_count(count, x->count), units_exact_time(from, x->window.from),
		    units_exact_time(to, x->window.to));
}

static void put_page(FILE *out, const struct trace_slice *x, const struct view *v, struct trace *t,
		     const char *directory)
{
	const void *engine;
	size_t size = assets_engine(&engine);
	char *policy = policy_make();

	assets_begin(out, policy);
	free(policy);
	put_note(out, x);
	put_packed(out, "engine", engine, size);
	put_data(out, x, v, t, directory);
	assets_end(out, false);
}

static bool html_fits(const struct trace_slice *x, const char *path, struct diag *diag)
{
	char count[UNITS_TEXT], most[UNITS_TEXT];

	if (x->count <= MOST_EVENTS)
		return true;
	diag_error(diag, DIAG_NOWHERE,
		   "%s would have %s events, and a document holds at most %s; select a part "
		   "with --from, --to or --threads, or open all of it without -o",
		   path, units_count(count, x->count), units_count(most, MOST_EVENTS));
	return false;
}

bool html_check(struct diag *diag)
{
	const void *engine;

	if (assets_engine(&engine))
		return true;
	diag_error(diag, DIAG_NOWHERE,
		   "this gorge was built without support for html; install clang, lld and "
		   "wasi-libc, configure and build it again, or write svg, png or pdf");
	return false;
}

bool html_write(const char *path, const struct view *v, struct trace *t, const char *directory,
		struct diag *diag)
{
	struct trace_slice x = {0};
	bool good = slice_choose(&x, v, t, diag) && html_fits(&x, path, diag);
	struct output *output;
	FILE *out;

	if (good) {
		output = output_begin(NULL, 0, diag_write_failed, diag);
		out = output_file(output, "%s", path);
		if (out)
			put_page(out, &x, v, t, directory);
		good = output_commit(output);
	}
	slice_free(&x, t);
	return good;
}
