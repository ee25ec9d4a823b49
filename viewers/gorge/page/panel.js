/* The legend, which is also the switch panel: intervals as a table that sorts, and events. */
const panel = (() => {
	const { make } = labels;
	const columns = [
		["name", (i) => i.name],
		["count", (i) => i.count, labels.count],
		["unmatched", (i) => i.unmatched, labels.count],
		["mean", (i) => i.count ? i.total / i.count : -1, labels.duration],
		["max", (i) => i.count ? i.longest : -1, labels.duration],
	];
	let sortBy = null, descending = true, names = null;

	/* The entries that are drawn, and those that are switched off, in the order of the specification. */
	function entries(what) {
		const shown = new Map(view.state.picture[what].map((e) => [e.name, e]));
		return names[what].map((name) => remember(what, name, shown.get(name)));
	}

	const known = { events: new Map(), intervals: new Map() };

	function remember(what, name, entry) {
		if (entry)
			known[what].set(name, entry);
		return { name, ...known[what].get(name), shown: !!entry };
	}

	function box(what, name, shown) {
		const input = make("input");
		input.type = "checkbox";
		input.checked = shown;
		input.dataset.name = name;
		input.addEventListener("change", () => view.toggle(what, name));
		return input;
	}

	function swatch(entry) {
		const element = make("span", entry.line ? "swatch line" : "swatch");
		element.style.background = entry.colour || "transparent";
		return element;
	}

	function icon(entry) {
		const element = make("canvas", "icon"), ratio = window.devicePixelRatio || 1;
		element.width = element.height = 18 * ratio;
		const context = element.getContext("2d");
		context.scale(ratio, ratio);
		if (entry.icon)
			canvas.paint(context, entry.icon);
		return element;
	}

	function row(entry) {
		const label = make("label", "", box("intervals", entry.name, entry.shown), swatch(entry),
			make("span", "name", entry.label || entry.name));
		const line = make("tr", entry.shown ? "" : "off", make("td", "", label));
		label.title = entry.name;
		line.title = "statistics of " + entry.name;
		line.addEventListener("click", (event) => {
			if (!event.target.closest("label"))
				statistics.choose(entry.name);
		});
		for (const [, get, text] of columns.slice(1)) {
			const value = entry.shown && !entry.waiting ? get(entry) : -1;
			line.append(make("td", "", value < 0 ? (entry.shown && entry.waiting ? "\u2026" : "") : text(value)));
		}
		return line;
	}

	function head() {
		const line = make("tr");
		columns.forEach(([name, get], i) => {
			const cell = make("th", "", name);
			if (sortBy === i)
				cell.setAttribute("aria-sort", descending ? "descending" : "ascending");
			cell.addEventListener("click", () => {
				descending = sortBy === i ? !descending : i !== 0;
				sortBy = i;
				fillIntervals();
			});
			line.append(cell);
		});
		return line;
	}

	function sorted(list) {
		if (sortBy === null)
			return list;
		const get = columns[sortBy][1], sign = descending ? -1 : 1;
		const value = (e) => sortBy && !e.shown ? -1 : get(e);
		return list.slice().sort((a, b) =>
			sign * (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0));
	}

	/* What the trace does not have comes last, behind a button; returns the rows, and that button's. */
	const unfolded = { events: false, intervals: false };

	function folded(what, list, row, place) {
		const absent = list.filter((entry) => entry.absent);
		const rows = list.filter((entry) => !entry.absent || unfolded[what]);
		rows.sort((a, b) => (a.absent || false) - (b.absent || false));
		const button = make("button", "fold", unfolded[what] ? "hide those that are not in this trace"
			: absent.length + " more are not in this trace");
		button.addEventListener("click", () => {
			unfolded[what] = !unfolded[what];
			fill();
		});
		return rows.map(row).concat(absent.length ? make(place, "", button) : []);
	}

	function fillIntervals() {
		const rows = folded("intervals", sorted(entries("intervals")), row, "caption");
		document.querySelector("#intervals table").replaceChildren(head(), ...rows);
		document.getElementById("intervals").hidden = rows.length === 0;
	}

	function eventRow(entry) {
		const label = make("label", "", box("events", entry.name, entry.shown), icon(entry),
			make("span", "name", entry.label || entry.name));
		label.title = entry.name;
		return make("li", entry.shown ? "" : "off", label,
			make("span", "count", entry.shown ? labels.count(entry.count) : ""));
	}

	function fillEvents() {
		const rows = folded("events", entries("events"), eventRow, "li");
		document.querySelector("#events ul").replaceChildren(...rows);
	}

	/* Which colours sampled functions have. */
	function fillOrigins(origins) {
		const place = document.getElementById("origins");
		place.hidden = origins.length === 0;
		place.querySelector("ul").replaceChildren(...origins.map(({ name, colour }) => {
			const chip = make("i");
			chip.style.background = colour;
			return make("li", "", chip, make("span", "name", name));
		}));
	}

	function fill() {
		const p = view.state.picture;
		document.querySelector("h1").textContent = p.title;
		document.querySelector("#title p").textContent = p.subtitle;
		document.title = p.title + " - gorge";
		fillIntervals();
		fillEvents();
		fillOrigins(p.origins);
		document.getElementById("notes").replaceChildren(...p.notes.map((n) => make("p", "", n)));
	}

	/* Called again when there are other definitions. */
	function start(n) {
		if (!names)
			view.onPicture(fill);
		names = n;
		assertions.forget();
		known.events.clear();
		known.intervals.clear();
	}

	/* What the last picture with it said of an interval. */
	function find(interval) {
		return known.intervals.get(interval);
	}

	return { start, find };
})();
