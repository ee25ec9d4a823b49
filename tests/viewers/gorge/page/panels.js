/*
 * The room of gorge's page: header, side panel, layers, panels below, hover text and frames, in a real
 * browser and at several sizes. panels.js GORGE RUN MESSAGES; prints TAP. RUN is tests/viewers/gorge/page/waiter.c,
 * recorded.
 */
"use strict";
const { ok, SETTLED, visit, visitAt, end } = require("../../browsing.js");

const ESCAPE = "\uE00C", UP = "\uE013", DOWN = "\uE015", HOME = "\uE011";
const box = (id) => "document.getElementById('" + id + "').getBoundingClientRect()";
const IN_SIGHT = "const a = document.querySelector('.frames [data-node=\"0\"]').getBoundingClientRect(), r = " + box("flame") +
	"; return a.height > 10 && a.top >= r.top && a.bottom <= r.bottom + 1";
const HALF = "return document.getElementById('scroll').clientHeight >= Math.floor(innerHeight / 2)";

/* While many intervals with long names are matched; how many of the buttons are outside of the window, and the header's height. */
const MATCHING = `
	const picture = { ...view.state.picture, intervals: [] };
	for (let i = 0; i < 22; i++)
		picture.intervals.push({ name: "An interval with a long name " + i, label: "label " + i, waiting: i > 1, absent: false });
	document.querySelector("h1").textContent = "a long title of a program ".repeat(10);
	document.getElementById("progress").textContent = progress.text(picture.intervals, picture.intervals.filter((i) => i.waiting));
	const seen = [...document.querySelectorAll("header button")].filter((b) => b.offsetWidth > 0).map((b) => b.getBoundingClientRect());
	return { outside: seen.filter((r) => r.left < 0 || r.right > innerWidth).length, buttons: seen.length,
		title: document.querySelector("h1").offsetHeight, text: document.getElementById("progress").textContent,
		wide: document.documentElement.scrollWidth - innerWidth };`;

function header(width) {
	return async (b) => {
		await b.until(SETTLED + " && progress.idle()");
		const { outside, buttons, title, text, wide } = await b.run(MATCHING);
		ok(outside === 0 && wide <= 0 && buttons >= 6, width + ": all " + buttons + " buttons of the header stay in the window");
		ok(title <= 24, width + ": the title has one line");
		ok(/^matching 3 of 22, \d+ %$/.test(text), width + ": one short text says how far matching is: " + text);
		if (width > 700)
			return;
		await b.run("document.getElementById('menu').click()");
		const boxes = await b.run("return [...document.querySelectorAll('#tools button')].filter((e) => e.offsetWidth).map((e) => " +
			"{ const r = e.getBoundingClientRect(); return [r.left >= 0 && r.right <= innerWidth, r.bottom <= innerHeight].every(Boolean); })");
		ok(boxes.length >= 12 && boxes.every(Boolean), width + ": the menu has the others, in the window");
		await b.run("document.getElementById('show-layers').click()");
		await b.until(SETTLED);
		ok(await b.run("return !document.getElementById('tools').classList.contains('open')"), width + ": a press closes it");
		ok(await b.run("return view.state.picture.columns") >= 300, width + ": the side panel leaves the plot its width");
		await b.run("panel.close()");
	};
}

async function side(b) {
	await b.until(SETTLED + " && progress.idle()");
	ok(await b.run("return document.querySelector('aside').hidden"), "the side panel is closed at first");
	for (const [id, tab] of [["show-layers", "layers"], ["show-why", "why"], ["show-search", "search"], ["show-threads", "threads"]]) {
		await b.run("document.getElementById('" + id + "').click()");
		ok(await b.run("return panel.current() === '" + tab + "' && " + box(tab) + ".height > 20 && " + box(tab) + ".right <= innerWidth"),
			tab + " opens its tab");
	}
	await b.run("document.querySelector('aside .close').click()");
	ok(await b.run("return document.querySelector('aside').hidden"), "a button closes it");
	await b.run("return server.ask('step', { interval: 'CondWait', index: 0, to: 'longest' }).then((found) => details.pin(found))");
	ok(await b.run("return panel.current()") === "details", "what is pinned opens it");
	await b.key(ESCAPE);
	ok(await b.run("return panel.current() === null && !view.state.pinned"), "escape lets go, and closes it");
	await b.key("v");
	ok(await b.run("return panel.current()") === "layers", "v opens the layers");
	await b.key(ESCAPE);
	ok(await b.run("return panel.current()") === null, "escape closes it where nothing is pinned");
	await b.until(SETTLED);
}

const LAYERS = "return [...document.querySelectorAll('.layer')].map((e) => e.dataset.layer).join()";
const DRAWN = "return view.state.picture.intervals.filter((i) => !i.absent).map((i) => i.name).join()";

