/* Begins: asks what there is, shows all of it, and connects the buttons. */
/* uses: server, view, keys, address, minimap, tracks, order, beside, follow */
(() => {
	function on(id, action) {
		document.getElementById(id).addEventListener("click", action);
	}

	async function save(suffix) {
		try {
			await server.save(suffix, { ...view.state.asked, viewport: undefined, tracks: tracks.list() },
				(view.state.picture.title || "gorge") + "." + suffix);
		} catch (e) {
			view.say(e.message);
		}
	}

	/* Of a narrow window: the other buttons. */
	function menu() {
		const open = document.getElementById("tools").classList.toggle("open");
		document.getElementById("menu").setAttribute("aria-expanded", open);
	}

	/* A press on one of them, or elsewhere, closes it. */
	function closeMenu(event) {
		if (!event.target.closest("#menu") && document.getElementById("tools").classList.contains("open"))
			menu();
	}

	function connect() {
		document.addEventListener("click", closeMenu);
		on("back", () => view.pan(-0.25));
		on("forward", () => view.pan(0.25));
		on("in", () => view.zoom(0.5));
		on("out", () => view.zoom(2));
		on("fit", () => view.fit());
		on("refresh", () => view.refresh());
		on("theme", () => keys.theme());
		on("help", () => keys.help());
		on("menu", menu);
		for (const suffix of ["svg", "png", "pdf"])
			on("save-" + suffix, () => save(suffix));
		window.addEventListener("pagehide", () => server.tell("left"));
		window.addEventListener("pageshow", () => server.tell("present"));
	}

	function entitle({ title, subtitle }) {
		const heads = document.querySelectorAll("h1, #title p");
		[title, subtitle].forEach((text, i) => {
			heads[i].textContent = heads[i].title = text;
		});
		document.title = title + " - gorge";
	}

	/* What the specification or the command line does not show at first is switched off. */
	function switchOff(start) {
		for (const what of ["events", "intervals"])
			for (const entry of start[what])
				if (!entry.shown)
					view.state.off[what].add(entry.name);
		for (const thread of start.threads)
			if (!thread.shown)
				view.state.off.threads.add(thread.number);
	}

	function takeNames(start) {
		view.state.names = { events: start.events.map((e) => e.name),
				     intervals: start.intervals.map((i) => i.name) };
		view.state.redefined = start.redefined;
		view.tell("names", start);
	}

	/* Other definitions hold: what was switched off stays so, and what is new is shown. */
	function redefine(start) {
		view.tell("leave");
		for (const what of ["events", "intervals"]) {
			const before = new Set(view.state.names[what]);
			for (const entry of start[what])
				if (!before.has(entry.name) && !entry.shown)
					view.state.off[what].add(entry.name);
		}
		takeNames(start);
		view.tell("forget");
		view.refresh();
	}

	/* The same run, of which there is more. */
	function renew(start) {
		view.tell("leave");
		view.state.duration = start.duration;
		view.state.count = start.count;
		view.state.threads = start.threads;
		view.tell("grow", start);
		view.tell("forget");
	}

	function setTheme(theme) {
		view.state.theme = theme === "dark" || matchMedia("(prefers-color-scheme: dark)").matches ?
			"dark" : "light";
		document.documentElement.dataset.theme = view.state.theme;
	}

	/* Shows what the command line, or else the trace, opens with. */
	async function open({ from, to, order: columns }) {
		if (from !== undefined || to !== undefined)
			view.setWindow(from || 0, to === undefined ? view.state.duration : to);
		else
			view.fit();
		if (columns === "logical")
			await order.toggle();
	}

	async function begin() {
		connect();
		const start = await server.ask("start");
		const s = view.state;
		s.duration = start.duration;
		s.count = start.count;
		s.threads = start.threads;
		switchOff(start);
		takeNames(start);
		view.tell("start", start);
		view.on("definitions", redefine);
		follow.start(renew, redefine);
		view.on("picture", () => minimap.refresh());
		view.on("picture", entitle);
		setTheme(start.theme);
		await address.start(() => open(start), start.open);
	}

	/* The upper pane joins the page that it is in when it knows what there is. */
	begin().then(() => beside.start()).catch((e) => view.say(e.message));
})();
