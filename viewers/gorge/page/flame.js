/*
 * The flame graph of what is in the window: callers at the bottom, each frame as wide as its share. A
 * click on a frame narrows the graph to it, and in the lanes only the times of that path stay bright.
 */
/* uses: server, labels, view, keys, dock */
const flame = (() => {
	const { make } = labels;
	const place = dock.add({
		name: "flame", button: "Flame graph", key: "b", does: "flame graph of the window", toggle,
		asks: { flame: "flame graph", stretches: "flame graph" }, html: `
	<p><select aria-label="kind of flame graph"></select>
		<button class="tree" title="show callers and callees as a table (shift + b)"
			aria-pressed="false">Call tree</button>
		<button class="link outer" hidden></button>
		<span class="said"></span>
		<button class="close" title="close (b)" aria-label="close the flame graph">&times;</button></p>
	<div class="frames"></div>
	<table class="calls" hidden></table>`,
	});
	const frames = place.querySelector(".frames");
	const choice = place.querySelector("select"), said = place.querySelector(".said");
	const kinds = [["cpu", "CPU time"], ["off", "off-CPU time"], ["bytes", "allocated bytes"],
		["count", "allocations"], ["peak", "bytes at the peak"], ["left", "leaked bytes"]];
	const ROW = 18, PAUSE = 60, NAMED = 24, SHARED = 150, PAD = 4;
	const pen = document.createElement("canvas").getContext("2d");
	const treeButton = place.querySelector(".tree"), table = place.querySelector("table");
	const outerButton = place.querySelector(".outer");
	const opened = new Map();       /* by node: whether its callees are shown; else they are where one has most of it */
	let treed = false, whole = false;
	let below = 0, filled = 0;      /* pixels of the graph below what is in sight; its width */
	let graph = null, of = null, chosen = null, stretches = null, timer = 0;

	/* ---- the graph ---- */

	function frameOf(node) {
		return graph.frames.find((f) => f.node === node);
	}

	/* Whether a frame only leads to the program's first functions, and is left out. */
	function isCut(f) {
		return f.outer && !whole;
	}

	/* By node, in which row a frame is; and how many frames are left out below one at most. */
	function rowsOf(list) {
		const rows = new Map();
		let most = 0;
		for (const f of list) {
			rows.set(f.node, f.node === 0 ? 0 : rows.get(f.parent) + (isCut(f) ? 0 : 1));
			most = f.outer ? Math.max(most, f.depth) : most;
		}
		return { rows, most };
	}

	/* A click on what is chosen leads back to all. */
	function choose(node) {
		chosen = node === 0 || node === chosen ? null : node;
		stretches = null;
		fill();
		ask();
	}

	/* What is above the chosen frame, and what leads to it, which is as wide as the graph. */
	function narrowed() {
		const root = chosen === null ? null : frameOf(chosen);
		if (!root)
			return graph.frames;
		const end = root.left + root.width, inside = 1e-9;
		return graph.frames.filter((f) => f.depth <= root.depth ?
			f.left <= root.left + inside && f.left + f.width >= end - inside :
			f.left >= root.left - inside && f.left + f.width <= end + inside)
			.map((f) => f.depth <= root.depth ? { ...f, left: 0, width: 1, part: f.width } :
				{ ...f, left: (f.left - root.left) / root.width, width: f.width / root.width, part: f.width });
	}

	function percent(f) {
		return (100 * (f.part === undefined ? f.width : f.part)).toFixed(1) + " %";
	}

	/* The longest form of a name that has room; the page's style cuts the last one at its end. */
	function nameWithin(f, room) {
		const forms = [f.name, ...f.shorter];
		return forms.find((text) => pen.measureText(text).width <= room) || forms.at(-1);
	}

	function frame(f, room, row) {
		const width = f.width * room, button = make("button", f.node === chosen ? "chosen" : "");
		if (width >= NAMED)
			button.append(nameWithin(f, width - 2 * PAD));
		if (width >= SHARED)
			button.append(make("i", "", f.depth ? percent(f) : f.total));
		button.style.left = f.left * 100 + "%";
		button.style.width = Math.max(width - 1, 1) + "px";
		button.style.top = row * ROW + "px";
		button.style.background = f.colour;
		button.dataset.name = f.name;
		button.dataset.node = f.node;
		button.title = f.name + (f.origin && !f.name.includes(f.origin) ? " (" + f.origin + ")" : "") + "\n" +
			f.total + ", " + percent(f) + "; self " + f.self;
		button.addEventListener("click", () => choose(f.node));
		return button;
	}

	/* ---- the call tree ---- */

	function calleesOf(node) {
		const list = graph.frames.filter((f) => f.node !== 0 && f.parent === node)
			.flatMap((f) => isCut(f) ? calleesOf(f.node) : f);
		return list.sort((a, b) => b.width - a.width);
	}

	function isOpen(f, callees, row) {
		return opened.has(f.node) ? opened.get(f.node) : row < 3 || (callees.length > 0 && callees[0].width > 0.5 * f.width);
	}

	function treeRow(f, callees, open, depth) {
		const name = make("td", "name", make("span", "fold", callees.length ? open ? "\u25be" : "\u25b8" : ""), f.name);
		const row = make("tr", f.node === chosen ? "chosen" : "", name, make("td", "", percent(f)),
			make("td", "", f.total), make("td", "", f.self), make("td", "name", f.origin || ""));
		name.style.paddingLeft = depth + "em";
		row.dataset.node = f.node;
		name.firstChild.addEventListener("click", (event) => {
			event.stopPropagation();
			opened.set(f.node, !open);
			fill();
		});
		row.addEventListener("click", () => choose(f.node));
		return row;
	}

	function treeRows(f, depth, rows) {
		const callees = calleesOf(f.node), open = isOpen(f, callees, depth);
		rows.push(treeRow(f, callees, open, depth));
		if (open)
			callees.forEach((c) => treeRows(c, depth + 1, rows));
		return rows;
	}

	function fillTree() {
		const head = make("tr", "", ...["function", "share", "total", "self", "module"].map((t) => make("th", "", t)));
		const root = graph.frames && graph.total ? frameOf(0) : null;
		table.replaceChildren(...(root ? [head, ...treeRows(root, 0, [])] : []));
	}

	function showTree() {
		if (place.hidden)
			toggle();
		treed = !treed;
		place.scrollTop = 0;
		treeButton.setAttribute("aria-pressed", treed);
		if (graph)
			fill();
	}

	/* Shows the path of a node of the CPU time. */
	function show(node) {
		if (place.hidden)
			toggle();
		choice.value = "cpu";
		chosen = node;
		stretches = null;
		ask();
	}

	function say() {
		if (!graph.frames || !graph.total) {
			said.textContent = (graph.missing || "this window has no data for this graph").replace(/^gorge: error: /, "");
			return;
		}
		const f = chosen === null ? null : frameOf(chosen), button = make("button", "", "all");
		button.title = "esc";
		button.addEventListener("click", clear);
		said.replaceChildren(f ? f.name + ": " + f.total + " of " + graph.frames[0].total + " " :
			chosen === null ? "click a frame to see when its time is spent " : "the path is not in this window ",
			...(chosen === null ? [] : [button]));
	}

	/* Says how many frames are left out, and shows them, or leaves them out again. */
	function sayOuter(most) {
		outerButton.hidden = most === 0;
		outerButton.textContent = (whole ? "hide " : "show ") + most + " outer " + (most === 1 ? "frame" : "frames");
		outerButton.title = "frames outside of the program that lead to its functions, such as clone3 and std::thread";
	}

	/* The root stays in sight, or what was above it as far as it was. */
	function scroll() {
		if (!treed)
			place.scrollTop = place.scrollHeight - place.clientHeight - below;
	}

	function fill() {
		const list = graph.frames && graph.total ? narrowed() : [], { rows, most } = rowsOf(list), keep = below;
		sayOuter(most);
		frames.hidden = treed;
		table.hidden = !treed;
		if (treed) {
			fillTree();
			say();
			return;
		}
		const top = Math.max(0, ...rows.values());
		pen.font = getComputedStyle(frames).font;
		frames.style.height = (list.length ? (top + 1) * ROW : 0) + "px";
		frames.replaceChildren(...list.filter((f) => !isCut(f))
			.map((f) => frame(f, frames.clientWidth, top - rows.get(f.node))));
		below = keep;
		filled = frames.clientWidth;
		scroll();
		say();
	}

	async function ask() {
		const asked = view.state.asked;
		try {
			const answer = await server.ask("flame", { ...asked, of: choice.value, node: chosen });
			if (answer.of !== undefined && answer.of !== choice.value)
				return;
			graph = answer;
			of = asked;
			fill();
			await askStretches();
		} catch (e) {
			if (e.message)
				view.say(e.message);
		}
	}

	/* ---- in the lanes ---- */

	async function askStretches() {
		if (chosen === null) {
			view.paintSoon();
			return;
		}
		try {
			const found = await server.ask("stretches", { ...view.state.asked, of: choice.value, node: chosen });
			stretches = chosen === null ? null : new Map(found.threads.map((t) => [t.number, t.stretches]));
		} catch (e) {
			if (e.message)
				view.say(e.message);
		}
		view.paintSoon();
	}

	/* The stretches of all threads of a lane, in the order of time. */
	function stretchesOf(lane) {
		const list = [];
		for (const [number, times] of stretches)
			if (lane.threads.some(([a, b]) => a <= number && number <= b))
				for (let i = 0; i < times.length; i += 2)
					list.push([times[i], times[i + 1]]);
		return list.sort((a, b) => a[0] - b[0]);
	}

	/* Veils what is not of the path. */
	function paint(context, p) {
		if (!stretches || place.hidden)
			return;
		context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--veil");
		for (const lane of p.lanes) {
			let done = p.left - p.indent;
			for (const [from, to] of stretchesOf(lane)) {
				const x = view.xOf(from);
				if (x > done)
					context.fillRect(done, lane.top, x - done, lane.height);
				done = Math.max(done, view.xOf(to), x + 1);
			}
			const end = p.left + p.columns + p.indent;
			if (end > done)
				context.fillRect(done, lane.top, end - done, lane.height);
		}
	}

	/* ---- when ---- */

	/* Returns whether there was anything to let go of. */
	function clear() {
		if (chosen === null)
			return false;
		chosen = stretches = null;
		if (graph)
			fill();
		view.paintSoon();
		return true;
	}

	/* After the last picture, so that dragging is not held up. */
	function refresh() {
		clearTimeout(timer);
		if (!place.hidden && !document.body.classList.contains("logical"))
			timer = setTimeout(ask, PAUSE);
	}

	/* The trace has grown, or is seen by other definitions: its frames are others. */
	function forget() {
		chosen = stretches = null;
		opened.clear();
	}

	function toggle() {
		below = 0;
		dock.toggle(place);
		clear();
	}

	function start() {
		choice.replaceChildren(...kinds.map(([value, text]) => {
			const option = make("option", "", text);
			option.value = value;
			return option;
		}));
		choice.addEventListener("change", () => {
			forget();
			refresh();
		});
		treeButton.addEventListener("click", showTree);
		outerButton.addEventListener("click", () => {
			whole = !whole;
			fill();
		});
		place.addEventListener("scroll", () => {
			if (!treed)
				below = Math.max(0, place.scrollHeight - place.clientHeight - place.scrollTop);
		});
		new ResizeObserver(() => {
			if (graph && !place.hidden && frames.clientWidth !== filled)
				fill();
			scroll();
		}).observe(place);
		view.on("picture", refresh);
		view.on("paint", paint);
	}

	keys.add("Questions", [
		["B", "B", "switch between flame graph and call tree", showTree],
	]);
	view.on("start", start);
	view.on("forget", forget);
	view.on("clear", clear);

	return { toggle, show, clear, current: () => of === view.state.asked,
		 state: () => ({ graph, chosen, stretches }) };
})();
