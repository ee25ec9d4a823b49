#include "viewers/gorge/assets.h"
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
ASSET(words, "words.js");
ASSET(canvas, "canvas.js");
ASSET(view, "view.js");
ASSET(minimap, "minimap.js");
ASSET(panel, "panel.js");
ASSET(lanes, "lanes.js");
ASSET(details, "details.js");
ASSET(durations, "durations.js");
ASSET(finder, "finder.js");
ASSET(assertions, "assertions.js");
ASSET(editor, "editor.js");
ASSET(pointer, "pointer.js");
ASSET(keys, "keys.js");
ASSET(main, "main.js");

/* In the order in which they are run. */
static const struct {
	const char *text, *end;
} scripts[] = {
	{asset_server, asset_server_end}, {asset_words, asset_words_end},
	{asset_canvas, asset_canvas_end}, {asset_view, asset_view_end},
	{asset_minimap, asset_minimap_end}, {asset_panel, asset_panel_end},
	{asset_lanes, asset_lanes_end},
	{asset_details, asset_details_end}, {asset_durations, asset_durations_end},
	{asset_finder, asset_finder_end}, {asset_assertions, asset_assertions_end},
	{asset_editor, asset_editor_end}, {asset_pointer, asset_pointer_end},
	{asset_keys, asset_keys_end}, {asset_main, asset_main_end},
};

static void put(FILE *out, const char *text, const char *end)
{
	fwrite(text, 1, (size_t)(end - text), out);
}

void assets_page(FILE *out)
{
	fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<title>gorge</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n", out);
	put(out, asset_style, asset_style_end);
	fputs("</style>\n</head>\n", out);
	put(out, asset_body, asset_body_end);
	fputs("<script>\n\"use strict\";\n", out);
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
		put(out, scripts[i].text, scripts[i].end);
	fputs("</script>\n</html>\n", out);
}
