/* A table of the intervals in the window, which sorts, beside how the durations of one are spread. */
/* uses: server, labels, view, dock, layers, selection, finder, durations */
const statistics = (() => {
	const { make } = labels;
	const place = dock.add({
		name: "statistics", button: "Statistics", key: "i", does: "statistics of the window", toggle,
		asks: { statistics: "statistics" }, html: `
	<div class="numbers"><h2 class="intervals"></h2><table></table>
		<h2></h2><table class="events"></table></div>
	<button class="close" title="close (i)" aria-label="close the statistics">&times;</button>`,
	});
	const table = place.querySelector("table");
	place.querySelector(".numbers").after(durations.place);
	const eventTable = place.querySelector(".events");
	const columns = [
		["name", (i) => i.name],
		["count", (i) => i.count, labels.count],
		["unmatched", (i) => i.unmatched, labels.count],
		["total", (i) => i.total, labels.duration],
		["mean", (i) => i.mean, labels.duration],
		["p50", (i) => i.p50, labels.duration],
		["p99", (i) => i.p99, labels.duration],
		["max", (i) => i.longest, labels.duration],
	];
	/* After the last picture, so that dragging is not held up. */
	const PAUSE = 120;
	let rows = [], events = [], of = null, sortBy = null, descending = true, timer = 0;

	function sorted() {
		if (sortBy === null)
			return rows;
		const get = columns[sortBy][1], sign = descending ? -1 : 1;
		const value = (i) => get(i) === undefined ? -1 : get(i);
		return rows.slice().sort((a, b) =>
			sign * (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0));
	}

	function sort(i) {
		descending = sortBy === i ? !descending : i !== 0;
		sortBy = i;
		fill();
	}

	/* Reached and used by keys, too. */
	function active(element, action) {
		element.tabIndex = 0;
		element.addEventListener("click", action);
		element.addEventListener("keydown", (event) => {
			if (event.key === "Enter")
				action(event);
		});
		return element;
	}

	function head() {
		return make("tr", "", ...columns.map(([name], i) => {
			const cell = active(make("th", "", name), () => sort(i));
			if (sortBy === i)
				cell.setAttribute("aria-sort", descending ? "descending" : "ascending");
			return cell;
		}));
	}

	function cell([name, get, text], i) {
		const value = get(i), element = make("td", "", value === undefined ? "" : text(value));
		if (name === "unmatched" && value > 0) {
			element.className = "link";
			element.title = "list them";
			element.addEventListener("click", (event) => {
				event.stopPropagation();
				finder.put(i.searched + " unmatched");
			});
		}
		return element;
	}

	function row(i) {
		const entry = layers.find(i.name) || {};
		const line = make("tr", durations.chosen() === i.name ? "chosen" : "",
			make("td", "", layers.swatch(entry), " ", entry.label || i.name),
			...columns.slice(1).map((c) => cell(c, i)));
		line.dataset.name = i.name;
		return active(line, () => choose(i.name));
	}

	function eventRow(e) {
		const entry = layers.entry("events", e.name) || { label: e.name };
		const line = make("tr", "", make("td", "", entry.label), make("td", "", labels.count(e.count)));
		line.dataset.name = e.name;
		line.title = "list them";
		return active(line, () => finder.events(e.name));
	}

	function fill() {
		const title = place.querySelector(".intervals");
		title.textContent = "Intervals in " + selection.name();
		title.title = "instances count with the time that they have in " + selection.name();
		eventTable.previousElementSibling.textContent = "Events in " + selection.name();
		table.replaceChildren(head(), ...sorted().map(row));
		eventTable.replaceChildren(make("tr", "", make("th", "", "name"), make("th", "", "count")),
			...events.map(eventRow));
		eventTable.previousElementSibling.hidden = eventTable.hidden = events.length === 0;
	}

	async function ask() {
		const asked = view.state.asked;
		try {
			const answer = await server.ask("statistics", { ...asked, ...selection.values() });
			rows = answer.intervals.filter((i) => i.count > 0 || i.unmatched > 0);
			events = answer.events.filter((e) => e.count > 0);
			of = asked;
			if (!durations.chosen() && rows.length)
				durations.choose(rows.reduce((a, i) => i.count > a.count ? i : a).name);
			fill();
			await durations.refresh();
		} catch (e) {
			view.say(e.message);
		}
	}

	/* What is still being looked for has no statistics. */
	function refresh() {
		const waiting = view.state.picture.intervals.some((i) => i.waiting);
		clearTimeout(timer);
		if (!place.hidden && !waiting)
			timer = setTimeout(ask, PAUSE);
	}

	/* The view has less room, or more again. */
	function toggle() {
		if (!dock.toggle(place))
			durations.clear();
	}

	function choose(interval) {
		durations.choose(interval);
		if (place.hidden)
			toggle();
		else
			ask();
	}

	view.on("picture", refresh);
	view.on("selected", refresh);

	/* Whether the table is that of the newest picture. */
	function current() {
		return of === view.state.asked;
	}

	return { toggle, choose, refresh, current };
})();
