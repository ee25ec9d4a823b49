/*
 * The view in the address: behind the # stands what differs from the view that the trace opens with,
 * such as "from=120ms&to=150ms&theme=dark". Parts of the page add what they keep there. A change that
 * has settled is a step of the browser's history, so Back undoes it.
 */
/* uses: labels, view, keys */
const address = (() => {
	/* The end of a gesture: nothing has changed for so long, and no button of the mouse is down. */
	const PAUSE = 300;
	/* The upper pane of a predicted run shares the history of the page that it is in. */
	const framed = window.parent !== window;
	const parts = [], defaults = new Map(), place = labels.make("span", "wrong");
	let known = null, timer = 0, turn = 0, applying = 0, pressed = false, grown = false;

	/*
	 * Adds a part of the view:
	 * - get(): gives its text: a line is a value, and "" is none
	 * - set(text): shows that; throws an Error that says why the text is wrong
	 * - first: it is set before all others; late: it is set when there is a picture
	 */
	function add(name, get, set, { first = false, late = false } = {}) {
		parts[first ? "unshift" : "push"]({ name, get, set, late });
	}

	/* ---- texts ---- */

	/* Signs that addresses may have stay readable, unless they could be misread. */
	function escape(text) {
		return encodeURIComponent(text)
			.replace(/%(2B|2C|3A|2F|40|3D|3B|24|5B|5D)/g, (code) => decodeURIComponent(code));
	}

	function text() {
		const lines = ([name, value]) => value.split("\n").map((line) => name + "=" + escape(line));
		return parts.map(({ name, get }) => [name, get()])
			.filter(([name, value]) => value !== defaults.get(name)).flatMap(lines).join("&");
	}

	/* Gives the values by name, and what is wrong with the text. */
	function read(hash) {
		const values = new Map(), wrong = [];
		for (const piece of hash.replace(/^#/, "").split("&").filter(Boolean)) {
			const [, name, value] = /^([^=]*)=?(.*)$/s.exec(piece);
			try {
				const line = decodeURIComponent(value), before = values.get(name);
				if (!parts.some((p) => p.name === name) || !piece.includes("="))
					wrong.push("'" + labels.shorten(piece) + "' is unknown");
				else
					values.set(name, before === undefined ? line : before + "\n" + line);
			} catch (e) {
				wrong.push("'" + labels.shorten(piece) + "' is damaged");
			}
		}
		return [values, wrong];
	}

	const SIZES = { s: 1e9, ms: 1e6, us: 1e3, ns: 1 };

	/* All digits, without a space: "120.5ms". Columns of the logical order have no unit. */
	function time(ns) {
		if (document.body.classList.contains("logical"))
			return String(ns);
		const unit = Object.keys(SIZES).find((u) => ns >= SIZES[u]) || "ns";
		if (ns === 0)
			return "0";
		const rest = String(ns % SIZES[unit]).padStart(Math.log10(SIZES[unit]), "0").replace(/0+$/, "");
		return Math.floor(ns / SIZES[unit]) + (rest ? "." + rest : "") + unit;
	}

	/* Throws an Error if the text is no time. */
	function readTime(text) {
		const [, number, unit] = /^(\d{1,15}(?:\.\d{1,9})?)(ns|us|ms|s|)$/.exec(text) || [];
		const columns = document.body.classList.contains("logical");
		if (!number || (!unit && !columns && Number(number) !== 0))
			throw new Error("'" + labels.shorten(text) + "' is not a time; write 1.5ms, 20us or 3s");
		return Math.round(Number(number) * SIZES[unit || "ns"]);
	}

	/* One of some words; throws an Error if it is another one, which lists them or says where they are. */
	function oneOf(text, words, where) {
		if (!words.includes(text))
			throw new Error("'" + labels.shorten(text) + "' is unknown" +
				(where ? " " + where : "; write " + words.join(" or ")));
		return text;
	}

	/* ---- showing a text ---- */

	function say(wrong) {
		place.textContent = wrong.length ? "ignored in the address: " + wrong.join("; ") : "";
	}

	/* A part that the text does not have is as at first. */
	async function set(part, values, wrong) {
		const given = values.has(part.name), value = given ? values.get(part.name) : defaults.get(part.name);
		if (value === part.get())
			return;
		try {
			await part.set(value);
		} catch (e) {
			if (given)
				wrong.push(part.name + ": " + e.message);
		}
	}

	/* An answer may take long: a newer text takes the place of one that is still being shown. */
	async function setAll(some, values, wrong, mine) {
		for (const part of some)
			if (mine === turn)
				await set(part, values, wrong);
	}

	/* Of a new page, other parts are as at first, or somebody has already changed them. */
	const named = (some, values) => some.filter((p) => values.has(p.name));

	/* before: of a new page, done first, without a picture of it. */
	async function show(hash, before) {
		const mine = ++turn;
		let values = null, wrong = null, some = parts;
		applying++;
		try {
			await view.together(async () => {
				if (before)
					await before();
				[values, wrong] = read(hash);
				some = before ? named(parts, values) : parts;
				await setAll(some.filter((p) => !p.late), values, wrong, mine);
			});
			await view.settled();
			if (view.state.picture)
				await setAll(some.filter((p) => p.late), values, wrong, mine);
		} finally {
			applying--;
		}
		if (mine !== turn)
			return;
		known = text();
		say(wrong);
		write("replaceState", step());
	}

	/* ---- the browser's history ---- */

	const step = () => (history.state && history.state.step) || 0;

	/* A browser may refuse: then the view is not in its address. */
	function write(how, state) {
		try {
			history[how]({ step: state }, "",
				location.pathname + location.search + (known ? "#" + known : ""));
		} catch (e) {
			/* as of a page that may not change its own */
		}
	}

	const withoutWindow = (text) => text.replace(/\b(from|to)=[^&]*&?/g, "");

	/* Of a program that runs, the end of the window moves: that is nobody's step. */
	function settle() {
		timer = 0;
		if (pressed || applying || !view.idle()) {
			timer = setTimeout(settle, PAUSE);
			return;
		}
		const now = text(), own = !grown || withoutWindow(now) !== withoutWindow(known);
		grown = false;
		if (now === known)
			return;
		known = now;
		say([]);
		write(own ? "pushState" : "replaceState", own ? step() + 1 : step());
	}

	/* Something may have changed. */
	function note() {
		if (known === null || applying || framed || text() === known)
			return;
		clearTimeout(timer);
		timer = setTimeout(settle, PAUSE);
	}

	/* Not beyond the page's own steps. */
	function undo() {
		if (step() > 0)
			history.back();
	}

	function press(event) {
		const key = event.key.toLowerCase();
		if (!(event.ctrlKey || event.metaKey) || event.altKey ||
		    event.target.matches("textarea, input[type=text], select"))
			return;
		if (key === "z" && !event.shiftKey)
			undo();
		else if (key === "y" || key === "z")
			history.forward();
		else
			return;
		event.preventDefault();
	}

	/* The view that the trace opens with. */
	function takeDefaults() {
		for (const { name, get } of parts)
			defaults.set(name, get());
		known = "";
	}

	function listen() {
		window.addEventListener("popstate", () => {
			clearTimeout(timer);
			timer = 0;
			show(location.hash).catch((e) => view.say(e.message));
		});
		document.addEventListener("keydown", press);
		for (const kind of ["pointerdown", "pointermove", "pointerup", "pointercancel"])
			window.addEventListener(kind, (event) => { pressed = event.buttons !== 0; }, true);
		view.on("paint", note);
		view.on("panel", note);
		view.on("grow", () => { grown = true; });
	}

	/*
	 * Shows the view of the address. open: shows the one that the trace opens with; first: what to show
	 * where the address of a new page has no view.
	 */
	async function start(open, first) {
		document.querySelector("footer").append(place);
		const hash = framed ? "" : location.hash || (history.state ? "" : first || "");
		await show(hash, async () => {
			await open();
			takeDefaults();
		});
		if (!framed)
			listen();
	}

	/* ---- what the view itself keeps ---- */

	const end = () => Math.max(view.state.duration, 1000);
	/* Types and threads that were off when the trace opened, and types that are known. */
	const offAtFirst = { events: new Set(), intervals: new Set(), threads: new Set() };
	const seen = { events: new Set(), intervals: new Set() };

	function takeNames() {
		for (const [what, names] of Object.entries(seen))
			for (const name of view.state.names[what].filter((n) => !names.has(n))) {
				names.add(name);
				if (view.state.off[what].has(name))
					offAtFirst[what].add(name);
			}
		if (known === null)
			offAtFirst.threads = new Set(view.state.off.threads);
	}

	/* Types and threads that were switched off, with a minus, and on: "-Lock,Send"; "-3-7,9". */
	function switched(what) {
		const there = (n) => what === "threads" || view.state.names[what].includes(n);
		const only = (a, b) => [...a].filter((n) => !b.has(n) && there(n)).sort();
		const list = (some) => what === "threads" ? view.ranges(some).split(",").filter(Boolean) : some;
		return [...list(only(view.state.off[what], offAtFirst[what])).map((n) => "-" + n),
			...list(only(offAtFirst[what], view.state.off[what]))].join(",");
	}

	function threadsOf(range) {
		const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range) || [];
		const found = view.state.threads.map((t) => t.number)
			.filter((n) => Number(first) <= n && n <= Number(last));
		if (!found.length)
			throw new Error("'" + labels.shorten(range) + "' is not a thread's number");
		return found;
	}

	function switchTo(what, text) {
		const off = new Set(offAtFirst[what]);
		for (const word of text.split(",").filter(Boolean)) {
			const name = word.replace(/^-/, ""), is_off = name !== word;
			const names = what === "threads" ? threadsOf(name) :
				[oneOf(name, view.state.names[what], "in this trace")];
			names.forEach((n) => is_off ? off.add(n) : off.delete(n));
		}
		view.state.off[what] = off;
		view.tell("switched");
		view.refresh();
	}

	function setFrom(text) {
		const from = readTime(text);
		if (from >= end())
			throw new Error("'" + text + "' is after the end of the trace");
		view.setWindow(from, Math.max(view.state.to, from + 10));
	}

	function setTo(text) {
		const to = text === "end" ? end() : readTime(text);
		if (to <= view.state.from)
			throw new Error("'" + text + "' is not after the beginning of the window");
		view.setWindow(view.state.from, to);
	}

	add("from", () => time(view.state.from), setFrom);
	add("to", () => view.state.to >= end() ? "end" : time(view.state.to), setTo);
	for (const what of ["events", "intervals", "threads"])
		add(what, () => switched(what), (text) => switchTo(what, text));
	add("theme", () => view.state.theme, (text) => view.setTheme(oneOf(text, ["light", "dark"])));
	view.on("names", takeNames);

	keys.add("Window", [
		["", "ctrl + z", "undo the last change of the view, as Back in the browser"],
		["", "ctrl + y", "do it again, as Forward in the browser"],
	]);

	return { add, start, oneOf, time, readTime, text, idle: () => known !== null && !applying && !timer };
})();
