/* How long one interval's instances in the window took: numbers and a histogram. */
const durations = (() => {
	const { make } = words;
	const place = document.getElementById("durations");
	let name = null;

	function numbers(d) {
		const list = make("dl");
		const line = (what, value) => list.append(make("dt", "", what), make("dd", "", value));
		line("count", words.count(d.count));
		for (const what of d.count ? ["total", "mean", "p50", "p99", "longest"] : [])
			line(what, words.duration(d[what]));
		return list;
	}

	function bar([from, to, count], most) {
		const column = make("span"), fill = make("i");
		/* what is there is seen */
		fill.style.height = count ? Math.max(3, 100 * count / most) + "%" : "0";
		column.title = words.count(count) + " from " + words.duration(from) + " to " + words.duration(to);
		column.append(fill);
		return column;
	}

	function histogram(d) {
		const most = Math.max(...d.bins.map((b) => b[2]));
		return [make("div", "bins", ...d.bins.map((b) => bar(b, most))),
			make("p", "scale", make("span", "", words.duration(d.shortest)),
				make("span", "", words.duration(d.longest)))];
	}

	/* Asks for the interval that was chosen, in the window of now. */
	async function refresh() {
		place.hidden = !name;
		if (!name || !view.state.names.intervals.includes(name))
			return;
		try {
			const d = await server.ask("durations", { ...view.state.asked, interval: name });
			place.replaceChildren(make("h2", "", "Durations of " + name + " in this window"),
				numbers(d), ...(d.count ? histogram(d) : []));
		} catch (e) {
			view.say(e.message);
		}
	}

	/* Chooses an interval; the same one again lets go of it. */
	function choose(interval) {
		name = name === interval ? null : interval;
		refresh();
	}

	view.onPicture(refresh);

	return { choose };
})();
