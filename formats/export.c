#include "formats/export.h"
#include <inttypes.h>

const struct export_format *const export_formats[] = {
    &export_graze,  &export_folded, &export_speedscope, &export_pprof, &export_firefox,
    &export_chrome, &export_fxt,    &export_perfetto,   NULL,
};

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
