/* While intervals are still being looked for: says which, and draws again when one is found. */
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

	view.onPicture((picture) => {
		const entries = picture.intervals.filter((i) => i.waiting);
		if (picture.pendingStacks)
			entries.push({ name: "functions", label: "functions of samples" });
		waiting = entries.map((i) => i.name);
		place.textContent = entries.length ? "matching " + entries.map((i) => i.label).join(", ") : "";
		wait();
	});

	return { idle: () => waiting.length === 0 };
})();
