/* The keyboard, the help that lists it, and measuring between two marks. */
const keys = (() => {
	const { make } = words;
	const scroll = document.getElementById("scroll");
	const actions = [
		["w ArrowUp +", "w  \u2191  +", "zoom in", () => view.zoom(0.5)],
		["s ArrowDown -", "s  \u2193  \u2212", "zoom out", () => view.zoom(2)],
		["a ArrowLeft", "a  \u2190", "pan backward", () => view.pan(-0.25)],
		["d ArrowRight", "d  \u2192", "pan forward", () => view.pan(0.25)],
		["f 0", "f  0", "the whole trace", () => view.fit()],
		["PageUp", "page up", "threads above", () => { scroll.scrollTop -= scroll.clientHeight * 0.8; }],
		["PageDown", "page down", "threads below", () => { scroll.scrollTop += scroll.clientHeight * 0.8; }],
		["j", "j", "to the next lane", () => lanes.step(1)],
		["k", "k", "to the lane above", () => lanes.step(-1)],
		["c", "c", "collapse this lane or group, or expand it", () => lanes.collapse()],
		["h", "h", "hide this lane or group", () => lanes.hide()],
		["H", "H", "show all lanes", () => lanes.show(true)],
		["o", "o", "next order of the lanes: as logged, by start, name, activity", () => lanes.nextOrder()],
		["g", "g", "group lanes by process, or not", () => lanes.group()],
		["[", "[", "previous instance of the pinned interval", () => details.step("previous")],
		["]", "]", "next instance", () => details.step("next")],
		["l", "l", "longest instance", () => details.step("longest")],
		["u", "u", "next unmatched one", () => details.step("unmatched")],
		["p", "p", "to the pinned interval's other end, and back", () => details.partner()],
		["z", "z", "fill the view with the pinned interval", () => details.zoom()],
		["m", "m", "mark the time at the pointer; two marks measure, a third clears", () => mark()],
		["i", "i", "statistics of the window, and how durations are spread", () => statistics.toggle()],
		["Escape", "esc", "let go of what is pinned, marked or picked", () => clear()],
		["/", "/", "search: Transit where time > 1 ms, Transit unmatched", () => finder.focus()],
		["n", "n", "next hit", () => finder.step(1)],
		["N", "N", "previous hit", () => finder.step(-1)],
		["e", "e", "write definitions of intervals, and see them matched", () => editor.toggle()],
		["t", "t", "light or dark", () => theme()],
		["r", "r", "draw again", () => view.refresh()],
		["?", "?", "this help", () => document.getElementById("keys").showModal()],
	];
	const mouse = [
		["wheel", "zoom at the pointer; beside the lanes and with shift: scroll"],
		["drag", "pan"],
		["shift + drag, drag on the ruler", "choose a window"],
		["hover, click", "what is there; pin it"],
	];

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
		view.state.marks.length = 0;
		details.pin(null);
		durations.clear();
		showMeasure();
	}

	function showMeasure() {
		const [a, b] = view.state.marks;
		document.getElementById("measure").textContent = b !== undefined ?
			"between the marks: " + words.duration(Math.abs(b - a)) :
			a !== undefined ? "mark at " + words.time(a) : "";
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
		const key = event.key.length === 1 && !"NH".includes(event.key) ? event.key.toLowerCase() : event.key;
		const found = actions.find(([names]) => names.split(" ").includes(key));
		if (!found || document.getElementById("keys").open)
			return;
		event.preventDefault();
		found[3]();
	}

	function row(name, text) {
		return make("tr", "", make("td", "", make("kbd", "", name)), make("td", "", text));
	}

	function start() {
		document.querySelector("#keys table").replaceChildren(
			...actions.map(([, name, text]) => row(name, text)),
			...mouse.map(([name, text]) => row(name, text)));
		document.addEventListener("keydown", press);
		view.onPaint(paintMarks);
	}

	return { start, theme };
})();
