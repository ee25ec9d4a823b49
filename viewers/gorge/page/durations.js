/*
 * How the durations of one interval in the window are spread. A range of them can be picked, by
 * dragging or by keys: the view shows those instances and dims the others.
 */
/* uses: server, labels, view, requests, address, layers, selection */
const durations = (() => {
	const { make } = labels;
	const place = labels.parse(`<div class="spread empty">
		<h2></h2><div class="bins" tabindex="0" aria-label="histogram"></div>
		<p class="scale"></p><p class="said"></p>
	</div>`), columns = place.querySelector(".bins");
	const title = place.querySelector("h2"), scale = place.querySelector(".scale");
	const said = place.querySelector(".said");
	let name = null, bins = [], first = 0, last = 0, dragged = false;

	/* ---- what is picked ---- */

	function pick(a, b) {
		[first, last] = [a, b];
		view.state.pick = { interval: name, least: bins[Math.min(a, b)][0],
				    most: bins[Math.max(a, b)][1] - 1 };
		mark();
		view.refresh();
	}

	/* Returns whether there was anything to let go of. */
	function clear() {
		if (!view.state.pick)
			return false;
		view.state.pick = null;
		mark();
		view.refresh();
		return true;
	}

	function isPicked([from, to]) {
		const p = view.state.pick;
		return p && p.interval === name && from <= p.most && to > p.least;
	}

	function mark() {
		[...columns.children].forEach((column, i) => column.classList.toggle("chosen", !!isPicked(bins[i])));
		columns.classList.toggle("some", !!view.state.pick);
	}

	/* ---- by pointer ---- */

	function binAt(event) {
		const box = columns.getBoundingClientRect();
		const i = Math.floor((event.clientX - box.left) / box.width * bins.length);
		return Math.min(Math.max(i, 0), bins.length - 1);
	}

	columns.addEventListener("pointerdown", (event) => {
		if (event.button !== 0 || bins.length === 0)
			return;
		columns.setPointerCapture(event.pointerId);
		dragged = true;
		const i = binAt(event);
		if (event.shiftKey && view.state.pick)
			pick(first, i);
		else
			pick(i, i);
	});
	columns.addEventListener("pointermove", (event) => {
		if (dragged && binAt(event) !== last)
			pick(first, binAt(event));
	});
	columns.addEventListener("pointerup", () => { dragged = false; });
	columns.addEventListener("pointercancel", () => { dragged = false; });

	/* ---- by keys ---- */

	function press(event) {
		const to = { ArrowLeft: last - 1, ArrowRight: last + 1, Home: 0, End: bins.length - 1 }[event.key];
		if (to === undefined || bins.length === 0)
			return;
		event.preventDefault();
		event.stopPropagation();
		const i = Math.min(Math.max(view.state.pick ? to : last, 0), bins.length - 1);
		pick(event.shiftKey && view.state.pick ? first : i, i);
	}

	columns.addEventListener("keydown", press);

	/* ---- what is shown ---- */

	function bar([from, to, count], most) {
		const column = make("span"), fill = make("i");
		/* what is there is seen */
		fill.style.height = count ? Math.max(3, 100 * count / most) + "%" : "0";
		column.title = labels.count(count) + " of " + labels.duration(from) + " to " + labels.duration(to);
		column.append(fill);
		return column;
	}

	/* Where the bins begin that stand at the quarters, for they may grow. */
	function ticks() {
		const n = bins.length;
		return [0, 0.25, 0.5, 0.75].map((part) => make("span", "", labels.duration(bins[Math.floor(n * part)][0])))
			.concat(make("span", "", labels.duration(bins[n - 1][1] - 1)));
	}

	function say(d) {
		const p = view.state.pick;
		if (!p) {
			said.replaceChildren("drag, or press the arrow keys, to pick a range; the view then shows only these instances");
			return;
		}
		const button = make("button", "", "clear");
		button.title = "esc";
		button.addEventListener("click", clear);
		said.replaceChildren(labels.count(d.picked) + " of " + labels.count(d.count) + " take " +
			labels.duration(p.least) + " to " + labels.duration(p.most) + " ", button);
	}

	function fill(d) {
		bins = d.bins || [];
		const most = Math.max(...bins.map((b) => b[2]));
		const entry = layers.find(d.interval);
		title.textContent = "Durations of " + ((entry && entry.label) || d.interval) + " in " + selection.name();
		title.title = "whole durations, also of what begins or ends outside of " + selection.name();
		columns.style.setProperty("--bar", (entry && entry.colour) || "");
		columns.replaceChildren(...bins.map((b) => bar(b, most)));
		scale.replaceChildren(...(bins.length ? ticks() : []));
		if (!view.state.pick)
			[first, last] = [0, 0];
		mark();
		say(d);
	}

	/* Asks for the interval that was chosen, in the window of now, or in the selection. */
	async function refresh() {
		const shown = name && view.state.names.intervals.includes(name) &&
			!view.state.off.intervals.has(name);
		place.classList.toggle("empty", !shown);
		if (shown)
			fill(await server.ask("durations", { ...view.state.asked, ...selection.values(), interval: name }));
	}

	function choose(interval) {
		if (name !== interval)
			clear();
		name = interval;
	}

	/* "LockWait,1ms,2ms" */
	function restore(text) {
		if (!text) {
			clear();
			return;
		}
		const [interval, ...range] = text.split(","), [least, most, ...more] = range.map(address.readTime);
		choose(address.oneOf(interval, view.state.names.intervals, "in this trace"));
		if (!(most >= least) || more.length)
			throw new Error("a range of durations is an interval and two times, the shorter first");
		view.state.pick = { interval, least, most };
		mark();
		view.refresh();
	}

	function picked() {
		const p = view.state.pick;
		return p ? [p.interval, address.time(p.least), address.time(p.most)].join() : "";
	}

	address.add("pick", picked, restore);
	view.on("clear", clear);
	requests.add({ durations: "statistics" });

	return { place, choose, clear, refresh, chosen: () => name };
})();