async function layers(b) {
	await b.key("v");
	await b.until(SETTLED);
	ok(/states,waits,locks,wake-ups,events$/.test(await b.run(LAYERS)), "the layers: " + await b.run(LAYERS));
	const before = await b.run(DRAWN);
	await b.run("document.querySelector('input[data-layer=waits]').click()");
	await b.until(SETTLED);
	const without = await b.run(DRAWN);
	ok(/CondWait/.test(before) && !/CondWait|LockWait/.test(without) && /Running/.test(without), "a layer is switched off, with its types");
	await b.run("document.querySelector('input[data-layer=waits]').click()");
	await b.until(SETTLED);
	ok(await b.run(DRAWN) === before, "and on again");
	await b.run("document.querySelector('#layers input[data-name=CondWait]').click()");
	await b.until(SETTLED);
	ok(await b.run("return document.querySelector('input[data-layer=waits]').indeterminate"), "a type below it is a switch, too");
	await b.run("[...document.querySelectorAll('#layers .switches button')][1].click()");
	await b.until(SETTLED);
	ok(await b.run("return [...view.state.picture.intervals, ...view.state.picture.events].filter((e) => !e.absent).length") === 0, "none draws nothing");
	await b.run("[...document.querySelectorAll('#layers .switches button')][0].click()");
	await b.until(SETTLED + " && progress.idle()");
	ok(await b.run("return layers.entries().every((e) => e.events > 0)"), "types that the trace lacks are not listed");
	ok(await b.run("return !/\\d{3}/.test(document.querySelector('#layers > div').textContent) && !document.querySelector('aside table')"),
		"there is no table of counts");
	await b.key(ESCAPE);
	await b.until(SETTLED);
}

async function counts(b) {
	await b.key("i");
	await b.until("document.querySelector('#statistics .events td')");
	const shown = await b.run("return [...document.querySelectorAll('#statistics .events tr[data-name]')].map((r) => " +
		"[r.dataset.name, r.cells[1].textContent.replace(/,/g, '')].join())");
	const wanted = await b.run("return layers.entries().filter((e) => e.what === 'events').map((e) => [e.name, e.events].join())");
	ok(shown.length > 3 && shown.sort().join(";") === wanted.sort().join(";"), "the statistics count the events of the window");
	await b.run("view.setWindow(0, view.state.duration / 2)");
	await b.until(SETTLED + " && statistics.current()");
	const [half, all] = await b.run("const n = (l) => l.reduce((a, x) => a + x, 0); return [n([...document.querySelectorAll(" +
		"'#statistics .events tr[data-name]')].map((r) => +r.cells[1].textContent.replace(/,/g, ''))), " +
		"n(layers.entries().filter((e) => e.what === 'events').map((e) => e.events))]");
	ok(half > 0 && half < all, "and follow it: " + half + " of " + all);
	await b.run("document.querySelector('#statistics .close').click(); view.fit()");
	await b.until(SETTLED);
	ok(await b.run("return document.getElementById('dock').hidden"), "a button closes them");
}

async function below(b) {
	await b.run("statistics.toggle(); flame.toggle()");
	await b.until(SETTLED);
	const [a, c] = await b.run("return [" + box("statistics") + ", " + box("flame") + "].map((r) => [r.top, r.bottom, r.height])");
	ok(a[0] === c[0] && a[2] > 50 && a[1] <= await b.run("return innerHeight"), "statistics and flame graph share their room");
	ok(await b.run(HALF), "the lanes have half of the window");
	ok(await b.run("const n = document.querySelector('.numbers'); return n.scrollWidth <= n.clientWidth && " +
		"n.getBoundingClientRect().right <= " + box("flame") + ".left"), "no column of the table is cut");
	await b.until("flame.state().graph && flame.current()");
	ok(await b.run(IN_SIGHT), "the flame graph opens with its root in sight");
	const height = () => b.run("return document.getElementById('dock').offsetHeight");
	const least = await height(), [x, y] = await b.run("const r = document.querySelector('.handle').getBoundingClientRect(); " +
		"return [r.left + r.width / 3, r.top + 3]");
	await b.drag(x, y, x, y + 40);
	await b.until(SETTLED);
	ok(Math.abs(await height() - Math.max(60, least - 40)) <= 2, "the handle is dragged");
	await b.run("document.querySelector('.handle').focus()");
	const lower = await height();
	await b.key(UP);
	ok(await height() > lower, "arrow keys move it");
	await b.key(DOWN);
	ok(await height() === lower, "and back");
	await b.key(HOME);
	await b.until(SETTLED);
	const share = await b.run("return document.getElementById('dock').offsetHeight / innerHeight");
	ok(share > 0.79 && share < 0.81 && await height() > lower && await b.run("return document.getElementById('scroll').clientHeight") > 0,
		"it can have 80 % of the page: " + share);
	ok(await b.run(IN_SIGHT), "the root of the flame graph is in sight then, too");
	ok(+await b.run("return document.querySelector('.handle').getAttribute('aria-valuenow')") === await height(), "it says its height");
	const kept = await height();
	await b.run("editor.toggle()");
	await b.until(SETTLED);
	ok(await b.run("return " + box("editor") + ".height > 50 && " + box("flame") + ".width > 150"), "three of them share their room");
	await b.run("editor.toggle(); document.querySelector('#flame .close').click(); document.querySelector('#statistics .close').click()");
	await b.until(SETTLED);
	await b.reload();
	await b.until(SETTLED);
	await b.run("flame.toggle()");
	await b.until(SETTLED);
	ok(Math.abs(await height() - kept) <= 2, "the height is remembered when the page is loaded again");
	await b.run("flame.toggle()");
	await b.until(SETTLED);
}

