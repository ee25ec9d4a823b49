#include "formats/export.h"
#include <inttypes.h>

const struct export_format *const export_formats[] = {
    &export_avro,       &export_chrome, &export_csv,        &export_ctf,     &export_firefox,
    &export_folded,     &export_fxt,    &export_graze,      &export_jsonl,   &export_logfmt,
    &export_otf2,       &export_otlp,   &export_paje,       &export_parquet, &export_perfetto,
    &export_postgresql, &export_pprof,  &export_speedscope, &export_sqlite,  NULL,
};

bool export_has_thread(const struct export_request *r, uint32_t number)
{
	return !r->threads || r->threads[trace_thread_index(r->trace, number)];
}

void export_left_out(const struct export_request *r, const struct export_format *f, uint64_t n,
		     const char *what)
{
	if (n)
		diag_warning(r->diag, "export", DIAG_NOWHERE,
			     "%s cannot hold %s: %" PRIu64 " left out", f->name, what, n);
}

bool export_built_without(const struct export_request *r, const char *library, const char *format,
			  const char *packages)
{
	diag_error(
	    r->diag, DIAG_NOWHERE,
	    "built without %s, which --format=%s needs: apt install %s, then configure and make again",
	    library, format, packages);
	return false;
}
