/*
 * What makes the program slow: the findings of the search, in the order of what they cost. A click on
 * one shows when it is, in which threads, the lane of its object, and the critical path through the
 * threads. The whole search folds out below.
 */
/* uses: server, labels, view, panel, spotlight, objects, beside, whatif */
const why = (() => {
	const { make } = labels;
	const place = panel.add({
		name: "why", tab: "Why", button: "Why", key: "q", does: "find what makes the program slow",
		opened: ask, closed,
		asks: { why: "finding what makes the program slow", path: "critical path" }, html: `
	<h2>What makes the program slow</h2>
	<p class="said"></p><ol></ol>
	<label><input type="checkbox"> draw the critical path (dashed: no thread on it runs)</label>
	<details><summary>the search</summary><div></div></details>`,
	});
	const list = place.querySelector("ol");
	const said = place.querySelector(".said"), box = place.querySelector("input");
	const history = place.querySelector("details"), tree = history.querySelector("div");
	/* A picture shows no more instances than this well. */
	const SHOWN = 100, PAUSE = 60;
	let found = null, asking = false, wantsPath = false, chosen = null, path = null, of = null, timer = 0;
	let pathBusy = false, pathStale = false;

	/* ---- findings ---- */

	/* Leads to the what-if of a fix. */
	function fixLink(f) {
		if (!f.fix || !whatif.can())
			return [];
		const link = make("a", "", "what if?");
		link.dataset.fix = f.fix.what;
		link.addEventListener("click", (event) => {
			event.stopPropagation();
			whatif.proposeFix(f.fix.change);
		});
		return [" ", link];
	}

	function row(f, i) {
		const [first, ...rest] = f.lines;
		const line = make("li", i === chosen ? "chosen" : "", make("b", "", i + 1 + ". " + first),
			...rest.map((text) => make("p", "", text)),
			...(f.fix_first ? [make("p", "fix", "fix first: " + f.fix_first, ...fixLink(f))] : []));
		line.tabIndex = 0;
		line.title = f.commands.join("\n");
		line.addEventListener("click", () => choose(i));
		line.addEventListener("keydown", (event) => {
			if (event.key === "Enter")
				choose(i);
		});
		return line;
	}

	function fill() {
		const n = found.findings.length, busy = found.busy;
		said.textContent = busy ? "all processors are busy: the threads use " + busy.used.toFixed(2) + " of " +
			busy.processors + " (" + busy.with.join(", ") + ")" : n ? "" : "no bottleneck found (" +
			labels.count(found.history.length) + " hypotheses tested; the search below shows them)";
		list.replaceChildren(...found.findings.map(row));
		box.checked = wantsPath;
	}

	/* Shows a finding; the one that is shown, no more. */
	async function choose(i) {
		chosen = i === chosen ? null : i;
		fill();
		const f = chosen === null ? null : found.findings[chosen];
		if (f) {
			const part = f.count > SHOWN ? SHOWN / f.count : 1, length = (f.to - f.from) * part;
			view.setWindow(f.from - length / 50, f.from + length * 51 / 50);
		}
		try {
			await objects.show(f && f.focus.objects[0]);
		} catch (e) {
			if (e.message)
				view.say(e.message);
		}
		light(f);
		draw(f !== null);
	}

	/* Lanes of threads that are neither in focus nor those who let it wait are dim. */
	function light(f) {
		spotlight.clear(place);
		if (!f)
			return;
		const threads = new Set([...f.focus.thread_numbers, ...f.focus.holder_numbers]);
		spotlight.show(place, (lane) => !lane.threads.length || spotlight.hasThread(lane, threads));
	}

	/* The threads of the findings about an object: who waits for it, and who holds it. */
	async function threadsAt(name) {
		const { findings } = found || await server.ask("why");
		const about = findings.filter((f) => f.focus.objects.includes(name));
		return new Set(about.flatMap((f) => [...f.focus.thread_numbers, ...f.focus.holder_numbers]));
	}

	async function ask() {
		if (found || asking)
			return;
		asking = true;
		said.textContent = "searching\u2026";
		try {
			found = await server.ask("why");
			fill();
			history.hidden = false;
			tree.replaceChildren(...branches(null));
		} catch (e) {
			said.textContent = e.message;
		}
		asking = false;
	}

	/* ---- the search ---- */

	const classes = { true: "true", false: "leaf", "not tested": "leaf untested" };

	function nodeText(n) {
		const what = n.hypothesis + (n.where ? " \u00b7 " + n.axis + " " + n.where : "");
		if (n.reason)
			return what + ": " + n.verdict + ", " + n.reason;
		return [what + ": " + n.verdict, ...n.compared.map((c) => c.text)].join("; ");
	}

	function findingLink(n) {
		if (n.finding === undefined)
			return [];
		const link = make("a", "", "finding " + (n.finding + 1));
		link.addEventListener("click", (event) => {
			event.preventDefault();
			choose(n.finding);
		});
		return [" ", link];
	}

	/* What refines a node, or nothing, as lines that fold out. */
	function branches(parent) {
		const nodes = found.history.map((n, i) => [n, i])
			.filter(([n]) => parent === null ? n.parent === undefined : n.parent === parent);
		return nodes.map(([n, i]) => {
			const below = branches(i);
			if (!below.length)
				return make("div", "leaf " + classes[n.verdict], nodeText(n), ...findingLink(n));
			const branch = make("details", classes[n.verdict],
				make("summary", "", nodeText(n), ...findingLink(n)), ...below);
			branch.open = n.verdict === "true";
			return branch;
		});
	}

	/* ---- the critical path ---- */

	function draw(on) {
		wantsPath = box.checked = on;
		if (on)
			askPath();
		else
			path = null;
		view.paintSoon();
	}

	/* One question at a time: of two at once the server may take the older one for the newer. */
	async function askPath() {
		pathStale = pathBusy;
		if (pathBusy)
			return;
		pathBusy = true;
		await takePath(view.state.asked);
		pathBusy = false;
		view.paintSoon();
		if (pathStale && wantsPath)
			askPath();
	}

	async function takePath(asked) {
		try {
			const answer = await server.ask("path", asked);
			if (!wantsPath)
				return;
			path = answer.pieces;
			of = asked;
		} catch (e) {
			if (e.message)
				view.say(e.message);
		}
	}

	/* The lanes of threads, by number; those of folded groups have several. */
	function laneOf(p, number) {
		return p.lanes.find((l) => l.threads.some(([a, b]) => a <= number && number <= b));
	}

	/* Just below the top, where neither bars nor states are. */
	const heightIn = (lane) => lane.top + Math.min(4, lane.height / 2);

	function line(context, x0, y0, x1, y1) {
		context.beginPath();
		context.moveTo(x0, y0);
		context.lineTo(x1, y1);
		context.stroke();
	}

	/* Gives what is drawn: stretches in lanes, and between them from lane to lane; places are those of now. */
	function strokes(p) {
		const within = [], between = [];
		let before = null;
		for (const e of path) {
			const lane = e.thread === undefined ? null : laneOf(p, e.thread);
			const other = e.other === undefined ? null : laneOf(p, e.other);
			const y = lane ? heightIn(lane) : null, from = view.xOf(e.from);
			const came = before === null && other ? heightIn(other) : before;
			if (y !== null && came !== null && came !== y)
				between.push([from, came, from, y]);
			if (y !== null)
				within.push([from, y, Math.max(view.xOf(e.to), from + 1), y,
					e.kind === "stretch" && e.activity === "running"]);
			before = y;
		}
		return { within, between };
	}

	/* On a background of its own; dashed where the thread does not run. */
	function drawPath(context, p) {
		const style = getComputedStyle(document.documentElement), { within, between } = strokes(p);
		const all = [[between, 4, 1.2], [within, 5.5, 3]];
		for (const [list, wide, narrow] of all)
			for (const [width, name] of [[wide, "--page"], [narrow, "--alarm"]]) {
				context.lineWidth = width;
				context.strokeStyle = style.getPropertyValue(name);
				for (const [x0, y0, x1, y1, runs] of list) {
					context.setLineDash(runs === false && name === "--alarm" ? [3, 2] : []);
					line(context, x0, y0, x1, y1);
				}
			}
		context.setLineDash([]);
	}

	function paint(context, p) {
		if (path)
			drawPath(context, p);
	}

	/* ---- when ---- */

	/* After the last picture, so that dragging is not held up. */
	function refresh() {
		clearTimeout(timer);
		if (wantsPath && !document.body.classList.contains("logical"))
			timer = setTimeout(askPath, PAUSE);
	}

	/* Returns whether there was anything to let go of. */
	function clear() {
		if (chosen === null)
			return false;
		choose(chosen);
		return true;
	}

	/* The trace has grown, or is seen by other definitions. */
	function forget() {
		found = path = chosen = null;
		spotlight.clear(place);
		history.hidden = true;
		tree.replaceChildren();
		list.replaceChildren();
		if (panel.current() === "why")
			ask();
	}

	function toggle() {
		panel.toggle("why");
	}

	/* What it shows in the lanes stays while another tab is open, and goes with the panel. */
	function closed() {
		if (beside.framed)
			return;
		clear();
		draw(beside.shown());
	}

	function start() {
		history.hidden = true;
		box.addEventListener("change", () => draw(box.checked));
		view.on("picture", refresh);
		view.on("paint", paint);
	}

	view.on("start", start);
	view.on("forget", forget);
	view.on("clear", clear);

	return { toggle, drawPath: draw, threadsAt, current: () => of === view.state.asked,
		 state: () => ({ found, chosen, path }) };
})();
