/* In a document, the page itself makes the files that the server makes elsewhere. */
const papers = (() => {
	const anchors = ["start", "middle", "end"];

	function escaped(text) {
		return text.replace(/[&<>"]/g, (c) => "&#" + c.charCodeAt(0) + ";");
	}

	/* "#rrggbbaa" */
	function colourOf(colour, property) {
		const opacity = parseInt(colour.slice(7), 16) / 255;
		return property + '="' + colour.slice(0, 7) + '"' +
			(opacity < 1 ? " " + property + '-opacity="' + opacity.toFixed(3) + '"' : "");
	}

	function figure([colour, pen, dashed, path]) {
		return '<path d="' + path + '" ' + (pen > 0 ?
			'fill="none" stroke-linejoin="round" stroke-width="' + pen + '" ' +
			(dashed ? 'stroke-dasharray="3 2" ' : "") + colourOf(colour, "stroke") :
			colourOf(colour, "fill")) + "/>\n";
	}

	function strips(item) {
		const all = canvas.strips(item), path = [];
		for (let i = 0; i < all.length; i += 3)
			path.push("M" + all[i] + " " + all[i + 1] + "h" + all[i + 2]);
		return figure([item[0], item[1], false, path.join("")]);
	}

	function label([colour, text, x, y, size, bold, align, width]) {
		return '<text x="' + x + '" y="' + y + '" font-size="' + size + '" text-anchor="' +
			anchors[align] + '" ' + (bold ? 'font-weight="bold" ' : "") +
			(width > 0 ? 'textLength="' + width + '" lengthAdjust="spacingAndGlyphs" ' : "") +
			colourOf(colour, "fill") + ">" + escaped(text) + "</text>\n";
	}

	function svg(d) {
		const size = 'width="' + d.width + '" height="' + d.height + '"';
		return new Blob(['<svg xmlns="http://www.w3.org/2000/svg" ' + size +
			' font-family="Helvetica, Arial, sans-serif">\n<rect ' + size + " " +
			colourOf(d.background, "fill") + "/>\n",
			...d.drawing.map((item) => item.length === 3 ? strips(item) :
				item.length === 4 ? figure(item) : label(item)),
			"</svg>\n"], { type: "image/svg+xml" });
	}

	function png(d) {
		const element = document.createElement("canvas"), context = element.getContext("2d");
		element.width = 2 * d.width;
		element.height = 2 * d.height;
		context.scale(2, 2);
		context.fillStyle = d.background;
		context.fillRect(0, 0, d.width, d.height);
		canvas.paint(context, d.drawing);
		return new Promise((done) => element.toBlob(done));
	}

	async function save(suffix, asked, name) {
		const d = await server.ask("picture." + suffix, asked);
		const url = URL.createObjectURL(await (suffix === "svg" ? svg(d) : png(d)));
		const link = words.make("a");
		link.href = url;
		link.download = name;
		link.click();
		setTimeout(() => URL.revokeObjectURL(url), 10000);
	}

	/* Only the program writes PDF. */
	document.getElementById("save-pdf").hidden = true;

	return { save, svg, png };
})();
