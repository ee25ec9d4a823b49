#include "viewers/gorge/page/assets.h"
#include "base/array.h"
#include "base/base64.h"
#include "base/sha256.h"
#include <stddef.h>
#include <stdlib.h>

/* An asset of files one after the other; PAGE is the folder of the page's parts. */
#define ASSET(name, files) \
	extern const char asset_##name[], asset_##name##_end[]; \
	__asm__(".pushsection .rodata\n" \
		"asset_" #name ":\n" files "asset_" #name "_end: .byte 0\n" \
		".popsection\n")
#define ASSET_FILE(path) ".incbin \"" path "\"\n"
#define PART(file) ASSET_FILE(PAGE "/" file)

/* clang-format off */
ASSET(body, PART("page.html"));
ASSET(style, PART("page.css"));

/* What answers the page: a server, or the engine that is with it. */
ASSET(served, PART("server.js"));
ASSET(local, PART("documents.js") PART("engine.js"));

/* The scripts, in the order in which they are run. A new one is a row. */
ASSET(scripts,
	PART("labels.js")
	PART("strips.js")
	PART("canvas.js")
	PART("rows.js")
	PART("viewport.js")
	PART("view.js")
	PART("requests.js")
	PART("keys.js")
	PART("address.js")
	PART("progress.js")
	PART("minimap.js")
	PART("panel.js")
	PART("spotlight.js")
	PART("dock.js")
	PART("layers.js")
	PART("legend.js")
	PART("objects.js")
	PART("lanes.js")
	PART("tracks.js")
	PART("selection.js")
	PART("details.js")
	PART("outline.js")
	PART("order.js")
	PART("finder.js")
	PART("assertions.js")
	PART("durations.js")
	PART("statistics.js")
	PART("flame.js")
	PART("why.js")
	PART("headline.js")
	PART("beside.js")
	PART("compare.js")
	PART("differences.js")
	PART("whatif.js")
	PART("follow.js")
	PART("editor.js")
	PART("pointer.js")
	PART("marks.js")
	PART("notes.js")
	PART("main.js")
);
/* clang-format on */

#ifdef ENGINE
ASSET(engine, ASSET_FILE(ENGINE));
#else
static const char asset_engine[1], *const asset_engine_end = asset_engine;
#endif

static void assets_put(FILE *out, const char *text, const char *end)
{
	fwrite(text, 1, (size_t)(end - text), out);
}

static void put_script(FILE *out, bool is_served)
{
	fputs("\n\"use strict\";\n", out);
	if (is_served)
		assets_put(out, asset_served, asset_served_end);
	else
		assets_put(out, asset_local, asset_local_end);
	assets_put(out, asset_scripts, asset_scripts_end);
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
