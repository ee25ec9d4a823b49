/* The keyboard, the help that lists it, and measuring between two marks. */
/* uses: labels, view, panel, objects, lanes, details, selection, order, durations, statistics,
 * requests, finder, flame, why, headline, whatif, editor, pointer */
const keys = (() => {
	const { make } = labels;
	const scroll = document.getElementById("scroll");
	const groups = [
		["Window", [
			["w ArrowUp +", "w  \u2191  +", "zoom in", () => view.zoom(0.5)],
			["s ArrowDown -", "s  \u2193  \u2212", "zoom out", () => view.zoom(2)],
			["a ArrowLeft", "a  \u2190", "pan backward", () => view.pan(-0.25)],
			["d ArrowRight", "d  \u2192", "pan forward", () => view.pan(0.25)],
			["f 0", "f  0", "show the whole trace", () => view.fit()],
			["PageUp", "page up", "scroll to the lanes above", () => { scroll.scrollTop -= scroll.clientHeight * 0.8; }],
			["PageDown", "page down", "scroll to the lanes below", () => { scroll.scrollTop += scroll.clientHeight * 0.8; }],
		]],
		["Lanes", [
			["j", "j", "select the next lane", () => lanes.step(1)],
			["k", "k", "select the lane above", () => lanes.step(-1)],
			["c", "c", "fold or unfold this lane or group", () => lanes.collapse()],
			["C", "C", "fold or unfold all groups", () => lanes.foldAll()],
			["x", "x", "make this lane as high as its names and stacks need, or reset it", () => lanes.grow()],
			["h", "h", "hide this lane or group", () => lanes.hide()],
			["H", "H", "show all lanes", () => lanes.show(true)],
			["o", "o", "change the order of lanes: as logged, by start, name, activity", () => lanes.nextOrder()],
			["L", "L", "show or hide the lanes of objects, such as locks", () => objects.all()],
			["v", "v", "choose layers: states, waits, locks, wake-ups, events", () => panel.toggle("layers")],
			["g", "g", "change groups: by process, creator, name, or none", () => lanes.nextGrouping()],
		]],
		["Pinned item", [
			["[", "[", "previous instance, or event of the same type", () => details.step("previous")],
			["]", "]", "next instance or event", () => details.step("next")],
			["l", "l", "longest instance", () => details.step("longest")],
			["u", "u", "next unmatched instance", () => details.step("unmatched")],
			["p", "p", "go to the partner and back", () => details.partner()],
			["z", "z", "fill the view with the pinned item, or with the selection", () => details.zoom() || selection.zoom()],
			[",", ",", "in logical order: previous event in the thread", () => details.neighbour("before", false)],
			[".", ".", "next event in the thread", () => details.neighbour("after", false)],
			["<", "<", "the event in another thread that directly precedes it", () => details.neighbour("before", true)],
			[">", ">", "the event in another thread that directly follows it", () => details.neighbour("after", true)],
		]],
		["Questions", [
			["/", "/", "search for intervals, threads, locks, functions, events", () => finder.focus()],
			["n", "n", "next hit or violation", () => finder.step(1)],
			["N", "N", "previous hit or violation", () => finder.step(-1)],
			["i", "i", "statistics of the window", () => statistics.toggle()],
			["b", "b", "flame graph of the window", () => flame.toggle()],
			["B", "B", "switch between flame graph and call tree", () => flame.showTree()],
			["q", "q", "find what makes the program slow", () => why.toggle()],
			["m", "m", "set a mark at the pointer; two marks measure the time between them", () => mark()],
			["Escape", "esc", "clear pins, selections, marks and questions; if there are none, close the side panel", () => clear()],
		]],
		["Other", [
			["e", "e", "edit the definitions of intervals", () => editor.toggle()],
			["t", "t", "switch between light and dark", () => theme()],
			["y", "y", "switch between time and happened-before order", () => order.toggle()],
			["r", "r", "draw the view again", () => view.refresh()],
			["?", "?", "show this help", () => document.getElementById("keys").showModal()],
		]],
		["Mouse", [
			["", "wheel", "zoom at the pointer; over the names, scroll"],
			["", "drag", "pan"],
			["", "shift + drag", "select a range of time (or drag on the ruler)"],
			["", "hover, click", "show what is at the pointer; pin it"],
			["", "what if", "type a factor for the pinned item; the predicted run appears above"],
			["", "click on a name", "fold or unfold a group; show all frames of a thread's stacks"],
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
			"time between the marks: " + labels.duration(Math.abs(b - a)) :
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
