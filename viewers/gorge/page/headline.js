/*
 * The headline: what limits the run, and how busy the processors are. It is asked for when there is a
 * picture, which it never holds up. Its parts lead to what they name.
 */
/* uses: server, labels, view, panel, spotlight, objects, lanes, finder, flame, why, whatif */
const headline = (() => {
	const { make } = labels;
	const place = document.getElementById("headline"), text = place.querySelector("div");
	const PAUSE = 300;
	/* turn: of the questions; an answer to an earlier one is not shown. */
	let asked = false, told = true, turn = 0, timer = 0, chosen = null;

	/* ---- where a part leads ---- */

	/* The thread that a part names, or those of a group: "worker *". */
	function threadsOf(part) {
		if (part.number !== undefined)
			return [part.number];
		const [begin, end] = part.name.split("*");
		return view.state.threads.filter((t) => t.label.startsWith(begin) && t.label.endsWith(end || ""))
			.map((t) => t.number);
	}

	async function toObject(part) {
		const threads = await why.threadsAt(part.name);
		await objects.goTo(part.name);
		spotlight.show(place, (lane) => lane.kind !== undefined ? lane.name === part.name :
			spotlight.hasThread(lane, threads));
	}

	function toThread(part) {
		const threads = threadsOf(part);
		if (!threads.length) {
			finder.put(part.name);
			return;
		}
		threads.forEach((n) => view.state.off.threads.delete(n));
		lanes.goTo(threads[0]);
		spotlight.show(place, (lane) => spotlight.hasThread(lane, threads));
	}

	/* Its path in the flame graph, where samples or calls have it; else what search finds. */
	async function toFunction(part) {
		/* "account(int) (stages.cc:54)", "account+0x12": without the place in it */
		const name = part.name.replace(/ \([^()]*:\d+\)$/, "").replace(/\+0x[0-9a-f]+$/, "");
		const { things = [] } = await server.ask("find", { question: name, place: "headline" }).catch(() => ({}));
		const found = things.find((t) => t.kind === "function" && t.number !== undefined);
		if (found)
			flame.show(found.number);
		else
			await finder.put(name);
	}

	function toProcessors() {
		document.getElementById("scroll").scrollTop = 0;
		spotlight.show(place, (lane) => lane.processors);
	}

	const follow = { object: toObject, thread: toThread, function: toFunction, place: toFunction, processors: toProcessors,
			 "what-if": (part) => whatif.can() ? whatif.proposePart(part) : panel.show("why") };
	const hints = { object: "show the lane of this lock and its threads", thread: "show the lane of this thread",
			function: "show where this function runs", place: "show where this function runs",
			processors: "show the processors", "what-if": "show the predicted run beside this one" };

	/* A second click shows all lanes as before. */
	async function choose(part) {
		const again = chosen === part && spotlight.owner() === place;
		clear();
		if (again)
			return;
		chosen = part;
		if (part.from !== undefined && (part.to < view.state.from || part.from > view.state.to))
			view.show(part.from, part.to, true);
		try {
			await follow[part.kind](part);
		} catch (e) {
			if (e.message)
				view.say(e.message);
		}
	}

	/* Returns whether there was anything to let go of. */
	function clear() {
		if (chosen && chosen.kind === "object")
			objects.show(null);
		chosen = null;
		return spotlight.clear(place);
	}

	/* ---- what it says ---- */

	function partOf(part) {
		if (!follow[part.kind])
			return part.text;
		const link = make("a", "link", part.text);
		link.href = "#";
		link.dataset.kind = part.kind;
		link.title = hints[part.kind] +
			(part.option ? ": glimpse whatif --" + part.option + " '" + part.name + "'" : "");
		link.addEventListener("click", (event) => {
			event.preventDefault();
			choose(part);
		});
		return link;
	}

	function lineOf(line) {
		const element = make("p", "", ...line.parts.map(partOf));
		element.title = line.text;
		return element;
	}

	function say(answer) {
		const lines = answer.lines || [];
		place.hidden = answer.ready ? !lines.length : answer.live;
		place.classList.toggle("searching", !answer.ready);
		text.replaceChildren(...(answer.ready ? lines.map(lineOf) :
			[make("p", "", "searching for what limits the run" + (answer.progress === undefined ? "" : ", " + answer.progress + " %"))]));
		/* the program runs, and this is of what it has logged */
		if (answer.ready && answer.live && lines.length)
			text.firstChild.prepend("So far: ");
	}

	/* ---- when ---- */

	async function look(mine) {
		let answer = { ready: true };
		try {
			answer = await server.ask("headline");
		} catch (e) {
			/* a trace without a headline has no box */
		}
		if (mine !== turn)
			return;
		say(answer);
		told = answer.ready || answer.live;
		/* that of a program that runs is asked for again and again */
		if (!answer.ready || answer.live)
			timer = setTimeout(() => look(mine), PAUSE);
	}

	function refresh() {
		if (asked || document.body.classList.contains("logical"))
			return;
		asked = true;
		clearTimeout(timer);
		look(turn);
	}

	/* The trace has grown, or is seen by other definitions. */
	function forget() {
		clearTimeout(timer);
		turn++;
		asked = false;
		timer = setTimeout(refresh, PAUSE);
		clear();
	}

	/* Where threads have states there will be one: it has its room before the first picture. */
	function start(what) {
		told = false;
		if (!what.followed && what.intervals.some((i) => i.layer === "states" && !i.absent))
			say({ ready: false });
		place.querySelector(":scope > button").addEventListener("click", () => panel.toggle("why"));
		view.on("picture", refresh);
	}

	view.on("start", start);
	view.on("forget", forget);
	view.on("clear", clear);

	return { idle: () => told };
})();
