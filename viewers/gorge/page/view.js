/*
 * What is shown: the window of time, what is switched off, and the newest picture of it. The window
 * changes at once; the picture follows when the program has drawn it, and until then the last one
 * is stretched.
 */
/* uses: server, labels, canvas, viewport, minimap, objects, selection, order, follow */
const view = (() => {
	const state = {
		from: 0, to: 1000, duration: 1, count: 0,
		off: { events: new Set(), intervals: new Set(), threads: new Set() },
		threads: [], theme: "light",
		lanes: { sort: "spec", group: "process", collapsed: new Set() },
		leastNames: undefined, /* the room that the names of lanes have at least */
		picture: null, pinned: null, marks: [], pick: null,
		timing: { asked: 0, answered: 0, painted: 0 },
	};
	const listeners = {}, bars = canvas.keep();
	let busy = false, stale = false, held = 0, scheduled = false, untold = false;
	const plot = document.getElementById("plot"), ruler = document.getElementById("ruler");
	const scroll = document.getElementById("scroll"), tall = document.getElementById("tall");

	/*
	 * Calls a listener whenever something happens:
	 * - start (what there is): the trace is known; grow (what there is): there is more of it
	 * - names (what there is): before start, and when there are other definitions
	 * - definitions (what there is): the page wrote others
	 * - leave: before grow and names; forget: after them, because earlier answers are wrong
	 * - picture (it): a new one is painted; paint (context, it): on the plot, in the coordinates of now
	 * - window (from, to): it is another one; selected: another range of time is selected
	 * - panel: the side panel shows another tab, or none
	 * - switched: another part of the page changed what is off
	 * - clear: esc is pressed; the listener returns whether it had anything to let go of
	 */
	function on(what, listener) {
		(listeners[what] = listeners[what] || []).push(listener);
	}

	/* Calls the listeners, and gives what they return. */
	function tell(what, ...values) {
		return (listeners[what] || []).map((listener) => listener(...values));
	}

	/* Numbers as --threads takes them: "0-3,7". A request has no room for thousands. */
	function ranges(numbers) {
		const runs = [];
		for (const n of numbers.slice().sort((a, b) => a - b)) {
			const last = runs[runs.length - 1];
			if (last && last[1] + 1 === n)
				last[1] = n;
			else
				runs.push([n, n]);
		}
		return runs.map(([a, b]) => a === b ? a : a + "-" + b).join(",");
	}

	function listOf(what, names) {
		const off = state.off[what];
		if (names.length === 0 && what !== "threads")
			return "none";
		if (off.size === 0 && what !== "threads")
			return names.join(",") || "none";
		if (off.size === 0)
			return undefined;
		const shown = names.filter((n) => !off.has(n));
		return (what === "threads" ? ranges(shown) : shown.join(",")) || "none";
	}

	function query() {
		const box = scroll.getBoundingClientRect();
		return {
			from: Math.round(state.from), to: Math.round(state.to), theme: state.theme,
			width: Math.min(20000, Math.max(200, Math.floor(scroll.clientWidth))),
			names: state.leastNames,
			room: Math.max(0, Math.floor(box.height) - 2), viewport: viewport.near(state.picture),
			events: listOf("events", state.names.events),
			intervals: listOf("intervals", state.names.intervals),
			threads: listOf("threads", state.threads.map((t) => t.number)),
			sort: state.lanes.sort, group: state.lanes.group,
			lanes: objects.list(), order: order.name(), functions: state.functions,
			collapsed: [...state.lanes.collapsed].join(","),
			...(state.pick && { pick: state.pick.interval, least: state.pick.least, most: state.pick.most }),
		};
	}

	/* What is newly picked may have to be counted for longer: then it is asked for once more. */
	async function answer() {
		for (;;) {
			const picture = await server.ask("view", state.asked);
			picture.viewport = state.asked.viewport;
			if (!picture.picking) {
				stale = stale || !viewport.has(picture);
				return picture;
			}
			if (stale) {
				stale = false;
				state.asked = query();
			}
		}
	}

	/*
	 * One question at a time; what was asked for in the meantime is asked in one. Before the page
	 * knows what there is, it asks for no picture.
	 */
	async function refresh() {
		if (!state.names)
			return;
		if (busy || held) {
			stale = true;
			return;
		}
		busy = true;
		state.asked = query();
		state.timing.asked = performance.now();
		try {
			state.picture = await answer();
			state.timing.answered = performance.now();
			say("");
			/* asked for first, the frame that comes in the meantime is not missed */
			paintSoon();
			prepare();
			untold = true;
		} catch (e) {
			say(e.message);
			follow.check();
		}
		busy = false;
		paintSoon();
		if (stale) {
			stale = false;
			refresh();
		}
	}

	/* Asks for one picture of many changes. */
	async function together(change) {
		held++;
		try {
			await change();
		} finally {
			held--;
			stale = busy;
			refresh();
		}
	}

	/* Waits for the newest picture. */
	async function settled() {
		while (busy || stale)
			await new Promise((done) => setTimeout(done, 20));
	}

	/* What else the page shows of the newest picture comes behind the frame that shows it. */
	function tellPicture() {
		if (!untold)
			return;
		untold = false;
		tell("picture", state.picture);
	}

	function say(text) {
		const place = document.getElementById("state");
		place.textContent = text;
		place.className = text ? "wrong" : "";
	}

	/* Where a time of now is on the screen, and back. */
	function scale() {
		const p = state.picture;
		return p.columns / (state.to - state.from);
	}

	function xOf(time) {
		return state.picture.left + (time - state.from) * scale();
	}

	function timeAt(x) {
		return state.from + (x - state.picture.left) / scale();
	}

	/* The trace, and the one beside it, which may begin earlier and end later. */
	function extent() {
		const from = Math.min(0, state.beside ? state.beside.from : 0);
		return { from, to: Math.max(state.duration, state.beside ? state.beside.to : 0, from + 1000) };
	}

	function setWindow(from, to) {
		/* the window ends where the trace does, or the one beside it */
		const whole = extent(), length = Math.min(Math.max(to - from, 10), whole.to - whole.from);
		const begin = Math.min(Math.max((from + to - length) / 2, whole.from), whole.to - length);
		state.from = Math.round(begin);
		state.to = Math.max(Math.round(begin + length), state.from + 10);
		paintSoon();
		refresh();
		tell("window", state.from, state.to);
	}

	function zoom(factor, around) {
		const at = around === undefined ? (state.from + state.to) / 2 : around;
		setWindow(at - (at - state.from) * factor, at + (state.to - at) * factor);
	}

	function pan(share) {
		const by = (state.to - state.from) * share;
		setWindow(state.from + by, state.to + by);
	}

	function fit() {
		const { from, to } = extent();
		setWindow(from, to);
	}

	/* Brings a stretch of time into sight, with room beside it. */
	function show(from, to, close) {
		const length = state.to - state.from;
		if (!close && from >= state.from && to <= state.to)
			return;
		if (!close && to - from < length * 0.8) {
			/* in the middle, but for what is near an end of the trace: beyond it there is nothing to see */
			const last = Math.max(0, state.duration - length);
			const begin = Math.min(Math.max(0, (from + to - length) / 2), last);
			setWindow(begin, begin + length);
			return;
		}
		const border = Math.max((to - from) * 0.3, 10);
		setWindow(from - border, to + border);
	}

	function toggle(what, name) {
		const off = state.off[what];
		if (!off.delete(name))
			off.add(name);
		refresh();
	}

	function setTheme(theme) {
		state.theme = theme;
		document.documentElement.dataset.theme = theme;
		refresh();
	}

	/* ---- painting ---- */

	function paintSoon() {
		if (scheduled)
			return;
		scheduled = true;
		requestAnimationFrame(() => {
			scheduled = false;
			paint();
			if (untold)
				setTimeout(tellPicture);
		});
	}

	/* From the picture's window to that of now. */
	function stretch(context) {
		const p = state.picture;
		const factor = (p.to - p.from) / (state.to - state.from);
		context.translate(xOf(p.from), 0);
		context.scale(factor, 1);
		context.translate(-p.left, 0);
	}

	function clip(context, height) {
		const p = state.picture;
		context.beginPath();
		context.rect(p.left - p.indent, 0, p.columns + 2 * p.indent, height);
		context.clip();
	}

	function paintRuler() {
		const p = state.picture, c = canvas.fit(ruler);
		c.context.save();
		stretch(c.context);
		canvas.paint(c.context, p.ruler);
		c.context.restore();
		canvas.paint(c.context, selection.sharesOf(p)[1]);
	}

	function paintPicture(context) {
		const p = state.picture;
		context.translate(0, -scroll.scrollTop);
		/* what is not picked stays to be seen, but dim */
		context.globalAlpha = p.picked ? 0.2 : 1;
		canvas.paint(context, p.plot);
		context.globalAlpha = 1;
		canvas.paint(context, p.picked || []);
	}

	/* Gives the plot the room that the picture needs, and paints the picture out of sight. */
	function prepare() {
		tall.style.height = state.picture.height + "px";
		plot.style.height = Math.min(scroll.clientHeight, Math.max(state.picture.height, 1)) + "px";
		const box = plot.getBoundingClientRect();
		bars.fill(box.width, box.height, [state.picture, scroll.scrollTop], paintPicture);
	}

	function paintPlot() {
		const p = state.picture;
		prepare();
		const c = canvas.fit(plot);
		c.context.save();
		c.context.translate(0, -scroll.scrollTop);
		canvas.paint(c.context, p.ground);
		canvas.paint(c.context, selection.sharesOf(p)[0]);
		clip(c.context, p.height);
		c.context.save();
		c.context.translate(0, scroll.scrollTop);
		stretch(c.context);
		bars.show(c.context);
		c.context.restore();
		tell("paint", c.context, p);
		c.context.restore();
	}

	function paint() {
		if (!state.picture)
			return;
		paintRuler();
		paintPlot();
		minimap.paint();
		document.getElementById("window").textContent =
			labels.time(state.from, state.to - state.from) + " to " +
			labels.time(state.to, state.to - state.from) + "  (" +
			labels.duration(state.to - state.from) + ")";
		state.timing.painted = performance.now();
	}

	scroll.addEventListener("scroll", () => {
		paintSoon();
		if (state.picture && !viewport.has(state.picture))
			refresh();
	});
	/* Whatever changes the room of the lanes: the window, a message, a panel, a scroll bar. */
	function fitRoom() {
		if (!state.names)
			return;
		const { width, room } = query();
		paintSoon();
		if (state.asked && (width !== state.asked.width || room !== state.asked.room))
			refresh();
	}

	new ResizeObserver(fitRoom).observe(scroll);
	/* and the pixels of another screen */
	window.addEventListener("resize", () => paintSoon());

	return {
		state, on, tell, refresh, together, ranges, setWindow, zoom, pan, fit, show, toggle, setTheme,
		xOf, timeAt, paintSoon, query, say, settled,
		answered: () => !busy && !stale,
		idle: () => !busy && !stale && !scheduled && !untold,
	};
})();
