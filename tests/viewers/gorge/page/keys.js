/*
 * Keys of gorge's page that page.js does not press, and its minimap, on the trace of messages.recipe; and the page of
 * more threads than a screen has lines. What is asserted is the state of the page. keys.js GORGE MESSAGES MANY; prints TAP.
 */
"use strict";
const { ok, SETTLED, visit, end } = require("../../browsing.js");

const WINDOW = "return [view.state.from, view.state.to]";
const INDEX = "return view.state.pinned && view.state.pinned.instance ? view.state.pinned.instance.index : null";
const PAGE_UP = "\uE00E", PAGE_DOWN = "\uE00F", UP = "\uE013", DOWN = "\uE015", ESCAPE = "\uE00C";

async function press(b, key) {
	await b.key(key);
	await b.until(SETTLED);
	return b.run(WINDOW);
}

const middle = ([from, to]) => (from + to) / 2;

async function pin(b, interval, index) {
	await b.run("return server.ask('step', { interval: arguments[0], index: arguments[1], to: 'itself' }).then(details.pin)",
		interval, index);
}

/* Both ends of the first message: sent at 500 us, received at 1500 us. */
async function pinned(b) {
	await b.until(SETTLED);
	await pin(b, "Transit", 0);
	await b.run("view.setWindow(0, 100000)");
	await b.until(SETTLED);
	ok(middle(await press(b, "p")) === 1500000, "p goes to the partner");
	ok(middle(await press(b, "p")) === 500000, "and back");
	await press(b, "p");
	await pin(b, "Transit", 0);
	ok(middle(await press(b, "p")) === 1500000, "of what is pinned anew to its partner");
	const [from, to] = await press(b, "z");
	ok(from === 200000 && to === 1800000, "z fills the view with it");
	await b.key("]");
	await b.until("view.state.pinned.instance.index > 0");
	await b.key("[");
	await b.until("view.state.pinned.instance.index === 0");
	ok(true, "[ leads to the instance before");
	await press(b, ESCAPE);
}

async function windows(b) {
	ok((await press(b, "0")).join() === "0,3100000", "0 shows the whole");
	ok((await press(b, UP)).join() === "775000,2325000", "the arrow up zooms in");
	ok((await press(b, DOWN)).join() === "0,3100000", "the arrow down zooms out");
	const painted = await b.run("return view.state.timing.painted");
	await press(b, "r");
	ok(await b.run("return view.state.timing.painted") > painted, "r draws again");
}

async function searching(b) {
	await b.key("/");
	ok(await b.run("return document.activeElement === document.querySelector('#finder input')"), "/ leads to the search");
	await b.run("document.querySelector('#finder input').value = 'Transit where time > 500 us'; finder.search()");
	await b.until("document.querySelectorAll('#finder li').length === 2");
	await b.run("document.activeElement.blur()");
	for (const [key, index] of [["n", 0], ["n", 1], ["N", 0]]) {
		await b.key(key);
		await b.until("(() => { " + INDEX + "; })() === " + index);
	}
	ok(true, "N leads to the hit before");
	await press(b, ESCAPE);
}

const HELD = "const l = document.getElementById('lane'); return l.hidden ? null : Math.round(parseFloat(l.style.top))";

async function stepping(b) {
	await b.key("j");
	const first = await b.run(HELD);
	await b.key("j");
	const second = await b.run(HELD);
	await b.key("k");
	ok(second > first && await b.run(HELD) === first, "k leads to the lane above");
	const shown = (at) => b.run(`const d = view.state.duration; view.setWindow(d * 0.4, d * 0.6);
		view.show(d * arguments[0], d * arguments[0]); return [view.state.from / d, view.state.to / d]`, at);
	const near = ([from, to], a, b) => Math.abs(from - a) < 0.01 && Math.abs(to - b) < 0.01;
	ok(near(await shown(0.2), 0.1, 0.3), "what is shown is in the middle");
	ok(near(await shown(0.01), 0, 0.2) && near(await shown(0.99), 0.8, 1), "or the view is at an end of the trace");
	await press(b, "f");
}

/* Where a time is on the minimap. */
const SPOT = `
	const box = document.getElementById("minimap").getBoundingClientRect(), p = view.state.picture;
	return [box.left + p.left + arguments[0] / view.state.duration * p.columns, box.top + box.height / 2];`;
const INK = `
	const c = document.getElementById("minimap"), data = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
	const colours = new Set();
	for (let i = 0; i < data.length; i += 4)
		colours.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
	return colours.size;`;

async function minimap(b) {
	await press(b, "f");
	await b.run("view.setWindow(0, 200000)");
	await b.until(SETTLED);
	const [x, y] = await b.run(SPOT, 1000000), [x2] = await b.run(SPOT, 2000000);
	const near = (window, time) => Math.abs(middle(window) - time) < 5000 && window[1] - window[0] === 200000;
	await b.click(x, y);
	await b.until(SETTLED);
	ok(near(await b.run(WINDOW), 1000000), "a click on the minimap moves the window there");
	await b.drag(x, y, x2, y);
	await b.until(SETTLED);
	ok(near(await b.run(WINDOW), 2000000), "dragging moves it along");
	const colours = await b.run(INK);
	ok(colours > 10, "it shows the whole trace");
	const names = await b.run("return [...document.querySelectorAll('#layers .layer:not([data-layer=events]) li input:checked')].map((i) => i.dataset.name)");
	const toggle = "arguments[0].forEach((name) => document.querySelector('#layers input[data-name=' + name + ']').click())";
	await b.run(toggle, names);
	await b.until(SETTLED);
	await b.until("(() => {" + INK + "})() !== " + colours);
	ok(true, "what is switched off leaves it");
	await b.run(toggle, names);
	await b.until(SETTLED);
	await b.until("(() => {" + INK + "})() === " + colours);
	ok(true, "and comes back");
	await press(b, "f");
}

