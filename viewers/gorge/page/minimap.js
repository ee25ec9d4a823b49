/* The whole trace above the view, with the window marked in it; click or drag moves the window. */
/* uses: server, canvas, view */
const minimap = (() => {
	const element = document.getElementById("minimap");
	const TOP = 6, BOTTOM = 6, whole = canvas.keep();
	let picture = null, asked = "";

	/* The same scene, of the whole trace, for a strip. */
	async function refresh() {
		const q = view.query();
		q.from = 0;
		q.to = Math.max(view.state.duration, 1000);
		q.room = 0;
		q.pick = q.viewport = undefined;
		/* symbols would be squeezed: they are left to strips without intervals */
		if (q.intervals !== "none")
			q.events = "none";
		/* what has been found in the meantime is shown, too */
		const waiting = view.state.picture.intervals.filter((i) => i.waiting).map((i) => i.name);
		const key = JSON.stringify([q, waiting]);
		if (key === asked)
			return;
		asked = key;
		try {
			const answer = await server.ask("overview", q);
			/* one that took longer than the next one is too late */
			if (key !== asked)
				return;
			picture = answer;
			view.paintSoon();
		} catch (e) {
			view.say(e.message);
		}
	}

	function x(time) {
		const p = view.state.picture;
		return p.left + time / Math.max(view.state.duration, 1000) * p.columns;
	}

	function paintWindow(c) {
		const from = x(view.state.from), to = Math.max(x(view.state.to), from + 3);
		const style = getComputedStyle(document.documentElement);
		/* the rest is veiled */
		c.context.fillStyle = style.getPropertyValue("--veil");
		c.context.fillRect(0, 0, from, c.height);
		c.context.fillRect(to, 0, c.width - to, c.height);
		c.context.fillStyle = style.getPropertyValue("--accent");
		c.context.fillRect(from - 1, 0, 1.5, c.height);
		c.context.fillRect(to, 0, 1.5, c.height);
	}

	function paintWhole(context, height) {
		context.translate(view.state.picture.left, TOP);
		context.scale(view.state.picture.columns / picture.columns,
			(height - TOP - BOTTOM) / Math.max(picture.height, 1));
		context.translate(-picture.left, 0);
		/* no texts: they would be squeezed */
		canvas.paint(context, picture.plot.filter((item) => item.length < 8));
	}

	function paint() {
		const c = canvas.fit(element), p = view.state.picture;
		if (picture) {
			whole.fill(c.width, c.height, [picture, p.left, p.columns],
				(context) => paintWhole(context, c.height));
			whole.show(c.context);
		}
		paintWindow(c);
	}

	function moveTo(event) {
		const p = view.state.picture, s = view.state;
		const share = (event.clientX - element.getBoundingClientRect().left - p.left) / p.columns;
		const middle = share * Math.max(s.duration, 1000), half = (s.to - s.from) / 2;
		view.setWindow(middle - half, middle + half);
	}

	element.addEventListener("pointerdown", (event) => {
		element.setPointerCapture(event.pointerId);
		moveTo(event);
	});
	element.addEventListener("pointermove", (event) => {
		if (event.buttons & 1)
			moveTo(event);
	});

	/* The next picture is asked for anew. */
	function forget() {
		asked = "";
	}

	view.on("forget", forget);

	return { refresh, paint, forget, picture: () => picture };
})();
