/*
 * Two panes on one scale of time: the predicted run above the recorded one. The upper one is this page once more, in a frame;
 * what moves one moves the other. Both draw the critical path.
 */
/* uses: server, labels, view, objects, details, why */
const beside = (() => {
	const framed = !server.alone && window.parent !== window && /\/predicted\/\d+\/$/.test(location.pathname);
	const place = document.getElementById("predicted"), strip = document.getElementById("recorded");
	const scroll = document.getElementById("scroll");
	let frame = null, other = null, settings = "";

	/* ---- what one pane does for the other ---- */

	/* What lanes and layers are shown, so that the same is at the same height. */
	function settingsOf() {
		const { off, lanes: order, theme } = view.state;
		return JSON.stringify({ theme, sort: order.sort, group: order.group, collapsed: [...order.collapsed],
			objects: objects.list(),
			...Object.fromEntries(Object.entries(off).map(([what, set]) => [what, [...set]])) });
	}

	function take(text) {
		const now = JSON.parse(text), s = view.state;
		if (text === settingsOf())
			return;
		for (const what of Object.keys(s.off))
			s.off[what] = new Set(now[what]);
		s.lanes = { sort: now.sort, group: now.group, collapsed: new Set(now.collapsed) };
		objects.take(now.objects);
		view.setTheme(now.theme);
	}

	function go(from, to) {
		if (from !== view.state.from || to !== view.state.to)
			view.setWindow(from, to);
	}

	function rollTo(top) {
		scroll.scrollTop = top;
	}

	/* The other trace's length, up to which windows go, too; undefined: there is none. */
	function extend(duration) {
		view.state.beside = duration;
	}

	const pane = {
		take, go, rollTo, extend, joined, lend: (nodes) => details.lend(nodes), drawPath: () => why.drawPath(true),
		path: () => (why.state().path || []).length,
		duration: () => view.state.duration, idle: () => view.idle() && why.current(), state: view.state,
		shares: (values) => server.ask("shares", { ...view.state.asked, ...values }),
	};

	/* ---- the two ---- */

	/* The upper one is there. */
	function joined(theirs) {
		other = theirs;
		other.extend(view.state.duration);
		extend(other.duration());
		tellSettings();
		view.fit();
		other.go(view.state.from, view.state.to);
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

	function moved(from, to) {
		if (other)
			other.go(from, to);
	}

	/* said: what the change and its result are; that is all that tells the panes apart. */
	function open(address, said) {
		close();
		frame = document.createElement("iframe");
		frame.title = "the predicted run";
		frame.src = address;
		place.querySelector("span").textContent = said;
		strip.querySelector("span").textContent = labels.duration(view.state.duration);
		place.append(frame);
		place.hidden = strip.hidden = false;
		document.body.classList.add("whatif");
	}

	function close() {
		if (!frame)
			return;
		frame.remove();
		frame = other = null;
		settings = "";
		extend(undefined);
		place.hidden = strip.hidden = true;
		document.body.classList.remove("whatif");
		why.drawPath(false);
		view.fit();
	}

	/* Shows in the panel of the page what is pinned in the upper pane. Returns whether this is that one. */
	function lend(nodes) {
		if (framed)
			other.lend(nodes);
		return framed;
	}

	function start() {
		window.pane = pane;
		view.on("window", moved);
		view.on("picture", tellSettings);
		scroll.addEventListener("scroll", () => other && other.rollTo(scroll.scrollTop));
		if (!framed)
			return;
		document.documentElement.classList.add("pane");
		other = window.parent.pane;
		other.joined(pane);
	}

	return { start, open, close, lend, framed, shown: () => frame !== null, other: () => other };
})();
