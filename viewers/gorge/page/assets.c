#include "viewers/gorge/page/assets.h"
#include "base/array.h"
#include "base/base64.h"
#include "base/sha256.h"
#include <stddef.h>
#include <stdlib.h>

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
ASSET(rows, "rows.js");
ASSET(viewport, "viewport.js");
ASSET(view, "view.js");
ASSET(progress, "progress.js");
ASSET(minimap, "minimap.js");
ASSET(panel, "panel.js");
ASSET(spotlight, "spotlight.js");
ASSET(layers, "layers.js");
ASSET(legend, "legend.js");
ASSET(dock, "dock.js");
ASSET(lanes, "lanes.js");
ASSET(objects, "objects.js");
ASSET(tracks, "tracks.js");
ASSET(details, "details.js");
ASSET(selection, "selection.js");
ASSET(outline, "outline.js");
ASSET(order, "order.js");
ASSET(durations, "durations.js");
ASSET(statistics, "statistics.js");
ASSET(requests, "requests.js");
ASSET(finder, "finder.js");
ASSET(assertions, "assertions.js");
ASSET(flame, "flame.js");
ASSET(why, "why.js");
ASSET(headline, "headline.js");
ASSET(beside, "beside.js");
ASSET(whatif, "whatif.js");
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
#define SCRIPT(name) \
	{ \
		asset_##name, asset_##name##_end \
	}

/* What answers the page: a server, or the engine that is with it. */
static const struct script served[] = {SCRIPT(server)};
static const struct script local[] = {
    SCRIPT(documents),
    SCRIPT(local),
};

/* In the order in which they are run. */
static const struct script scripts[] = {
    SCRIPT(labels),    SCRIPT(strips),     SCRIPT(canvas),   SCRIPT(rows),      SCRIPT(viewport),
    SCRIPT(view),      SCRIPT(progress),   SCRIPT(minimap),  SCRIPT(panel),     SCRIPT(spotlight),
    SCRIPT(layers),    SCRIPT(legend),     SCRIPT(dock),     SCRIPT(objects),   SCRIPT(lanes),
    SCRIPT(tracks),    SCRIPT(details),    SCRIPT(outline),  SCRIPT(selection), SCRIPT(order),
    SCRIPT(durations), SCRIPT(statistics), SCRIPT(requests), SCRIPT(finder),    SCRIPT(assertions),
    SCRIPT(flame),     SCRIPT(why),        SCRIPT(headline), SCRIPT(beside),    SCRIPT(whatif),
    SCRIPT(follow),    SCRIPT(editor),     SCRIPT(pointer),  SCRIPT(keys),      SCRIPT(main),
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

static void put_script(FILE *out, bool is_served)
{
	fputs("\n\"use strict\";\n", out);
	if (is_served)
		put_scripts(out, served, sizeof served / sizeof *served);
	else
		put_scripts(out, local, sizeof local / sizeof *local);
	put_scripts(out, scripts, sizeof scripts / sizeof *scripts);
}

static void put_style(FILE *out)
{
	putc('\n', out);
	assets_put(out, asset_style, asset_style_end);
}

void assets_begin(FILE *out, const char *head)
{
	fprintf(out,
		"<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<title>gorge</title>\n<link rel=\"icon\" href=\"data:,\">\n%s<style>",
		head);
	put_style(out);
	fputs("</style>\n</head>\n", out);
	assets_put(out, asset_body, asset_body_end);
}

void assets_end(FILE *out, bool is_served)
{
	fputs("<script>", out);
	put_script(out, is_served);
	fputs("</script>\n</html>\n", out);
}

/* Writes 'sha256-DIGITS' of a text, which it frees. */
static void put_hash(FILE *out, char *text, size_t size)
{
	unsigned char hash[SHA256_BYTES];

	sha256_compute(hash, text, size);
	fputs("'sha256-", out);
	base64_write(out, hash, sizeof hash);
	putc('\'', out);
	free(text);
}

char *assets_policy(bool is_served)
{
	char *script = NULL, *style = NULL, *policy = NULL;
	size_t script_size, style_size, size;
	FILE *scripts_out = open_memstream(&script, &script_size);
	FILE *style_out = open_memstream(&style, &style_size);
	FILE *out = open_memstream(&policy, &size);

	if (!scripts_out || !style_out || !out)
		array_exhausted();
	put_script(scripts_out, is_served);
	put_style(style_out);
	if (fclose(scripts_out) != 0 || fclose(style_out) != 0)
		array_exhausted();
	fputs("script-src ", out);
	put_hash(out, script, script_size);
	fputs(is_served ? "; connect-src 'self'; frame-src 'self'; style-src "
			: " 'wasm-unsafe-eval'; style-src ",
	      out);
	put_hash(out, style, style_size);
	fputs("; img-src data: blob:", out);
	if (fclose(out) != 0)
		array_exhausted();
	return policy;
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
