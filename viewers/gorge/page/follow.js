/*
 * A program that still runs: when there is more, the view goes on with it where it showed the end,
 * and else says that there is more. Asking now and then also tells the server that the page is open.
 */
/* uses: server, labels, view */
const follow = (() => {
	const { make } = labels;
	const place = make("button", "live");
	const states = { running: "running", ended: "the program has ended", died: "the program has died" };
	/* Nanoseconds that intervals may be behind before that is said. */
	const LATE = 2e9;
	let known = null, renew = null, redefine = null;

	/* Where the view ends, or all of it: there it stays. */
	function move(before, after) {
		const s = view.state, length = s.to - s.from;
		if (s.from <= 0 && s.to >= before)
			view.setWindow(0, Math.max(after, 1000));
		else if (s.to >= before)
			view.setWindow(s.to + after - before - length, s.to + after - before);
		else
			view.refresh();
	}

	function say() {
		const s = view.state, more = s.duration - s.to;
		place.hidden = known.run === "past";
		place.dataset.run = known.run;
		const behind = known.until === undefined ? 0 : known.duration - known.until;
		place.textContent = states[known.run] + ", " + labels.plural(known.count, "event") +
			(behind > LATE ? ", intervals " + labels.duration(behind) + " behind" : "") +
			(more > 0 ? "; " + labels.duration(more) + " more" : "");
	}

	async function grow() {
		const before = view.state.duration;
		renew(await server.ask("start"));
		move(before, view.state.duration);
	}

	/* Also asked for when a picture fails: what it asked for may not be defined any more. */
	async function look() {
		const now = await server.ask("pulse"), is_new = known && now.revision !== known.revision;
		/* at the end of the program the same events may have other times */
		const grown = is_new && (now.count !== known.count || now.duration !== known.duration);
		if (now.redefined !== view.state.redefined)
			redefine(await server.ask("start"));
		if (grown)
			await grow();
		else if (is_new)
			view.refresh();
		known = now;
		say();
	}

	/* Not too often for a page that nobody looks at: a browser may call less often then. */
	async function pulse() {
		try {
			await look();
			setTimeout(pulse, known.run === "running" ? 500 : 5000);
		} catch (e) {
			view.say(e.message);
		}
	}

	function toEnd() {
		const s = view.state, length = s.to - s.from;
		view.setWindow(s.duration - length, s.duration);
	}

	function check() {
		if (known)
			look().catch((e) => view.say(e.message));
	}

	/*
	 * Both are called with what there is: whenever that is more than before, and when another page
	 * changed the definitions.
	 */
	function start(then, changed) {
		renew = then;
		redefine = changed;
		if (server.alone)
			return;
		place.title = "go to the end";
		place.addEventListener("click", toEnd);
		document.querySelector("footer").append(place);
		/* a page that holds a lock is not put to sleep */
		if (navigator.locks)
			navigator.locks.request("gorge" + location.pathname, { mode: "shared" }, () => new Promise(() => {}));
		view.on("picture", () => known && say());
		pulse();
	}

	return { start, check };
})();
