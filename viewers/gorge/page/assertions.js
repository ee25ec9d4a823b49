/* What the specification asserts, and whether it holds; a click lists what breaks it, the worst first. */
/* uses: server, labels, view, requests, finder */
(() => {
	const { make } = labels;
	const place = labels.parse(`<div id="assertions" hidden><h2>Assertions</h2><ul></ul></div>`);
	const list = place.querySelector("ul");

	function verdict(a) {
		if (a.holds)
			return "holds";
		if (a.undefined)
			return "undefined";
		return a.interval ? labels.count(a.violated) + " of " + labels.count(a.instances) : "violated";
	}

	function row(a, i) {
		const text = a.text.replace(/^assert\s+/, "").replace(/;$/, "");
		const line = make("li", a.holds ? "holds" : "broken", make("span", "text", text),
			make("span", "count", verdict(a)));
		line.title = a.text;
		if (a.violated)
			line.addEventListener("click", () =>
				finder.list("violations", { assertion: i }, "violate " + text));
		return line;
	}

	let asked = false;

	/* Other definitions hold. */
	function forget() {
		asked = false;
	}

	/* Asks when all intervals are found. What is broken is marked in pictures from then on. */
	async function refresh(picture) {
		if (asked || picture.intervals.some((i) => i.waiting))
			return;
		asked = true;
		try {
			const { assertions } = await server.ask("assertions");
			place.hidden = assertions.length === 0;
			list.replaceChildren(...assertions.map(row));
			if (assertions.some((a) => a.violated))
				view.refresh();
		} catch (e) {
			view.say(e.message);
		}
	}

	document.getElementById("search").append(place);
	view.on("picture", refresh);
	view.on("forget", forget);
	requests.add({ assertions: "checking assertions" });
})();
