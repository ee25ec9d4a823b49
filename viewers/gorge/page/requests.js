/* Requests that take longer than half a second: how far they are, and a button that stops them; so does esc. */
/* uses: server, labels, view */
const requests = (() => {
	const { make } = labels;
	const PATIENCE = 500, PAUSE = 250;
	const place = make("span", "request"), text = make("span"), button = make("button", "", "stop");
	let running = 0, timer = 0;

	/* Those of the program's addresses that may take long: { address: what the page says then }. */
	function add(more) {
		Object.assign(server.slow, more);
	}

	function say(list) {
		const [longest] = list.filter((e) => e.for >= PATIENCE * 1e6).sort((a, b) => b.for - a.for);
		place.hidden = !longest;
		if (longest)
			text.textContent = (server.slow[longest.place] || longest.place) +
				(longest.all ? " " + Math.min(99, Math.floor(100 * longest.done / longest.all)) + " %" : "\u2026");
	}

	async function look() {
		timer = 0;
		try {
			say(running ? await server.busy() : []);
		} catch (e) {
			say([]);
		}
		if (running && !timer)
			timer = setTimeout(look, PAUSE);
	}

	/* Gives the answer. */
	async function during(answer) {
		running++;
		timer = timer || setTimeout(look, PATIENCE);
		try {
			return await answer;
		} finally {
			if (--running === 0)
				say([]);
		}
	}

	/* Returns whether there was anything to stop. */
	function stop() {
		const any = running > 0;
		if (any)
			server.stop().catch((e) => view.say(e.message));
		return any;
	}

	place.hidden = true;
	button.title = "esc";
	button.addEventListener("click", stop);
	place.append(text, " ", button);
	document.querySelector("footer").append(place);

	view.on("clear", stop);

	return { add, during, stop };
})();
