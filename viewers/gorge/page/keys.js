/* The keyboard, the help that lists it, and measuring between two marks. */
const keys = (() => {
	const { make } = labels;
	const scroll = document.getElementById("scroll");
	const groups = [
		["Window", [
			["w ArrowUp +", "w  \u2191  +", "zoom in", () => view.zoom(0.5)],
			["s ArrowDown -", "s  \u2193  \u2212", "zoom out", () => view.zoom(2)],
			["a ArrowLeft", "a  \u2190", "pan backward", () => view.pan(-0.25)],
			["d ArrowRight", "d  \u2192", "pan forward", () => view.pan(0.25)],
			["f 0", "f  0", "the whole trace", () => view.fit()],
			["PageUp", "page up", "lanes above", () => { scroll.scrollTop -= scroll.clientHeight * 0.8; }],
			["PageDown", "page down", "lanes below", () => { scroll.scrollTop += scroll.clientHeight * 0.8; }],
		]],
		["Lanes", [
			["j", "j", "to the next lane", () => lanes.step(1)],
			["k", "k", "to the lane above", () => lanes.step(-1)],
			["c", "c", "fold this lane or group, or unfold it", () => lanes.collapse()],
			["C", "C", "fold all groups, or unfold them", () => lanes.foldAll()],
			["x", "x", "as high as its names need, with all frames of its stacks, or not", () => lanes.grow()],
			["h", "h", "hide this lane or group", () => lanes.hide()],
			["H", "H", "show all lanes", () => lanes.show(true)],
			["o", "o", "order: as logged, by start, name, activity", () => lanes.nextOrder()],
			["L", "L", "lanes of objects: locks and others, or none", () => objects.all()],
			["v", "v", "layers: states, waits, locks, wake-ups, events", () => panel.toggle("layers")],
			["g", "g", "group by process, creator, name, or not", () => lanes.nextGrouping()],
		]],
		["What is pinned", [
			["[", "[", "previous instance, or event of its type", () => details.step("previous")],
			["]", "]", "next one", () => details.step("next")],
			["l", "l", "longest instance", () => details.step("longest")],
			["u", "u", "next unmatched one", () => details.step("unmatched")],
			["p", "p", "to the partner, and back", () => details.partner()],
			["z", "z", "fill the view with it, or with the selection", () => details.zoom() || selection.zoom()],
			[",", ",", "logical order: the event before it in its thread", () => details.neighbour("before", false)],
			[".", ".", "the event after it", () => details.neighbour("after", false)],
			["<", "<", "the one in another thread that led to it", () => details.neighbour("before", true)],
			[">", ">", "the one in another thread to which it led", () => details.neighbour("after", true)],
		]],
		["Asking", [
			["/", "/", "search: intervals, threads, locks, functions, events", () => finder.focus()],
			["n", "n", "next hit, or violation", () => finder.step(1)],
			["N", "N", "previous one", () => finder.step(-1)],
			["i", "i", "statistics of the window", () => statistics.toggle()],
			["b", "b", "flame graph of the window", () => flame.toggle()],
			["B", "B", "the same as a call tree, or not", () => flame.showTree()],
			["q", "q", "what makes it slow", () => why.toggle()],
			["m", "m", "mark the time; two marks measure", () => mark()],
			["Escape", "esc", "let go of what is pinned, selected, marked, picked, asked; else close the side panel", () => clear()],
		]],
		["And", [
			["e", "e", "write definitions of intervals", () => editor.toggle()],
			["t", "t", "light or dark", () => theme()],
			["y", "y", "time, or columns by what happens before what", () => order.toggle()],
			["r", "r", "draw again", () => view.refresh()],
			["?", "?", "this help", () => document.getElementById("keys").showModal()],
		]],
		["Mouse", [
			["", "wheel", "zoom at the pointer; at the names: scroll"],
			["", "drag", "pan"],
			["", "shift + drag", "select a range of time; or drag on the ruler"],
			["", "hover, click", "what is there; pin it"],
			["", "what if", "type a factor for what is pinned: the run with that change is shown above"],
			["", "click on a name", "fold a group, or unfold it; all frames of a thread's stacks"],
		]],
	];
	const actions = groups.flatMap(([, list]) => list);

	function theme() {
		view.setTheme(view.state.theme === "light" ? "dark" : "light");
	}

	function mark() {
		const marks = view.state.marks;
		if (marks.length === 2)
			marks.length = 0;
		else
			marks.push(Math.round(pointer.time()));
		showMeasure();
	}

	function clear() {
		const hadAny = [view.state.pinned !== null, view.state.marks.splice(0).length > 0, requests.stop(), durations.clear(),
			flame.clear(), why.clear(), whatif.stop(), selection.clear(), headline.clear()].some(Boolean);
		details.pin(null);
		showMeasure();
		if (!hadAny)
			panel.close();
	}

	function showMeasure() {
		const [a, b] = view.state.marks;
		document.getElementById("measure").textContent = b !== undefined ?
			"between the marks: " + labels.duration(Math.abs(b - a)) :
			a !== undefined ? "mark at " + labels.time(a) : "";
		view.paintSoon();
	}

	function paintMarks(context, p) {
		context.strokeStyle = details.accent();
		context.lineWidth = 1;
		context.setLineDash([4, 3]);
		for (const time of view.state.marks) {
			context.beginPath();
			context.moveTo(view.xOf(time), 0);
			context.lineTo(view.xOf(time), p.height);
			context.stroke();
		}
		context.setLineDash([]);
	}

	function press(event) {
		if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("textarea, input[type=text], select"))
			return;
		const key = event.key.length === 1 && !"NHCLB".includes(event.key) ? event.key.toLowerCase() : event.key;
		const found = actions.find(([names]) => names.split(" ").includes(key));
		if (!found || !view.state.picture || document.getElementById("keys").open)
			return;
		event.preventDefault();
		found[3]();
	}

	function help([title, list]) {
		const table = make("table", "", ...list.map(([, name, text]) =>
			make("tr", "", make("td", "", make("kbd", "", name)), make("td", "", text))));
		return make("section", "", make("h2", "", title), table);
	}

	function start() {
		document.querySelector("#keys div").replaceChildren(...groups.map(help));
		document.addEventListener("keydown", press);
		view.onPaint(paintMarks);
	}

	return { start, theme };
})();
