/*
 * What is drawn: five layers and the program's own intervals, each a switch with its types below it,
 * of which only those that the trace has are listed.
 */
/* uses: labels, canvas, view, panel */
const layers = (() => {
	const { make } = labels;
	const place = panel.add({
		name: "layers", tab: "Layers", last: true, button: "Layers",
		hint: "choose which states, waits, locks, wake-ups and events are drawn",
		key: "v", group: "Lanes", before: "g", does: "choose layers: states, waits, locks, wake-ups, events",
		opened, html: `
	<p class="switches"></p><div></div>
	<div id="notes"></div>`,
	});
	const list = place.querySelector("div");
	const names = [["own", "intervals"], ["states", "states"], ["waits", "waits"], ["locks", "locks"],
		["wake-ups", "wake-ups"], ["events", "events"]];
	/* What the last picture that had an entry said of it. */
	const known = { events: new Map(), intervals: new Map() };
	const unfolded = new Set();
	let entries = [];

	/* ---- what there is ---- */

	function takeEntries(start) {
		entries = ["intervals", "events"].flatMap((what) => start[what].filter((e) => !e.absent)
			.map((e) => ({ what, name: e.name, label: e.label, layer: e.layer, events: e.events })));
	}

	const isShown = (e) => !view.state.off[e.what].has(e.name);
	const of = (layer) => entries.filter((e) => e.layer === layer);

	/* What the last picture with it said of an interval; undefined: no picture had it. */
	function find(interval) {
		return known.intervals.get(interval);
	}

	/* An interval or event as the trace has it; undefined: it has none. */
	function entry(what, name) {
		return entries.find((e) => e.what === what && e.name === name);
	}

	/* ---- switches ---- */

	function set(some, on) {
		for (const e of some)
			if (on)
				view.state.off[e.what].delete(e.name);
			else
				view.state.off[e.what].add(e.name);
		fill();
		view.refresh();
	}

	function box(shown, some, change) {
		const input = make("input");
		input.type = "checkbox";
		input.checked = shown;
		input.indeterminate = some;
		input.addEventListener("change", () => change(input.checked));
		return input;
	}

	function swatch(seen) {
		const element = make("span", seen && seen.line ? "swatch line" : "swatch");
		element.style.background = (seen && seen.colour) || "transparent";
		return element;
	}

	function icon(seen) {
		const element = make("canvas", "icon"), ratio = window.devicePixelRatio || 1;
		element.width = element.height = 18 * ratio;
		const context = element.getContext("2d");
		context.scale(ratio, ratio);
		if (seen && seen.icon)
			canvas.paint(context, seen.icon);
		return element;
	}

	function row(e) {
		const seen = known[e.what].get(e.name), input = box(isShown(e), false, (on) => set([e], on));
		const label = make("label", "", input, e.what === "events" ? icon(seen) : swatch(seen), make("span", "name", e.label));
		input.dataset.name = e.name;
		label.title = e.name;
		return make("li", isShown(e) ? "" : "off", label);
	}

	function fold(layer) {
		const open = unfolded.has(layer), button = make("button", "fold", open ? "\u25be" : "\u25b8");
		button.title = open ? "hide the types" : "show the types";
		button.setAttribute("aria-expanded", open);
		button.addEventListener("click", () => {
			if (!unfolded.delete(layer))
				unfolded.add(layer);
			fill();
		});
		return button;
	}

	function group([layer, title]) {
		const some = of(layer), shown = some.filter(isShown).length;
		const input = box(shown > 0, shown > 0 && shown < some.length, (on) => set(some, on));
		const element = make("div", "layer", make("label", "", input, make("span", "name", title)), " ",
			make("span", "muted", shown + " of " + some.length), " ", fold(layer),
			...(unfolded.has(layer) ? [make("ul", "", ...some.map(row))] : []));
		input.dataset.layer = layer;
		element.dataset.layer = layer;
		return element;
	}

	function button(text, title, on) {
		const element = make("button", "", text);
		element.title = title;
		element.addEventListener("click", () => set(entries, on));
		return element;
	}

	function fill() {
		const { name, layer } = place.contains(document.activeElement) ? document.activeElement.dataset : {};
		place.querySelector(".switches").replaceChildren(button("all", "draw all types", true),
			button("none", "draw no type", false));
		const others = entries.some((e) => e.what === "intervals" && e.layer !== "own");
		names[0][1] = others ? "other intervals" : "intervals";
		list.replaceChildren(...names.filter(([l]) => of(l).length).map(group));
		/* the rows are others now */
		if (name || layer)
			list.querySelector(name ? `[data-name="${name}"]` : `input[data-layer="${layer}"]`)?.focus();
	}

	function opened() {
		if (view.state.picture)
			fill();
	}

	function take(picture) {
		for (const what of ["events", "intervals"])
			for (const e of picture[what])
				known[what].set(e.name, e);
		document.getElementById("notes").replaceChildren(...picture.notes.map((n) => make("p", "", n)));
		if (panel.current() === "layers")
			fill();
	}

	/* ---- when ---- */

	view.on("picture", take);

	/* Called again when there are other definitions. */
	function start(answer) {
		takeEntries(answer);
		known.events.clear();
		known.intervals.clear();
		/* few types fit without folding */
		unfolded.clear();
		for (const [layer] of names)
			if (of(layer).length <= 8)
				unfolded.add(layer);
		fill();
	}

	/* There is more of the same trace. */
	function renew(answer) {
		takeEntries(answer);
		fill();
	}

	view.on("names", start);
	view.on("grow", renew);

	return { find, entry, entries: () => entries, icon, swatch };
})();
