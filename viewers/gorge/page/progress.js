/* While intervals are still being looked for: says how far that is, and draws again when one is found. */
/* uses: server, view, layers, order */
const progress = (() => {
	const PAUSE = 300;
	const place = document.getElementById("progress");
	let waiting = [], timer = 0;

	async function look() {
		timer = 0;
		try {
			const state = await server.ask("state", { order: order.name() });
			if (waiting.some((name) => !state.waiting.includes(name)))
				view.refresh();
			else
				wait();
		} catch (e) {
			view.say(e.message);
		}
	}

	function wait() {
		if (waiting.length && !timer)
			timer = setTimeout(look, PAUSE);
	}

	/* The share of the events that the search reads; those of a longer one count as often as it reads them. */
	function percent(all, missing) {
		const sum = (list) => list.reduce((n, i) => n + (layers.entry("intervals", i.name) || { events: 0 }).events, 0);
		return sum(all) ? Math.floor(100 * (1 - sum(missing) / sum(all))) : 0;
	}

	function text(all, missing) {
		return "matching " + (all.length - missing.length + 1) + " of " + all.length + ", " + percent(all, missing) + " %";
	}

	view.on("picture", (picture) => {
		const all = picture.intervals.filter((i) => i.waiting || !i.absent), missing = all.filter((i) => i.waiting);
		waiting = missing.map((i) => i.name).concat(picture.pendingStacks ? ["functions"] : []);
		place.textContent = missing.length ? text(all, missing) : picture.pendingStacks ? "reading samples" : "";
		place.title = missing.map((i) => i.label).join(", ");
		wait();
	});

	return { text, idle: () => waiting.length === 0 };
})();
