/* Which lanes there are: of threads, and of each kind of object that the trace has. */
/* uses: server, labels, view, requests, address */
const objects = (() => {
	const { make } = labels;
	const place = labels.parse(`<div id="lanes" hidden><h2>Lanes</h2><p></p></div>`);
	/* Of so few threads each may as well have its lane. */
	const FEW = 20;
	let kinds = [], list = "threads", first = list, many = false;

	/* What --lanes takes. Single objects, which only the command line names, stay. */
	function words() {
		return list.split(",").filter((word) => word);
	}

	/* Threads have lanes as they live ("alive"), or one each. */
	function shows(kind) {
		return words().includes(kind) || (kind === "threads" && words().includes("alive")) || (kind !== "threads" && words().includes("objects"));
	}

	/* The list in its order, with a word more or less. */
	function toggle(kind) {
		let now = words().flatMap((word) => word === "objects" ? kinds : [word]);
		const gone = kind === "threads" ? ["threads", "alive"] : [kind];
		now = shows(kind) ? now.filter((word) => !gone.includes(word)) : [...now, kind];
		list = now.join(",") || "threads";
		fill();
		view.refresh();
	}

	function box(kind) {
		const input = make("input");
		input.type = "checkbox";
		input.checked = shows(kind);
		input.dataset.name = kind;
		input.addEventListener("change", () => toggle(kind));
		return make("label", "", input, make("span", "name", kind));
	}

	/* Threads that follow each other share lanes, or no longer. */
	function share() {
		const now = words(), [before, after] = now.includes("alive") ? ["alive", "threads"] : ["threads", "alive"];
		list = now.map((word) => word === before ? after : word).join(",");
		fill();
		view.refresh();
	}

	function shareBox() {
		const input = make("input");
		input.type = "checkbox";
		input.checked = words().includes("alive");
		input.dataset.name = "alive";
		input.addEventListener("change", share);
		const label = make("label", "", input, make("span", "name", "only while alive"));
		label.title = "show only threads alive in the window; threads that do not overlap share a lane";
		return label;
	}

	function fill() {
		place.hidden = kinds.length === 0 && !many;
		const boxes = kinds.length ? ["threads", ...kinds].map(box) : [];
		if (many && shows("threads"))
			boxes.splice(1, 0, shareBox());
		place.querySelector("p").replaceChildren(...boxes);
	}

	/* The lane of one object is shown as well, if it can have one; null: no more. */
	let extra = null;

	async function show(name) {
		const before = extra;
		extra = null;
		if (name && kinds.length && !/[,*?[]/.test(name) && (await server.ask("object", { name })).there)
			extra = name;
		if (extra !== before)
			view.refresh();
	}

	/* Shows the lane of an object, and brings it into sight. */
	async function goTo(name) {
		await show(name);
		await view.settled();
		const lane = view.state.picture.lanes.find((l) => l.kind !== undefined && l.name === name);
		const scroll = document.getElementById("scroll");
		if (lane)
			scroll.scrollTop = Math.min(lane.top, Math.max(0, lane.top + lane.height / 2 - scroll.clientHeight / 2));
		else
			view.say(name + " has no lane in this window");
	}

	/* All kinds of objects, or none. */
	function all() {
		const any = kinds.some(shows);
		const threads = words().includes("alive") ? "alive" : "threads";
		list = any ? threads : [threads, ...kinds].join(",");
		fill();
		view.refresh();
	}

	/* Shows what another page does. foreign: it has another trace, whose objects this one need not have. */
	function take(wanted, foreign) {
		if (wanted === undefined)
			return;
		const has = (word) => !foreign || ["threads", "alive", "objects", ...kinds].includes(word);
		list = wanted.split(",").filter(has).join(",") || "threads";
		extra = foreign ? extra : null;
		fill();
	}

	/* As the address says. */
	function restore(text) {
		const known = ["threads", "alive", "objects", ...kinds, ...first.split(",")];
		text.split(",").forEach((word) => address.oneOf(word, known, "in this trace"));
		take(text);
		view.refresh();
	}

	function start(what) {
		first = what.lanes;
		kinds = what.kinds;
		list = what.lanes;
		many = list.includes("alive") || what.threads.length > FEW;
		fill();
	}

	function renew(what) {
		kinds = what.kinds;
		many = many || what.threads.length > FEW;
		fill();
	}

	function nameOf(lane) {
		return kinds[lane.kind];
	}

	address.add("lanes", () => list, restore);
	view.on("start", start);
	view.on("grow", renew);
	requests.add({ object: "objects" });

	return { place, take, toggle, all, nameOf, show, goTo,
		 list: () => kinds.length || many ? [list, ...(extra ? [extra] : [])].join(",") : undefined };
})();
