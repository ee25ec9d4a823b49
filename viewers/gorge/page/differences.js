/*
 * The differences between two recordings, below their lanes: the rows of glimpse diff. Lanes of threads and
 * objects that differ have a stripe: one colour for more, another one for less.
 */
/* uses: server, labels, view, spotlight, dock, objects, finder, beside */
const differences = (() => {
	const { make } = labels;
	const place = dock.add({
		name: "differences", button: "Differences", key: "D", toggle,
		does: "what differs between the two recordings",
		asks: { differences: "the differences" }, html: `
	<div class="numbers"><h2>Differences</h2><p class="muted" role="status"></p><table></table></div>
	<button class="close" title="close (D)" aria-label="close the differences">&times;</button>`,
	});
	const table = place.querySelector("table"), said = place.querySelector("p");
	const HEADS = ["kind", "measure", "before", "after", "factor", "name"], STRIPE = 4;
	/* kinds that have lanes: by name, whether there is more of it */
	const marked = { thread: new Map(), lock: new Map() };
	/* stripes: lanes of the newest picture, and whether there is more of each */
	let rows = null, asking = false, chosen = null, stripes = [];

	/* Returns whether a lane is of it. */
	function isOf(kind, name) {
		if (kind === "lock")
			return (lane) => lane.kind !== undefined && lane.name === name;
		const threads = view.state.threads.filter((t) => t.name === name || t.label === name);
		const numbers = threads.map((t) => t.number);
		return (lane) => lane.kind === undefined && !lane.processors && spotlight.hasThread(lane, numbers);
	}

	/* ---- where a row leads ---- */

	/* In this pane; the other one does the same with what it has. */
	async function light(kind, name) {
		if (kind === "lock")
			await objects.show(name);
		await view.settled();
		const lit = isOf(kind, name), lane = view.state.picture.lanes.find(lit);
		spotlight.show(place, lit);
		if (lane)
			document.getElementById("scroll").scrollTop = lane.top;
		return lane !== undefined;
	}

	function clear() {
		if (!spotlight.clear(place))
			return false;
		chosen = null;
		if (beside.other() && !beside.framed)
			beside.other().dark();
		fill();
		return true;
	}

	async function choose(row) {
		const again = chosen === row;
		clear();
		if (again)
			return;
		chosen = row;
		fill();
		if (!(row.kind in marked)) {
			finder.put(row.name);
			return;
		}
		const both = await Promise.all([light, beside.other().light].map((f) => f(row.kind, row.name)));
		view.say(both.some(Boolean) ? "" : row.name + " has no lane in this window");
	}

	/* ---- the table ---- */

	function line(row) {
		const name = make("td", "name", labels.shorten(row.name, 60));
		name.title = row.name;
		const cells = [row.kind, row.measure, row.before_text, row.after_text, row.factor];
		const element = make("tr", row === chosen ? "chosen" : "", ...cells.map((c) => make("td", "", c)));
		element.append(name);
		element.tabIndex = 0;
		element.addEventListener("click", () => choose(row));
		element.addEventListener("keydown", (event) => {
			if (event.key === "Enter")
				choose(row);
		});
		return element;
	}

	function fill() {
		const head = make("tr", "", ...HEADS.map((h) => make("th", "", h)));
		if (rows)
			table.replaceChildren(head, ...rows.map(line));
	}

	function mark() {
		for (const row of rows.filter((r) => r.kind in marked))
			if (!marked[row.kind].has(row.name))
				marked[row.kind].set(row.name, (row.before || 0) < (row.after || 0));
		beside.other().mark(marked);
		find();
	}

	async function ask() {
		if (rows || asking)
			return;
		asking = true;
		said.textContent = "comparing\u2026";
		try {
			const answer = await server.ask("differences", { place: "differences" });
			rows = answer.rows;
			const untested = "One run of each cannot tell a change from noise. The largest comes first.";
			said.textContent = !rows.length ? "No difference was found." : answer.tested ? "" : untested;
			fill();
			mark();
		} catch (e) {
			said.textContent = e.message;
		}
		asking = false;
	}

	function toggle() {
		if (!beside.two()) {
			view.say("there is one recording; gorge --beside shows two");
			return;
		}
		if (dock.toggle(place))
			ask();
		else
			clear();
	}

	/* ---- stripes ---- */

	/* The upper pane takes what the lower one has found. */
	function take(theirs) {
		for (const kind of Object.keys(marked))
			marked[kind] = theirs[kind];
		find();
	}

	/* Once for each picture, not for each frame. */
	function find() {
		const { lanes } = view.state.picture, ofKind = ([kind, names]) => [...names].flatMap(([name, more]) =>
			lanes.filter(isOf(kind, name)).map((lane) => ({ lane, more })));
		stripes = Object.entries(marked).flatMap(ofKind);
		view.paintSoon();
	}

	function paint(context, p) {
		if (!stripes.length)
			return;
		const style = getComputedStyle(document.documentElement);
		for (const { lane, more } of stripes) {
			context.fillStyle = style.getPropertyValue(more ? "--alarm" : "--accent");
			context.fillRect(p.left - STRIPE - 1, lane.top + 1, STRIPE, lane.height - 2);
		}
	}

	function start() {
		document.getElementById("show-differences").hidden = !beside.two() || beside.framed;
		Object.assign(window.pane, { light, mark: take, dark: () => spotlight.clear(place) });
	}

	view.on("start", start);
	view.on("paint", paint);
	view.on("picture", () => (marked.thread.size || marked.lock.size) && find());
	view.on("clear", clear);

	return { current: () => rows, chosen: () => chosen, marked: () => marked };
})();
