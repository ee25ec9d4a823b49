/*
 * Two panes on one scale of time: the predicted run above the recorded one, or one recording above another. The upper
 * one is this page once more, in a frame. A move of one moves the other.
 */
/* uses: server, labels, view, objects, details, why */
const beside = (() => {
	const upperPath = /\/(predicted\/\d+|second)\/$/.exec(location.pathname);
	const framed = !server.alone && window.parent !== window && upperPath !== null;
	const place = document.getElementById("predicted"), strip = document.getElementById("recorded");
	const scroll = document.getElementById("scroll");
	const PREDICTED = { name: "the predicted run", upper: ["predicted"], lower: ["recorded"] };
	/* shift: the other pane's time where this one's is 0 */
	let frame = null, other = null, settings = "", shift = 0, rolled = false;
	let shown = framed && upperPath[1] === "second" ? { two: true } : PREDICTED, standing = null;

	/* ---- what one pane does for the other ---- */

	/* Threads by their names, and which of several of a name: the numbers of another recording are others. */
	function threadKeys() {
		const seen = {};
		return view.state.threads.map((t) => {
			seen[t.name] = (seen[t.name] || 0) + 1;
			return [t.number, t.name + "#" + seen[t.name]];
		});
	}

	/* Returns which lanes and layers are shown, so that the same is at the same height. */
	function settingsOf() {
		const { off, lanes: order, theme, names } = view.state;
		return JSON.stringify({ theme, sort: order.sort, group: order.group, collapsed: [...order.collapsed],
			objects: objects.list(), names, events: [...off.events], intervals: [...off.intervals],
			threads: threadKeys().filter(([n]) => off.threads.has(n)).map(([, key]) => key) });
	}

	/* Layers that only this trace has stay as they are. Folded lanes are those of one trace. */
	function take(text) {
		const now = JSON.parse(text), s = view.state;
		if (text === settingsOf())
			return;
		for (const what of ["events", "intervals"]) {
			const own = [...s.off[what]].filter((name) => !now.names[what].includes(name));
			s.off[what] = new Set(now[what].concat(own));
		}
		s.off.threads = new Set(threadKeys().filter(([, key]) => now.threads.includes(key)).map(([n]) => n));
		const collapsed = shown.two ? s.lanes.collapsed : new Set(now.collapsed);
		s.lanes = { sort: now.sort, group: now.group, collapsed };
		objects.take(now.objects, shown.two);
		view.setTheme(now.theme);
	}

	function go(from, to) {
		if (from !== view.state.from || to !== view.state.to)
			view.setWindow(from, to);
	}

	/* A pane that cannot follow so far does not call the other one back. */
	function rollTo(top) {
		const before = scroll.scrollTop;
		scroll.scrollTop = top;
		rolled = scroll.scrollTop !== before;
	}

	/* by: the other's time where this one's is 0. Windows contain all of both. */
	function shiftTo(by, duration) {
		shift = by;
		view.state.beside = { from: -by, to: duration - by };
	}

	/* The names of both have the same room, so that the same times are at the same pixels. */
	function leaveRoom(names) {
		if (view.state.leastNames === names)
			return;
		view.state.leastNames = names;
		view.refresh();
	}

	const pane = {
		take, go, rollTo, shiftTo, leaveRoom, joined, state: view.state,
		lend: (nodes) => details.lend(nodes), drawPath: () => why.drawPath(true),
		path: () => (why.state().path || []).length,
		duration: () => view.state.duration, idle: () => view.idle() && why.current(),
		settled: () => view.idle(),
		shares: (values) => server.ask("shares", { ...view.state.asked, ...values }),
		ask: (path, values) => server.ask(path, values), pin: (found) => details.pin(found),
	};

	/* ---- the two ---- */

	/* Shows where the upper one's time is so much later at the same place. */
	function align(by) {
		shiftTo(by, other.duration());
		other.shiftTo(-by, view.state.duration);
		view.fit();
		other.go(view.state.from + shift, view.state.to + shift);
	}

	/* The upper one is there. */
	function joined(theirs) {
		other = theirs;
		tellSettings();
		/* a window that the address or the command line names stays */
		const { from, to, duration } = view.state, whole = from === 0 && to >= duration;
		align(0);
		if (shown.two && !whole)
			view.setWindow(from, to);
		if (shown.joined)
			shown.joined(other);
		if (shown.two)
			return;
		other.drawPath();
		why.drawPath(true);
	}

	function tellSettings() {
		const now = settingsOf();
		if (!other || framed || now === settings)
			return;
		settings = now;
		other.take(now);
	}

	function painted(picture) {
		tellSettings();
		if (other)
			other.leaveRoom(picture.names);
	}

	function moved(from, to) {
		if (other)
			other.go(from + shift, to + shift);
	}

	function scrolled() {
		if (other && !rolled)
			other.rollTo(scroll.scrollTop);
		rolled = false;
	}

	function label(where, [kind, ...said]) {
		where.querySelector("b").textContent = kind;
		where.querySelector("span").textContent = said.join(" ");
	}

	function remove() {
		frame.remove();
		frame = other = null;
		settings = "";
		shift = 0;
		view.state.beside = view.state.leastNames = undefined;
	}

	/*
	 * Opens the upper pane. The parts of what:
	 * - upper, lower: the texts above the two panes, the first word bold; name: of the upper one, in a sentence
	 * - two: it is another recording
	 * - joined: called with its pane
	 */
	function open(address, what) {
		if (frame)
			remove();
		shown = what;
		frame = document.createElement("iframe");
		frame.title = what.name;
		place.setAttribute("aria-label", what.name);
		frame.src = address;
		label(place, what.upper);
		label(strip, what.lower);
		place.querySelector(".close").hidden = Boolean(what.two);
		place.append(frame);
		place.hidden = strip.hidden = false;
		document.body.classList.add("whatif");
		document.body.classList.toggle("two", Boolean(what.two));
	}

	/* said: what the change and its result are. */
	function predict(address, said) {
		const lower = ["recorded", labels.duration(view.state.duration)];
		open(address, { ...PREDICTED, upper: ["predicted", said], lower });
	}

	/* Opens a recording that is always there, but for predicted runs in its place. */
	function stand(address, what) {
		standing = [address, what];
		open(address, what);
	}

	/* Closes a predicted run. */
	function close() {
		if (!frame || shown.two)
			return;
		why.drawPath(false);
		if (standing) {
			open(...standing);
			return;
		}
		remove();
		place.hidden = strip.hidden = true;
		document.body.classList.remove("whatif");
		view.fit();
	}

	/* Shows in the panel of the page what is pinned in the upper pane. Returns whether this is that one. */
	function lend(nodes) {
		if (framed)
			other.lend(nodes);
		return framed;
	}

	window.pane = pane;
	view.on("window", moved);
	view.on("picture", painted);
	scroll.addEventListener("scroll", scrolled);

	function start() {
		if (!framed)
			return;
		document.documentElement.classList.add("pane");
		other = window.parent.pane;
		other.joined(pane);
	}

	return { start, predict, stand, align, close, lend, framed, other: () => other, upperName: () => shown.name,
		shown: () => frame !== null && !shown.two,
		two: () => Boolean(shown.two) && (framed || frame !== null) };
})();
