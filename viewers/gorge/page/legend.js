/* Below the lanes, in a line: what colours and symbols mean, and what is not drawn, which the layers draw. */
/* uses: labels, view, panel, layers */
(() => {
	const { make } = labels;
	const place = document.getElementById("legend");
	let shown = "";

	function entryOf(entry) {
		return make("span", "", layers.icon(entry), entry.text);
	}

	function hiddenOf(text) {
		const link = make("button", "link", "hidden: " + text + " \u2013 Layers \u25b8");
		link.title = "choose what is drawn (v)";
		link.addEventListener("click", () => panel.show("layers"));
		return link;
	}

	/* Only when it says something else: a picture while the view is dragged has the same one. */
	function take(picture) {
		const key = JSON.stringify([picture.legend, picture.hidden, picture.theme.name]);
		if (key === shown)
			return;
		shown = key;
		place.hidden = !picture.legend.length;
		place.replaceChildren(...picture.legend.map(entryOf), ...(picture.hidden ? [hiddenOf(picture.hidden)] : []));
	}

	/* It has its room before the first picture. */
	function start(what) {
		place.hidden = ![...what.intervals, ...what.events].some((e) => !e.absent);
		view.on("picture", take);
	}

	view.on("start", start);
})();