/* Text of an event with a long attribute, at the right lower corner of the plot. */
async function hover(b) {
	const at = await b.run(`
		const e = document.getElementById("hover"), text = "std::vector<std::pair<int,std::string>>::".repeat(40);
		e.hidden = false;
		pointer.show({ x: document.getElementById("plot").clientWidth - 4, y: document.getElementById("plot").clientHeight - 4 },
			{ event: { event: text, label: "main", time: 0, attributes: [["what", text]] } });
		const r = e.getBoundingClientRect(), inside = [...e.children].map((c) => c.getBoundingClientRect());
		return { r: [r.left, r.top, r.right, r.bottom], window: [innerWidth, innerHeight], overflow: e.scrollWidth - e.clientWidth,
			inside: inside.every((c) => c.right <= r.right + 1 && c.bottom <= r.bottom + 1),
			opaque: getComputedStyle(e).backgroundColor };`);
	ok(at.r[0] >= 0 && at.r[1] >= 0 && at.r[2] <= at.window[0] && at.r[3] <= at.window[1], "hover text stays in the window: " + at.r);
	ok(at.overflow <= 0 && at.inside && at.r[2] - at.r[0] <= 342, "and in its box");
	ok(/^rgb\(/.test(at.opaque), "which hides what lies below it");
	await b.run("document.getElementById('hover').hidden = true");
}

/* The frame of what is pinned is as high as its bar. */
async function frames(b) {
	await b.run("return server.ask('step', { interval: 'Write', index: 0, to: 'longest' }).then((found) => details.pin(found))");
	await b.until(SETTLED + " && outline.boxes().length");
	const [[top, bottom]] = await b.run("return outline.boxes()");
	const lane = await b.run("const t = view.state.pinned.instance.anchor.thread; " +
		"return view.state.picture.lanes.find((l) => l.threads.some(([a, b]) => a <= t && t <= b))");
	ok(top >= lane.top && bottom <= lane.top + lane.height && bottom - top < lane.height / 2,
		"the frame of a pinned instance is that of its bar: " + (bottom - top) + " of " + lane.height + " px");
	await b.run("view.zoom(0.5)");
	await b.until(SETTLED + " && outline.boxes().length");
	ok(await b.run("return Math.abs(outline.boxes()[0][0] - arguments[0]) < 2", top), "also when the view is another");
	await b.key("u");
	await b.until("document.getElementById('state').textContent");
	ok(/has a partner/.test(await b.run("return document.getElementById('state').textContent")), "u says if there is nothing unmatched");
	await b.key(ESCAPE);
	await b.key("f");
	await b.until(SETTLED);
}

async function panning(b) {
	await b.key("w");
	const length = await b.run("return view.state.to - view.state.from");
	for (const [key, window] of [["a", "[0, arguments[0]]"], ["d", "[view.state.duration - arguments[0], view.state.duration]"]]) {
		for (let i = 0; i < 12; i++)
			await b.key(key);
		await b.until(SETTLED);
		ok(await b.run("return [view.state.from, view.state.to].join() === " + window + ".join()", length),
			"panning by " + key + " stops at the end of the trace");
	}
	await b.key("f");
	await b.until(SETTLED);
	ok(await b.run("return document.getElementById('window').textContent") === "0 ms to 3.1 ms  (3.10 ms)",
		"times have the digits that the window can show");
}

(async () => {
	const [gorge, run, messages] = process.argv.slice(2);
	await visit([gorge, run], [side, layers, counts, below, hover]);
	await visit([gorge, messages], [frames, panning]);
	for (const width of [1440, 1000, 700, 480])
		await visitAt([width, 800], [gorge, run], [header(width)]);
	end();
})();
