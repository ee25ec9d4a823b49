/* Frames the bars of the instance that is pinned: the program says where they are in the newest picture. */
/* uses: server, view */
const outline = (() => {
	const scroll = document.getElementById("scroll");
	let of = null, boxes = [], asking = false;

	/* The pinned instance, the picture and what of it is in sight. */
	function key(instance) {
		return [view.state.asked, instance.interval, instance.index, scroll.scrollTop, scroll.clientHeight];
	}

	const isSame = (a, b) => a && a.every((value, i) => value === b[i]);

	async function ask(instance) {
		const now = key(instance), { from, to } = view.state, top = Math.floor(scroll.scrollTop);
		/* the middle of what is in sight of it */
		const x = view.xOf((Math.max(instance.start, from) + Math.min(instance.end, to)) / 2);
		asking = true;
		try {
			const answer = await server.ask("outline", { ...view.state.asked, interval: instance.interval, index: instance.index,
				x: x.toFixed(1), top, bottom: top + Math.min(scroll.clientHeight, 4000) });
			boxes = answer.boxes;
			of = now;
		} catch (e) {
			boxes = [];
			of = now;
		}
		asking = false;
		view.paintSoon();
	}

	/* Returns whether the instance has bars in the picture. Asks when the last answer is of another one. */
	function paint(context, instance) {
		if (!instance.matched)
			return false;
		if (!asking && view.answered() && !isSame(of, key(instance)))
			ask(instance);
		const from = view.xOf(instance.start), to = view.xOf(instance.end);
		if (!of || of[1] !== instance.interval || of[2] !== instance.index)
			return true;
		for (const [top, bottom] of boxes)
			context.strokeRect(from - 1, top - 0.5, Math.max(to - from, 1) + 2, bottom - top + 1);
		return boxes.length > 0;
	}

	function forget() {
		of = null;
		boxes = [];
	}

	return { paint, forget, boxes: () => boxes };
})();
