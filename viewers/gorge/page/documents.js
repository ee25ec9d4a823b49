/* In a document, the page itself makes the files that the server makes elsewhere. */
/* uses: server, labels, canvas */
const documents = (() => {
	function svg(d) {
		return new Blob([d.svg], { type: "image/svg+xml" });
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
		const link = labels.make("a");
		link.href = url;
		link.download = name;
		link.click();
		setTimeout(() => URL.revokeObjectURL(url), 10000);
	}

	/* Only the program writes PDF. */
	document.getElementById("save-pdf").hidden = true;

	return { save, svg, png };
})();
