/*
 * Search, by the words that the page shows: "lock where time > 1 ms", a thread, an object, a function,
 * an event, or a part of a name. The hits are listed, Enter goes to the first, n and N step through
 * them; what else has such a name stands above them.
 */
/* uses: server, labels, view, requests, keys, panel, layers, objects, lanes, details, flame */
const finder = (() => {
	const { make } = labels;
	panel.add({
		name: "search", tab: "Search", button: "Search", hint: "search (/)", show: focus,
		asks: { find: "searching", events: "searching", violations: "listing violations" }, html: `
	<div id="finder">
		<input type="text" spellcheck="false" aria-label="search">
		<pre></pre><p></p><ul></ul>
	</div>
	<div id="assertions" hidden><h2>Assertions</h2><ul></ul></div>`,
	});
	const input = document.querySelector("#finder input"), said = document.querySelector("#finder pre");
	const list = document.querySelector("#finder ul"), others = document.querySelector("#finder p");
	/* So many names stand above the hits; those that fit best. */
	const PAUSE = 300, CHIPS = 8;
	let found = null, at = -1, asked = 0;

	/* ---- asking ---- */

	/* Shows that there is something, and goes nowhere. */
	function search() {
		return ask("find", { question: input.value.trim() }, "");
	}

	/* Asks again while the instances are still being found; another question, or esc, ends that. */
	async function whenFound(path, values, mine) {
		for (;;) {
			const answer = await server.ask(path, values);
			if (!answer.waiting || mine !== asked)
				return answer;
			said.textContent = "matching " + answer.waiting + "\u2026";
			await new Promise((done) => setTimeout(done, PAUSE));
		}
	}

	function saidOf(answer, what) {
		const kind = answer.unmatched ? "anchor" : answer.event ? "event" : "instance";
		return labels.plural(answer.count, kind) + (answer.unmatched ? " without a partner" : what ? " " + what : "") +
			(answer.count > answer.hits.length ? "; the first " + labels.count(answer.hits.length) : "");
	}

	/* Without the compiler's numbers and lines, which are those of what the condition was made part of. */
	function complaint(text) {
		return text.replace(/^(search:\d+:\d+|gorge): error: /gm, "").replace(/^ *\d* \|.*\n?/gm, "").trim();
	}

	/* Lists the hits of any question that has some; what: said of them. Returns whether there are any. */
	async function ask(path, values, what) {
		const mine = ++asked;
		list.replaceChildren();
		others.replaceChildren();
		found = null;
		at = -1;
		panel.show("search");
		try {
			const answer = await whenFound(path, values, mine);
			if (mine !== asked)
				return false;
			take(answer, what);
			return found.hits.length > 0;
		} catch (e) {
			if (mine === asked)
				said.textContent = complaint(e.message);
			return false;
		}
	}

	/* Instances or events are the hits, and things stand above them; else the things are the hits. */
	function take(answer, what) {
		const things = answer.things || [], label = what || (answer.interval && "of " + labelOf("intervals", answer.interval)) ||
			(answer.event && "of " + labelOf("events", answer.event)) || "";
		if (answer.hits) {
			found = answer;
			said.textContent = saidOf(answer, label);
			others.replaceChildren(...things.slice(0, CHIPS).map(chip));
		} else {
			found = { hits: things, named: true };
			said.textContent = labels.plural(things.length, "name");
		}
		if (answer.pending)
			said.textContent += "; functions and objects are still being read, so search again to find them";
		list.replaceChildren(...found.hits.map(found.named ? thingRow : row));
	}

	const labelOf = (what, name) => (layers.entry(what, name) || { label: name }).label;

	/* Asks as if it had been typed. */
	function put(question) {
		input.value = question;
		return search();
	}

	/* Lists the events of a type. */
	function events(name) {
		return ask("events", { event: name }, "");
	}

	/* ---- what is listed ---- */

	function clickable(line, i) {
		line.addEventListener("click", () => go(i));
		return line;
	}

	function row([, start, end, thread, object], i) {
		return clickable(make("li", "", make("span", "", labels.time(start, view.state.duration)),
			make("span", "who", thread + (object ? " \u00b7 " + object : "")),
			make("span", "count", found.unmatched || found.event ? "" : labels.duration(end - start))), i);
	}

	function amountOf(t) {
		if (t.kind === "object")
			return labels.duration(t.time) + " waited";
		if (t.kind === "function")
			return labels.duration(t.time);
		return t.count === undefined ? "" : labels.plural(t.count, "event");
	}

	function thingRow(t, i) {
		return clickable(make("li", "", make("span", "kind", t.kind), make("span", "who", t.label),
			make("span", "count", amountOf(t))), i);
	}

	function chip(t) {
		const button = make("button", "", labels.shorten(t.label));
		button.title = [t.kind, t.name === t.label ? "" : t.name, amountOf(t)].filter(Boolean).join(", ");
		button.addEventListener("click", () => goToThing(t));
		return button;
	}

	/* ---- going there ---- */

	const goTo = {
		thread: (t) => {
			view.state.off.threads.delete(t.number);
			lanes.goTo(t.number);
		},
		object: (t) => objects.goTo(t.name),
		interval: (t) => ask("find", { question: t.name }, ""),
		function: (t) => flame.show(t.number),
		event: (t) => events(t.name),
	};

	async function goToThing(t) {
		try {
			await goTo[t.kind](t);
		} catch (e) {
			view.say(e.message);
		}
	}

	function choose(i) {
		at = i;
		list.querySelectorAll(".chosen").forEach((e) => e.classList.remove("chosen"));
		list.children[i].classList.add("chosen");
		list.children[i].scrollIntoView({ block: "nearest" });
	}

	/* The list stays open beside what a hit leads to. */
	async function go(i) {
		choose(i);
		if (found.named) {
			await goToThing(found.hits[i]);
			return;
		}
		const [index, start, end] = found.hits[i];
		try {
			const whole = await server.ask("step", { interval: found.interval, event: found.event, index, to: "itself" });
			details.pin(whole, true);
			view.show(start, end);
			details.scrollTo((whole.event || whole.instance.anchor).thread);
		} catch (e) {
			view.say(e.message);
		}
	}

	function step(by) {
		if (found && found.hits.length)
			go((at + by + found.hits.length) % found.hits.length);
	}

	/* ---- the input ---- */

	async function enter() {
		if (await search()) {
			/* n and N step through the hits then */
			input.blur();
			step(1);
		}
	}

	input.addEventListener("keydown", (event) => {
		if (event.key === "Enter")
			enter();
		if (event.key === "Escape") {
			asked++;
			said.textContent = "";
			requests.stop();
			input.blur();
		}
	});

	function focus() {
		panel.show("search");
		input.focus();
		input.select();
	}

	/* Examples are of this trace. */
	function start() {
		const [some] = layers.entries().filter((e) => e.what === "intervals");
		input.placeholder = some ? "search: " + some.label + " where time > 1 ms, or any name" : "search: any name";
	}

	keys.add("Questions", [
		["/", "/", "search for intervals, threads, locks, functions, events", focus],
		["n", "n", "next hit or violation", () => step(1)],
		["N", "N", "previous hit or violation", () => step(-1)],
	]);
	view.on("names", start);

	return { search, put, events, list: ask, step, found: () => found };
})();