const LANES = "return view.state.picture.lanes.flatMap((l) => l.threads).reduce((n, [a, b]) => n + b - a + 1, 0)";

/* What is painted at the names: in none of so many equal parts of the height there is nothing. */
const NAMED = `
	const plot = document.getElementById("plot"), parts = 5, ratio = window.devicePixelRatio || 1;
	const height = Math.floor(plot.height / parts), width = Math.floor((view.state.picture.left - 10) * ratio);
	return Array.from({ length: parts }, (_, i) => {
		const data = plot.getContext("2d").getImageData(0, i * height, width, height).data;
		return new Set(new Uint32Array(data.buffer)).size > 4;
	}).every(Boolean);`;

/* The list of threads has the room of all its rows, and elements for those in sight. */
async function listing(b) {
	const seen = `const aside = document.querySelector("aside"), box = aside.getBoundingClientRect();
		return [...document.querySelectorAll("#threads li")].filter((li) => {
			const r = li.getBoundingClientRect();
			return r.bottom > box.top && r.top < box.bottom;
		}).map((li) => Number(li.querySelector("input").dataset.name))`;
	await b.run("document.getElementById('show-threads').click()");
	await b.until(SETTLED, 60);
	ok(await b.run("return document.querySelectorAll('#threads li').length") < 200, "few of 1500 threads are elements");
	await b.run("document.querySelector('aside').scrollTop = 12000");
	await b.until("document.querySelector('#threads ul').style.paddingTop !== '0px'");
	const middle = await b.run(seen);
	ok(middle.length > 5 && middle[0] > 300 && middle[0] < 900 && middle.every((n, i) => n === middle[0] + i),
		"in the middle of their list those are in sight that belong there");
	await b.run("document.querySelector('aside').scrollTop = 1e6");
	await b.until("[...document.querySelectorAll('#threads li input')].some((i) => i.dataset.name === '1499')");
	ok((await b.run(seen)).includes(1499), "and at its end the last one");
	await b.run("document.querySelector('#threads li:last-child input').click()");
	await b.until(SETTLED, 60);
	ok(await b.run("return view.state.off.threads.has(1499) && document.querySelector('#threads li:last-child').className") === "off",
		"which can be switched off");
	ok(await b.run("return view.state.asked.threads") === "0-1498", "in few words");
	await b.run("document.querySelector('#threads li:last-child input').click()");
	await b.until(SETTLED, 60);
}

async function many(b) {
	await b.until(SETTLED, 60);
	ok(await b.run(LANES) === 1500, "1500 threads have their places in the lanes");
	ok(await b.run(NAMED), "which are named, from the top to the bottom");
	const height = await b.run("return view.state.picture.height - document.getElementById('scroll').clientHeight");
	if (height > 0) {
		await b.run("document.getElementById('scroll').focus()");
		await b.key(PAGE_DOWN);
		const down = await b.run("return document.getElementById('scroll').scrollTop");
		await b.key(PAGE_UP);
		ok(down > 0 && await b.run("return document.getElementById('scroll').scrollTop") < down, "page down and up scroll");
	}
	await b.run("view.setWindow(0, view.state.duration / 2)");
	await b.until(SETTLED, 60);
	ok(await b.run("return view.state.picture.to === view.state.to"), "and zooming is answered");
	await listing(b);
	const shared = "return document.querySelector('#lanes [data-name=alive]').checked + ' ' + view.state.asked.lanes";
	ok(await b.run(shared) === "true alive", "of so many threads those that live share lanes");
	await b.run("document.querySelector('#lanes [data-name=alive]').click()");
	await b.until(SETTLED, 60);
	ok(await b.run(shared) === "false threads", "or have one each, if a box is switched off");
	await b.run("document.getElementById('scroll').scrollTop = view.state.picture.height / 2");
	await b.until(SETTLED + " && viewport.has(view.state.picture)", 60);
	ok(await b.run(`const p = view.state.picture, [first, last] = (p.viewport || "0-0").split("-").map(Number);
		return first > 0 && last < p.lanes.length - 1`), "lanes far out of sight are not asked for");
}

/* So many tracks that they take longer than half a second. */
async function stopping(b) {
	/* other questions of the page may take long, too, on a busy machine */
	const shown = "!document.querySelector('footer .request').hidden && " +
		"/^tracks( \\d+ %|…) stop$/.test(document.querySelector('footer .request').textContent)";
	const start = () => b.run(`window.outcome = null;
		server.ask("tracks", { ...view.state.asked, expressions: Array(1200).fill("p99(Pass.time)").join("\\n") })
			.then(() => "answered", (e) => e.message).then((text) => { window.outcome = text; })`);
	await b.run("document.activeElement.blur()");
	await start();
	await b.until(shown);
	ok(true, "what takes longer than half a second says how far it is");
	await b.key(ESCAPE);
	ok(await b.until("window.outcome") === "stopped", "esc stops it");
	ok(await b.run("return document.querySelector('footer .request').hidden"), "and then nothing is said of it");
	await start();
	await b.until(shown);
	await b.run("document.querySelector('footer .request button').click()");
	ok(await b.until("window.outcome") === "stopped", "and so does the button");
}

(async () => {
	const [gorge, messages, directory] = process.argv.slice(2);
	await visit([gorge, messages], [pinned, windows, searching, stepping, minimap]);
	await visit([gorge, directory], [many, stopping]);
	end();
})();
