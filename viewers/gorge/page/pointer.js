/*
 * The mouse: the wheel zooms at the pointer, dragging pans, dragging with shift or on the ruler
 * selects a range of time, hovering asks what is there, clicking pins it.
 */
/* uses: server, labels, view, lanes, selection, details */
const pointer = (() => {
	const plot = document.getElementById("plot"), ruler = document.getElementById("ruler");
	const scroll = document.getElementById("scroll"), stage = document.getElementById("stage");
	const rubber = document.getElementById("rubber"), hover = document.getElementById("hover");
	const SLACK = 4;
	let drag = null, at = null, timer = 0, asking = false;

	function place(event) {
		const box = plot.getBoundingClientRect();
		return { x: event.clientX - box.left, y: event.clientY - box.top };
	}

	function wheel(event) {
		event.preventDefault();
		const p = place(event);
		if (event.shiftKey || inNames(p)) {
			scroll.scrollTop += event.deltaY || event.deltaX;
			return;
		}
		if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
			view.pan(event.deltaX / 1000);
			return;
		}
		const lines = event.deltaMode === 1 ? 30 : 1;
		const power = Math.max(-2, Math.min(2, event.deltaY * lines / 240));
		view.zoom(Math.pow(2, power), view.timeAt(p.x));
	}

	function begin(event, rubberBand) {
		if (event.button !== 0 || !view.state.picture)
			return;
		const p = place(event);
		event.target.setPointerCapture(event.pointerId);
		scroll.focus({ preventScroll: true });
		drag = { ...p, from: view.state.from, to: view.state.to, top: scroll.scrollTop,
			 rubber: rubberBand, moved: false };
		hide();
	}

	function pull(event) {
		const p = place(event), dx = p.x - drag.x;
		if (!drag.moved && Math.hypot(dx, p.y - drag.y) < SLACK)
			return;
		drag.moved = true;
		if (drag.rubber) {
			drawRubber(Math.min(p.x, drag.x), Math.abs(dx));
			return;
		}
		plot.classList.add("dragged");
		const by = dx * (drag.to - drag.from) / view.state.picture.columns;
		scroll.scrollTop = drag.top - (p.y - drag.y);
		view.setWindow(drag.from - by, drag.to - by);
	}

	function drawRubber(left, width) {
		rubber.hidden = false;
		rubber.style.left = left + "px";
		rubber.style.width = width + "px";
		document.getElementById("measure").textContent = "selected " +
			labels.duration(view.timeAt(left + width) - view.timeAt(left));
	}

	function end(event) {
		if (!drag)
			return;
		const p = place(event), done = drag;
		drag = null;
		plot.classList.remove("dragged");
		rubber.hidden = true;
		if (!done.moved)
			click(p);
		else if (done.rubber) {
			document.getElementById("measure").textContent = "";
			selection.set(view.timeAt(p.x), view.timeAt(done.x));
		}
	}

	function ask(p) {
		return server.ask("at", { ...view.state.asked, x: p.x.toFixed(1),
					  y: (p.y + scroll.scrollTop).toFixed(1) });
	}

	function inNames(p) {
		return p.x < view.state.picture.left - view.state.picture.indent;
	}

	async function click(p) {
		if (inNames(p)) {
			lanes.click(p.y + scroll.scrollTop);
			return;
		}
		try {
			const found = await details.whole(await ask(p));
			if (found.event || found.instance || found.stack || !lanes.fold(p.y + scroll.scrollTop))
				details.pin(found);
		} catch (e) {
			view.say(e.message);
		}
	}

	function hide() {
		hover.hidden = true;
		plot.classList.remove("found");
		clearTimeout(timer);
	}

	/* Asks when the pointer rests, and only what the newest picture can answer. */
	function move(event) {
		at = place(event);
		if (drag) {
			pull(event);
			return;
		}
		clearTimeout(timer);
		if (view.state.picture && event.target === plot && inNames(at)) {
			hide();
			lanes.pointAt(at.y + scroll.scrollTop);
			return;
		}
		lanes.leave();
		timer = setTimeout(look, 40);
	}

	async function look() {
		if (asking || drag || !view.idle())
			return;
		const p = at;
		asking = true;
		try {
			show(p, await ask(p));
		} catch (e) {
			hide();
		}
		asking = false;
		if (p !== at && !drag)
			timer = setTimeout(look, 20);
	}

	function show(p, found) {
		const any = found.event || found.instance || found.stack || found.merged;
		hover.hidden = !any;
		plot.classList.toggle("found", !!any);
		if (!any)
			return;
		hover.replaceChildren(...details.brief(found));
		const box = stage.getBoundingClientRect(), top = plot.getBoundingClientRect().top - box.top;
		const x = p.x + 14, y = top + p.y + 14;
		hover.style.left = hover.style.top = "0";
		const width = hover.offsetWidth, height = hover.offsetHeight;
		hover.style.left = Math.max(6, Math.min(x, box.width - width - 6)) + "px";
		/* above the pointer where there is no room below it */
		hover.style.top = Math.max(6, y + height + 6 > box.height ? y - height - 28 : y) + "px";
	}

	/* The time below the pointer, for marks. */
	function time() {
		return at ? view.timeAt(at.x) : (view.state.from + view.state.to) / 2;
	}

	/* The thread in whose lane the pointer is; undefined: in none, or one of several. */
	function thread() {
		const y = at ? at.y + scroll.scrollTop : -1;
		const lane = view.state.picture.lanes.find((l) => y >= l.top && y < l.top + l.height);
		const [range, ...more] = (lane && lane.kind === undefined && !lane.processors && lane.threads) || [];
		const only = range && !more.length && range[0] === range[1];
		return only ? view.state.threads.find((t) => t.number === range[0])?.label : undefined;
	}

	plot.addEventListener("wheel", wheel, { passive: false });
	ruler.addEventListener("wheel", wheel, { passive: false });
	plot.addEventListener("pointerdown", (e) => begin(e, e.shiftKey));
	ruler.addEventListener("pointerdown", (e) => begin(e, true));
	for (const element of [plot, ruler]) {
		element.addEventListener("pointermove", move);
		element.addEventListener("pointerup", end);
		element.addEventListener("pointercancel", end);
	}
	plot.addEventListener("pointerleave", hide);

	return { time, thread, show };
})();
