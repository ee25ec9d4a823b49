/*
 * Tracks: series of nibble under the lanes. What is typed is checked by the program, which draws the
 * tracks in the picture's window; the page stretches them as it does the lanes.
 */
/* uses: server, labels, canvas, view, requests, address, layers */
const tracks = (() => {
	const { make } = labels;
	const place = document.getElementById("tracks"), area = place.querySelector("div");
	const strip = area.querySelector("canvas"), line = area.querySelector("i");
	const input = place.querySelector("input"), said = place.querySelector("pre");
	const scroll = document.getElementById("scroll");
	let expressions = [], drawn = null, signs = [], busy = false, stale = false;

	function ask(list, place) {
		return server.ask("tracks", { ...view.state.asked, expressions: list.join("\n"), place });
	}

	/* One question at a time, and only when the lanes are drawn. */
	async function refresh() {
		if (!expressions.length && !drawn)
			return;
		if (busy || !view.state.asked) {
			stale = busy;
			if (busy)
				server.stop("tracks").catch(() => {});
			return;
		}
		busy = true;
		try {
			drawn = expressions.length ? await ask(expressions) : null;
			show();
		} catch (e) {
			if (!stale)
				view.say(e.message);
		}
		busy = false;
		view.paintSoon();
		if (stale) {
			stale = false;
			refresh();
		}
	}

	/* Adds a track; when it has no meaning, what is wrong stands below it. */
	async function add(expression) {
		const found = (await ask([expression], "new track")).tracks[0];
		said.textContent = found.said || "";
		if (found.said)
			return;
		input.value = "";
		expressions.push(expression);
		await refresh();
	}

	function remove(i) {
		expressions.splice(i, 1);
		said.textContent = "";
		return refresh();
	}

	/* At the right of each title: the value at the pointer, and what removes the track. */
	function sign(track, i) {
		const value = make("output"), button = make("button", "", "\u00d7");
		button.title = "remove this track";
		button.addEventListener("click", () => remove(i));
		const element = make("p", "", value, button);
		element.style.top = (track.top || 0) + "px";
		return { element, value, track };
	}

	/* What the strip takes the lanes give. */
	function resize(height) {
		if (strip.style.height === height)
			return;
		strip.style.height = height;
		view.refresh();
	}

	function show() {
		const wrong = drawn ? drawn.tracks.filter((t) => t.said) : [];
		signs.forEach((s) => s.element.remove());
		signs = drawn ? drawn.tracks.map(sign) : [];
		area.append(...signs.filter((s) => !s.track.said).map((s) => s.element));
		/* other definitions may have taken the meaning of one that was there */
		if (wrong.length)
			said.replaceChildren(...wrong.map((t) => t.said), ...signs.filter((s) => s.track.said)
				.map((s) => s.element.lastChild));
		resize((drawn ? drawn.height : 0) + "px");
	}

	function paint() {
		if (!drawn || !drawn.height)
			return;
		const p = view.state.picture, s = view.state;
		strip.style.width = scroll.clientWidth + "px";
		const { context } = canvas.fit(strip);
		canvas.paint(context, drawn.ground);
		context.save();
		context.beginPath();
		context.rect(p.left - p.indent, 0, p.columns + 2 * p.indent, drawn.height);
		context.clip();
		context.translate(view.xOf(drawn.from), 0);
		context.scale((drawn.to - drawn.from) / (s.to - s.from), 1);
		context.translate(-p.left, 0);
		canvas.paint(context, drawn.plot);
		context.restore();
	}

	/* ---- values ---- */

	/* The least and the greatest value of a curve in the pixel of a column; null: it has none. */
	function valuesAt(curve, column) {
		const v = curve.vertices, found = [];
		const reach = curve.points ? 2 : 0.5;
		for (let i = 0; i < v.length; i += 2) {
			if (v[i + 1] === null)
				continue;
			if (Math.abs(v[i] - column) <= reach)
				found.push(v[i + 1]);
			else if (!curve.points && v[i] < column && v[i + 2] > column && v[i + 3] !== null)
				found.push(v[i + 1] + (v[i + 3] - v[i + 1]) * (column - v[i]) / (v[i + 2] - v[i]));
		}
		return found.length ? [Math.min(...found), Math.max(...found)] : null;
	}

	/* Large counts are read in full. */
	const SIZES = { thousands: 1e3, millions: 1e6, billions: 1e9 };

	function number(track, value) {
		return SIZES[track.unit] ? labels.count(Math.round(value * SIZES[track.unit])) :
			Number(value.toPrecision(4)) + (track.unit ? " " + track.unit : "");
	}

	function valueText(track, curve, [least, greatest]) {
		const texts = [...new Set([least, greatest].map((v) => number(track, v)))];
		return (curve.name ? curve.name + " " : "") + texts.join(" to ");
	}

	/* Of a family the members with the greatest values. */
	const MOST_NAMED = 4;

	function valuesText(track, column) {
		const found = track.curves.map((curve) => [curve, valuesAt(curve, column)]).filter((f) => f[1]);
		if (found.length > 1)
			found.sort((a, b) => b[1][1] - a[1][1]);
		return found.slice(0, MOST_NAMED).map((f) => valueText(track, ...f)).join(", ") +
			(found.length > MOST_NAMED ? ", ..." : "");
	}

	/* Shows the values at a place on the stage; null: the pointer is nowhere. */
	function pointAt(x) {
		const p = view.state.picture, any = x !== null && drawn && p && x >= p.left && x <= p.left + p.columns;
		line.hidden = !any;
		line.style.left = x + "px";
		const column = any ? (view.timeAt(x) - drawn.from) / (drawn.to - drawn.from) * p.columns : 0;
		for (const { track, value } of signs)
			value.textContent = any && track.curves ? valuesText(track, column) : "";
	}

	/* An example is of this trace. */
	function invite() {
		const of = (what) => layers.entries().filter((e) => e.what === what).sort((a, b) => b.events - a.events)[0];
		const interval = of("intervals"), event = of("events");
		input.placeholder = ["add a track: ", ...[interval && "open(" + interval.name + ")", event && "rate(" + event.name + ") per thread",
			interval && "p99(" + interval.name + ".time)"].filter(Boolean).join(", ")].join("");
	}

	function start({ tracks: text }) {
		expressions = (text || "").split("\n").filter((e) => e.trim());
		view.on("picture", refresh);
		view.on("paint", paint);
		place.querySelector("form").addEventListener("submit", (event) => {
			event.preventDefault();
			if (input.value.trim())
				add(input.value.trim()).catch((e) => view.say(e.message));
		});
		input.addEventListener("keydown", (event) => {
			if (event.key === "Escape")
				input.blur();
		});
		for (const element of [strip, scroll]) {
			element.addEventListener("pointermove",
				(e) => pointAt(e.clientX - strip.getBoundingClientRect().left));
			element.addEventListener("pointerleave", () => pointAt(null));
		}
		strip.addEventListener("wheel", (event) => {
			event.preventDefault();
			view.zoom(Math.pow(2, Math.max(-2, Math.min(2, event.deltaY / 240))),
				view.timeAt(event.clientX - strip.getBoundingClientRect().left));
		}, { passive: false });
	}

	/* Tracks that have no meaning are listed below the others. */
	function restore(text) {
		expressions = text.split("\n").filter((e) => e.trim());
		refresh();
	}

	address.add("track", () => expressions.join("\n"), restore);
	view.on("start", start);
	view.on("names", invite);
	requests.add({ tracks: "tracks" });

	return {
		add, remove, pointAt, list: () => expressions.join("\n") || undefined,
		state: () => ({ expressions, drawn, said: said.textContent,
				values: signs.map((s) => s.value.textContent), busy }),
	};
})();
