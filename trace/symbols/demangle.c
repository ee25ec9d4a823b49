#include "trace/symbols/demangle.h"
#include "base/array.h"
#include "base/visible.h"
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_LIBDW
#include <libiberty/demangle.h>

/* A symbol that is longer is shown as it is. */
enum { SYMBOL_MOST = 4096 };

/* A short symbol may stand for a name without end: what does not fit is not made. */
struct demangling {
	char text[NAME_MOST + 1];
	size_t n;
	jmp_buf full;
};

static void piece_add(const char *piece, size_t n, void *context)
{
	struct demangling *d = context;
	size_t room = NAME_MOST - d->n;

	if (n == 0) /* piece may be NULL */
		return;
	memcpy(d->text + d->n, piece, n < room ? n : room);
	d->n += n < room ? n : room;
	if (n > room)
		longjmp(d->full, 1);
}

/* Returns false if the symbol is of no such language. */
static bool demangle_into(struct demangling *d, const char *symbol)
{
	const int options = DMGL_PARAMS | DMGL_ANSI;
	bool mangled = !strncmp(symbol, "_Z", 2), rust = !strncmp(symbol, "_R", 2);

	if ((!mangled && !rust) || strlen(symbol) > SYMBOL_MOST)
		return false;
	d->n = 0;
	if (setjmp(d->full))
		memcpy(d->text + NAME_MOST - 3, "...", 3);
	else if (!rust_demangle_callback(symbol, options, piece_add, d)) {
		d->n = 0;
		if (rust || !cplus_demangle_v3_callback(symbol, options, piece_add, d))
			return false;
	}
	d->text[d->n] = '\0';
	return d->n > 0;
}
#else
struct demangling {
	char text[NAME_MOST + 1];
};

static bool demangle_into(struct demangling *d, const char *symbol)
{
	(void)d, (void)symbol;
	return false;
}
#endif

char *demangle(const char *symbol)
{
	const char *version = strchr(symbol, '@');
	struct demangling d;
	char *name, *seen;

	if (version && version > symbol && strcmp(version, "@plt") != 0)
		name = text_format(
		    "%.*s", (int)(version - symbol < NAME_MOST ? version - symbol : NAME_MOST),
		    symbol);
	else
		name = text_format("%.*s", NAME_MOST, symbol);
	seen = visible_text(demangle_into(&d, name) ? d.text : name);
	free(name);
	return seen;
}
