#include "viewers/gorge/page/assets.h"
#include <stddef.h>

/* PAGE is the folder of the page's parts. */
#define ASSET(name, file) \
	extern const char asset_##name[], asset_##name##_end[]; \
	__asm__(".pushsection .rodata\n" \
		"asset_" #name ": .incbin \"" PAGE "/" file "\"\n" \
		"asset_" #name "_end: .byte 0\n" \
		".popsection\n")

ASSET(body, "page.html");
ASSET(style, "page.css");
ASSET(server, "server.js");
ASSET(labels, "labels.js");
ASSET(strips, "strips.js");
ASSET(canvas, "canvas.js");
ASSET(viewport, "viewport.js");
ASSET(view, "view.js");
ASSET(progress, "progress.js");
ASSET(minimap, "minimap.js");
ASSET(panel, "panel.js");
ASSET(lanes, "lanes.js");
ASSET(tracks, "tracks.js");
ASSET(details, "details.js");
ASSET(durations, "durations.js");
ASSET(statistics, "statistics.js");
ASSET(requests, "requests.js");
ASSET(finder, "finder.js");
ASSET(assertions, "assertions.js");
ASSET(follow, "follow.js");
ASSET(editor, "editor.js");
ASSET(pointer, "pointer.js");
ASSET(keys, "keys.js");
ASSET(main, "main.js");
ASSET(documents, "documents.js");
ASSET(local, "engine.js");

#ifdef ENGINE
__asm__(".pushsection .rodata\n"
	"asset_engine: .incbin \"" ENGINE "\"\n"
	"asset_engine_end: .byte 0\n"
	".popsection\n");
extern const char asset_engine[], asset_engine_end[];
#else
static const char asset_engine[1], *const asset_engine_end = asset_engine;
#endif

struct script {
	const char *text, *end;
};
#define SCRIPT(name) {asset_##name, asset_##name##_end}

/* What answers the page: a server, or the engine that is with it. */
static const struct script served[] = {SCRIPT(server)};
static const struct script local[] = {
	SCRIPT(documents), SCRIPT(local),
};

/* In the order in which they are run. */
static const struct script scripts[] = {
	SCRIPT(labels),
	SCRIPT(strips),
	SCRIPT(canvas),
	SCRIPT(viewport),
	SCRIPT(view),
	SCRIPT(progress),
	SCRIPT(minimap),
	SCRIPT(panel),
	SCRIPT(lanes),
	SCRIPT(tracks),
	SCRIPT(details),
	SCRIPT(durations),
	SCRIPT(statistics),
	SCRIPT(requests),
	SCRIPT(finder),
	SCRIPT(assertions),
	SCRIPT(follow),
	SCRIPT(editor),
	SCRIPT(pointer),
	SCRIPT(keys),
	SCRIPT(main),
};

static void assets_put(FILE *out, const char *text, const char *end)
{
	fwrite(text, 1, (size_t)(end - text), out);
}

static void put_scripts(FILE *out, const struct script *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assets_put(out, list[i].text, list[i].end);
}

void assets_begin(FILE *out, const char *head)
{
	fprintf(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<title>gorge</title>\n<link rel=\"icon\" href=\"data:,\">\n%s<style>\n", head);
	assets_put(out, asset_style, asset_style_end);
	fputs("</style>\n</head>\n", out);
	assets_put(out, asset_body, asset_body_end);
}

void assets_end(FILE *out, bool is_served)
{
	fputs("<script>\n\"use strict\";\n", out);
	if (is_served)
		put_scripts(out, served, sizeof served / sizeof *served);
	else
		put_scripts(out, local, sizeof local / sizeof *local);
	put_scripts(out, scripts, sizeof scripts / sizeof *scripts);
	fputs("</script>\n</html>\n", out);
}

void assets_page(FILE *out)
{
	assets_begin(out, "");
	assets_end(out, true);
}

size_t assets_engine(const void **bytes)
{
	*bytes = asset_engine;
	return (size_t)(asset_engine_end - asset_engine);
}
