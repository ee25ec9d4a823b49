/*
 * The lanes: their order, their groups, what is hidden, folded or grown; the list of threads, and
 * the tools at a lane that the pointer or the keyboard is at.
 */
/* uses: labels, view, keys, address, panel, objects, whatif */
const lanes = (() => {
	const { make } = labels;
	const orders = [["spec", "usual order"], ["logged", "as logged"], ["start", "by start"], ["name", "by name"],
			["activity", "by activity"]];
	const groupings = [["process", "by process"], ["creator", "by creator"], ["name", "by name"],
			["none", "no groups"]];
	const tools = document.getElementById("lane"), scroll = document.getElementById("scroll");
	const stage = document.getElementById("stage"), plot = document.getElementById("plot");
	const section = panel.add({
		name: "threads", tab: "Threads", last: true, button: "Threads",
		hint: "choose threads, and the order of their lanes", opened: fill, html: `
	<div id="lanes" hidden><h2>Lanes</h2><p></p></div>
	<p class="switches"></p><ul></ul>`,
	});
	const list = rows.list(section.querySelector("ul"), document.querySelector("aside"));
	let processes = [], at = null;
	section.prepend(objects.place);

	/* ---- what is shown ---- */

	function changed() {
		fill();
		view.refresh();
	}

	function sort(order) {
		view.state.lanes.sort = order;
		changed();
	}

	function nextOrder() {
		const i = orders.findIndex(([name]) => name === view.state.lanes.sort);
		sort(orders[(i + 1) % orders.length][0]);
	}

	function group(by) {
		view.state.lanes.group = by;
		changed();
	}

	/* By process there are no groups of one process. */
	function nextGrouping() {
		const some = groupings.filter(([name]) => name !== "process" || processes.length > 1);
		const i = some.findIndex(([name]) => name === view.state.lanes.group);
		group(some[(i + 1) % some.length][0]);
	}

	/* Switches threads, all of them when there is no list. */
	function show(shown, numbers) {
		const off = view.state.off.threads;
		for (const number of numbers || view.state.threads.map((t) => t.number))
			if (shown)
				off.delete(number);
			else
				off.add(number);
		changed();
	}

	/* ---- the list ---- */

	const collator = new Intl.Collator(undefined, { numeric: true });
	const compare = {
		spec: (a, b) => a.place - b.place,
		logged: (a, b) => a.number - b.number,
		start: (a, b) => !a.events - !b.events || a.first - b.first,
		name: (a, b) => collator.compare(a.name, b.name),
		activity: (a, b) => b.events - a.events,
	};

	function sorted(threads) {
		return threads.slice().sort((a, b) =>
			compare[view.state.lanes.sort](a, b) || a.number - b.number);
	}

	function box(shown, some, change) {
		const input = make("input");
		input.type = "checkbox";
		input.checked = shown;
		input.indeterminate = some;
		input.addEventListener("change", () => change(input.checked));
		return input;
	}

	function threadRow(thread) {
		const shown = !view.state.off.threads.has(thread.number);
		const input = box(shown, false, (on) => show(on, [thread.number]));
		const label = make("label", "", input, make("span", "name", labels.shorten(thread.label)));
		input.dataset.name = thread.number;
		label.title = thread.name + ": thread " + thread.number + " of process " + thread.process;
		return make("li", shown ? "" : "off", label, make("span", "count", labels.count(thread.events)));
	}

	/* The heading of a process switches all of its threads. */
	function processRow(process) {
		const threads = view.state.threads.slice(process.first, process.first + process.threads);
		const numbers = threads.map((t) => t.number);
		const hidden = numbers.filter((n) => view.state.off.threads.has(n)).length;
		const all = box(hidden === 0, hidden > 0 && hidden < numbers.length, (on) => show(on, numbers));
		const label = make("label", "", all, make("b", "name", process.path.replace(/.*\/(?=.)/, "")));
		label.title = process.path + ": " + process.program + ", pid " + process.pid;
		return make("li", "process", label, make("span", "count", labels.plural(threads.length, "thread")));
	}

	function processRows(process) {
		const threads = view.state.threads.slice(process.first, process.first + process.threads);
		return [() => processRow(process), ...sorted(threads).map((t) => () => threadRow(t))];
	}

	function button(name, title, action) {
		const element = make("button", "", name);
		element.title = title;
		element.addEventListener("click", action);
		return element;
	}

	function choice(title, options, value, change) {
		const select = make("select");
		select.title = title;
		select.append(...options.map(([name, text]) => new Option(text, name)));
		select.value = value;
		select.addEventListener("change", () => change(select.value));
		return select;
	}

	function choices() {
		const { sort: order, group: by } = view.state.lanes;
		const some = groupings.filter(([name]) => name !== "process" || processes.length > 1);
		return [button("all", "show all threads (shift + h)", () => show(true)), " ",
			button("none", "hide all threads", () => show(false)), " ",
			choice("order of the lanes (o)", orders, order, sort), " ",
			choice("groups of threads (g)", some,
				some.some(([name]) => name === by) ? by : "none", group), " ",
			button("fold", "fold or unfold all groups (shift + c)", foldAll)];
	}

	function fill() {
		const grouped = processes.length > 1 && view.state.lanes.group === "process";
		section.querySelector(".switches").replaceChildren(...choices());
		list.fill(grouped ? processes.flatMap(processRows) : sorted(view.state.threads).map((t) => () => threadRow(t)));
	}

	/* ---- one lane ---- */

	/* What a lane is called in the list of what is collapsed. */
	function keysOf(lane) {
		if (lane.kind !== undefined)
			return lane.heading ? [lane.group] : [];
		return lane.heading ? [lane.group] : numbersOf(lane).map(String);
	}

	function numbersOf(lane) {
		const numbers = [];
		for (const [first, last] of lane.threads)
			for (let n = first; n <= last; n++)
				numbers.push(n);
		return numbers;
	}

	function current() {
		return at === null ? undefined : view.state.picture.lanes[at];
	}

	function collapse() {
		const lane = current(), set = view.state.lanes.collapsed;
		if (!lane || lane.processors)
			return;
		keysOf(lane).forEach((key) => lane.collapsed ? set.delete(key) : set.add(key));
		view.refresh();
	}

	/* Lets the lane have all the room that its names need, or no longer. */
	function grow() {
		const lane = current(), set = view.state.lanes.collapsed;
		if (!lane || lane.heading || lane.processors)
			return;
		const [key] = numbersOf(lane);
		if (lane.grown)
			set.delete("+" + key);
		else
			set.add("+" + key).delete(String(key));
		view.refresh();
	}

	/* Rows of functions below each thread; a single one is shown only where a name has room. */
	const functionRows = ["1", "3", "7"];

	function setFunctions(rows) {
		view.state.functions = rows === "1" ? undefined : +rows;
		view.refresh();
	}

	function moreFunctions() {
		const at = functionRows.indexOf(String(view.state.functions || 1));
		setFunctions(functionRows[(at + 1) % functionRows.length]);
	}

	/* Folds all groups; if all are folded, unfolds them; without groups, the same of the lanes. */
	function foldAll() {
		const all = view.state.picture.lanes, set = view.state.lanes.collapsed;
		const headings = all.filter((l) => l.heading), some = headings.length ? headings : all;
		const folded = some.every((l) => l.collapsed);
		for (const key of some.flatMap(keysOf))
			if (folded)
				set.delete(key);
			else
				set.add(key);
		view.refresh();
	}

	/* A heading stands for all threads of its group. */
	function hide() {
		const lane = current();
		if (!lane || lane.processors)
			return;
		if (lane.kind !== undefined) {
			objects.toggle(objects.nameOf(lane));
			return;
		}
		const some = lane.heading ? view.state.picture.lanes.filter((l) => l.group === lane.group) : [lane];
		show(false, some.flatMap(numbersOf));
	}

	function tool(text, title, action) {
		const element = button(text, title, action);
		element.tabIndex = -1;
		return element;
	}

	/* Of locks and single threads. */
	function canAsk(lane) {
		return whatif.can() && !lane.heading && (lane.kind === undefined || /^locks?$/.test(objects.nameOf(lane)));
	}

	function ask(lane) {
		whatif.propose({ kind: lane.kind === undefined ? "thread" : "lock", name: lane.name }, "");
	}

	/* Puts the tools at the lane; undefined: takes them away. */
	function place() {
		const lane = current();
		const top = lane && plot.getBoundingClientRect().top - stage.getBoundingClientRect().top +
			lane.top - scroll.scrollTop;
		tools.hidden = !lane || lane.processors || lane.top + lane.height < scroll.scrollTop ||
			lane.top > scroll.scrollTop + scroll.clientHeight;
		if (tools.hidden)
			return;
		tools.style.top = top + "px";
		tools.style.height = lane.height + "px";
		tools.style.paddingLeft = view.state.picture.left - view.state.picture.indent + "px";
		const threads = lane.kind === undefined;
		tools.replaceChildren(
			...(keysOf(lane).length ? [tool(lane.collapsed ? "\u25b8" : "\u25be", (lane.collapsed ? "unfold" : "fold") + " (c)", collapse)] : []),
			...(lane.heading || !threads ? [] : [tool("\u2195", growTitle(lane) + " (x)", grow)]),
			...(canAsk(lane) ? [tool("if", "predict the run if this " + (threads ? "thread" : "lock") + " were faster", () => ask(lane))] : []),
			tool("\u00d7", "hide " + (threads ? "" : objects.nameOf(lane) + " ") + "(h)", hide));
	}

	function choose(i) {
		at = i;
		place();
	}

	/* The lane at a height of the plot's whole. */
	function pointAt(y) {
		const i = view.state.picture.lanes.findIndex((l) => y >= l.top && y < l.top + l.height);
		if ((i < 0 ? null : i) !== at)
			choose(i < 0 ? null : i);
	}

	function hidesFrames(lane) {
		return lane.frames > lane.frameRows;
	}

	function click(y) {
		pointAt(y);
		const lane = current();
		if (lane && lane.heading)
			collapse();
		else if (lane && (hidesFrames(lane) || (lane.frames && lane.grown)))
			grow();
	}

	/* Of a heading, anywhere in its lane: folds or unfolds its group. Returns whether there is one at that height. */
	function fold(y) {
		const lane = view.state.picture.lanes.find((l) => y >= l.top && y < l.top + l.height);
		if (!lane || !lane.heading)
			return false;
		click(y);
		leave();
		return true;
	}

	function growTitle(lane) {
		if (lane.grown)
			return "make this lane as high as the others";
		return hidesFrames(lane) ? "show all " + lane.frames + " frames of its stacks" : "make this lane as high as its names need";
	}

	/* The lane above or below the one that the keyboard is at. */
	function step(by) {
		const all = view.state.picture.lanes;
		if (all.length === 0)
			return;
		choose(at === null ? (by > 0 ? 0 : all.length - 1) :
			Math.min(Math.max(at + by, 0), all.length - 1));
		const lane = current();
		if (lane.top < scroll.scrollTop)
			scroll.scrollTop = lane.top;
		else if (lane.top + lane.height > scroll.scrollTop + scroll.clientHeight)
			scroll.scrollTop = lane.top + lane.height - scroll.clientHeight;
	}

	/* Brings the lane of a thread into sight, and marks it as if the keyboard had led there. */
	function goTo(thread) {
		const mine = (l) => l.kind === undefined && !l.processors && l.threads.some(([a, b]) => a <= thread && thread <= b);
		const i = view.state.picture.lanes.findLastIndex(mine);
		if (i < 0) {
			view.say("that thread has no lane in this window");
			return;
		}
		at = i;
		step(0);
	}

	function leave() {
		choose(null);
	}

	function start(what) {
		processes = what.processes;
		view.state.lanes.sort = what.sort;
		view.state.lanes.group = what.group;
		view.state.lanes.collapsed = new Set(what.collapsed.split(",").filter(Boolean));
		view.on("picture", place);
		scroll.addEventListener("scroll", place);
		fill();
	}

	/* There are more threads than before. */
	function renew(what) {
		processes = what.processes;
		fill();
	}

	keys.add("Lanes", [
		["j", "j", "select the next lane", () => step(1)],
		["k", "k", "select the lane above", () => step(-1)],
		["c", "c", "fold or unfold this lane or group", collapse],
		["C", "C", "fold or unfold all groups", foldAll],
		["x", "x", "make this lane as high as its names and stacks need, or reset it", grow],
		["X", "X", "show 1, 3 or 7 rows of functions below threads", moreFunctions],
		["h", "h", "hide this lane or group", hide],
		["H", "H", "show all lanes", () => show(true)],
		["o", "o", "change the order of lanes: as logged, by start, name, activity", nextOrder],
		["L", "L", "show or hide the lanes of objects, such as locks", () => objects.all()],
		["g", "g", "change groups: by process, creator, name, or none", nextGrouping],
	]);
	function setCollapsed(text) {
		view.state.lanes.collapsed = new Set(text.split(",").filter(Boolean));
		view.refresh();
	}

	const one = (text, rows) => address.oneOf(text, rows.map(([name]) => name));

	address.add("sort", () => view.state.lanes.sort, (text) => sort(one(text, orders)));
	address.add("group", () => view.state.lanes.group, (text) => group(one(text, groupings)));
	address.add("functions", () => String(view.state.functions || 1),
		(text) => setFunctions(address.oneOf(text, functionRows)));
	address.add("collapsed", () => [...view.state.lanes.collapsed].sort().join(","), setCollapsed);
	view.on("start", start);
	view.on("grow", renew);
	view.on("switched", fill);

	return { sort, group, foldAll, pointAt, click, fold, goTo, leave };
})();
