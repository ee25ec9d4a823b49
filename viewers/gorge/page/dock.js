/*
 * The panels below the lanes, side by side: they share one height, which a handle changes and which
 * lasts as long as the tab. The lanes keep half of the window, unless the handle is used.
 */
/* uses: labels, view, requests, keys, address */
const dock = (() => {
	const place = document.getElementById("dock"), handle = place.querySelector(".handle");
	const KEY = "gorge.dock", LEAST = 60, STEP = 24, RAISED = 0.55;
	const narrow = matchMedia("(max-width: 700px)");
	const views = new Map();
	let drag = null;

	/* A document from a file may have no such storage. */
	function remembered() {
		try {
			return Number(sessionStorage.getItem(KEY)) || 0;
		} catch (e) {
			return 0;
		}
	}

	function remember(height) {
		try {
			sessionStorage.setItem(KEY, height);
		} catch (e) {
			/* then it lasts as long as the page */
		}
	}

	function say() {
		handle.setAttribute("aria-valuenow", Math.round(place.offsetHeight));
	}

	/* The style sheet keeps a part of the window for the lanes; what is around them gives way first. */
	function basis(height) {
		document.body.classList.add("sized");
		document.body.classList.toggle("raised", height > RAISED * innerHeight);
		place.style.flexBasis = Math.max(LEAST, Math.round(height)) + "px";
	}

	function resize(height) {
		basis(height);
		const now = Math.round(place.offsetHeight);
		basis(now);
		remember(now);
		say();
	}

	function press(event) {
		const by = { ArrowUp: STEP, ArrowDown: -STEP, PageUp: 4 * STEP, PageDown: -4 * STEP, Home: 1e5, End: -1e5 }[event.key];
		if (by === undefined)
			return;
		event.preventDefault();
		event.stopPropagation();
		resize(place.offsetHeight + by);
	}

	handle.addEventListener("keydown", press);
	handle.addEventListener("pointerdown", (event) => {
		handle.setPointerCapture(event.pointerId);
		drag = { y: event.clientY, height: place.offsetHeight };
	});
	handle.addEventListener("pointermove", (event) => {
		if (drag)
			resize(drag.height + drag.y - event.clientY);
	});
	for (const end of ["pointerup", "pointercancel"])
		handle.addEventListener(end, () => { drag = null; });

	/*
	 * Adds a view, and gives its element. toggle: shows or hides it, which a button of class close in it does, too.
	 * The rest is as in panel.add().
	 */
	function add(v) {
		const section = labels.parse(`<section id="${v.name}" hidden>${v.html}</section>`);
		place.append(section);
		views.set(v.name, { section, toggle: v.toggle });
		section.querySelector(".close")?.addEventListener("click", v.toggle);
		requests.add(v.asks);
		keys.offer(v, v.toggle);
		return section;
	}

	/*
	 * Shows a panel, or hides it; returns whether it is shown. The view has less room, or more. In a
	 * narrow window one takes the place of another.
	 */
	function toggle(section) {
		section.hidden = !section.hidden;
		if (!section.hidden && narrow.matches)
			for (const other of place.querySelectorAll(":scope > section"))
				other.hidden = other !== section;
		place.hidden = [...place.children].every((e) => e === handle || e.hidden);
		document.body.classList.toggle("docked", !place.hidden);
		say();
		view.refresh();
		return !section.hidden;
	}

	function shown() {
		return [...views].filter(([, v]) => !v.section.hidden).map(([name]) => name).join(",");
	}

	/* Shows those of a list, and no other. */
	function restore(list) {
		const names = list.split(",").filter(Boolean);
		names.forEach((name) => address.oneOf(name, [...views.keys()]));
		for (const [name, { section, toggle: change }] of views)
			if (section.hidden === names.includes(name))
				change();
		/* keys are not for a text that nobody went to */
		if (place.contains(document.activeElement))
			document.activeElement.blur();
	}

	address.add("below", shown, restore, { late: true });
	if (remembered())
		basis(remembered());

	return { add, toggle };
})();
