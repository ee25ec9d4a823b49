/*
 * The first view in gorge's page: the headline and where it leads, the legend, the processors, folded
 * lanes, and a selection of time, whose shares are compared with `glimpse threads` (random ranges; SEED
 * repeats them). headline.js GORGE RUN FOLDED MESSAGES; prints TAP. RUN is tests/analysis/why/hot.c, FOLDED
 * tests/viewers/first/workers.c, recorded; MESSAGES has no states.
 */
"use strict";
const { execFileSync } = require("child_process");
const path = require("path");
const { ok, SETTLED, visit, visitAt, end } = require("../../browsing.js");

const [gorge, run, folded, messages] = process.argv.slice(2);
const glimpse = (...args) => execFileSync(path.join(path.dirname(gorge), "glimpse"), args, { encoding: "utf8" });
const ESCAPE = "\uE00C";
const TOLD = SETTLED + " && headline.idle()";
const LINES = "return [...document.querySelectorAll('#headline p')].map((p) => p.textContent)";
const LIT = "return view.state.picture.lanes.map((l) => l.name)";

async function says(b) {
	await b.until(TOLD, 20);
	const said = JSON.parse(glimpse("why", "--json", run)).headline.map((l) => l.text);
	const lines = await b.run(LINES);
	ok(lines.join("\n") === said.join("\n") && /hot_lock/.test(lines[0]), "the headline is that of glimpse why: " + lines[0]);
	// On a busy machine the second line is longer, and a narrow window breaks it.
	ok(lines.length === 2 && await b.run("const h = document.getElementById('headline').getBoundingClientRect(), s = document" +
		".getElementById('minimap').getBoundingClientRect(); return h.height <= 90 && h.bottom <= s.top"), "it has two lines above the lanes");
	await b.run("document.querySelector('#headline [data-kind=object]').click()");
	await b.until(SETTLED + " && spotlight.owner()");
	ok((await b.run(LIT)).includes("hot_lock"), "its lock leads to the lane of the lock");
	await b.key(ESCAPE);
	ok(await b.run("return spotlight.owner() === null"), "escape shows all lanes again");
	await b.run("document.querySelector('#headline [data-kind=processors]').click()");
	ok(await b.run("return spotlight.owner() !== null"), "the processors light up");
	await b.run("document.querySelector('#headline [data-kind=processors]').click()");
	ok(await b.run("return spotlight.owner() === null"), "a second click ends that");
	await b.run("document.querySelector('#headline [data-kind=function]').click()");
	await b.until("panel.current() === 'search' || !document.getElementById('flame').hidden");
	ok(true, "a function leads to the flame graph, or to what search finds");
	await b.run("document.querySelector('#headline > button').click()");
	ok(await b.run("return panel.current()") === "why", "show opens Why");
	await b.key(ESCAPE);
	await b.run("panel.close()");
	await b.until(SETTLED);
}

async function legend(b) {
	const texts = await b.run("return [...document.querySelectorAll('#legend span')].map((e) => e.textContent)");
	ok(texts[0] === "running" && texts.some((t) => /another thread holds: lock/.test(t)), "the legend: " + texts.join("; "));
	ok(await b.run("return document.getElementById('legend').offsetHeight") <= 26, "it has one line");
	await b.run("document.querySelector('#legend button').click()");
	ok(await b.run("return panel.current()") === "layers", "what is hidden leads to the layers");
	await b.run("panel.close()");
	await b.until(SETTLED);
}

/* The middle of a lane on the screen, at a share of the plot's width. */
const PLACE = `
	const p = view.state.picture, lane = p.lanes.find((l) => arguments[0] === null ? l.processors : l.name === arguments[0]);
	const box = document.getElementById("plot").getBoundingClientRect();
	return [box.left + p.left + p.columns * arguments[1], box.top + lane.top + lane.height / 2 - document.getElementById("scroll").scrollTop];`;

async function processors(b) {
	const [x, y] = await b.run(PLACE, null, 0.5);
	await b.hover(x, y);
	await b.until("!document.getElementById('hover').hidden");
	const text = await b.run("return document.getElementById('hover').innerText");
	ok(/^processors +at .*\n\d+\.\d of \d+ run, \d+\.\d ready$/.test(text), "the processors say how many run: " + text.replace("\n", "; "));
	await b.hover(30, y);
	ok(await b.run("return document.getElementById('lane').hidden"), "their lane has no tools");
	await b.key("x");
	await b.key("c");
	ok(await b.run("return ![...view.state.lanes.collapsed].some((k) => /undefined/.test(k))"), "nor do keys change it");
}

/* As the page rounds and clips them; names and times of the threads. */
function timesOf(from, to) {
	const [head, ...rows] = glimpse("threads", run, "--from", from + "ns", "--to", to + "ns", "--format=csv").trim().split("\n").map((l) => l.split(","));
	return rows.map((r) => [r[head.indexOf("name")], ["running", "ready", "blocked"].map((c) => Number(r[head.indexOf(c)]))]);
}

async function select(b) {
	const y = await b.run("const r = document.getElementById('ruler').getBoundingClientRect(); return r.top + 24");
	const [[x0], [x1]] = [await b.run(PLACE, null, 0.2), await b.run(PLACE, null, 0.4)];
	const before = await b.run("return [view.state.from, view.state.to]");
	await b.drag(x0, y, x1, y);
	await b.until(SETTLED + " && selection.current()");
	const [from, to] = await b.run("return selection.state().range"), length = await b.run("return view.state.duration");
	ok(Math.abs(from - 0.2 * length) < 0.01 * length && Math.abs(to - 0.4 * length) < 0.01 * length, "a drag on the ruler selects");
	ok((await b.run("return [view.state.from, view.state.to]")).join() === before.join(), "the window stays");
	ok(/selected/.test(await b.run("return document.querySelector('#selection output').textContent")), "the band says how long it is");
	await b.run("document.getElementById('show-statistics').click()");
	await b.until(SETTLED + " && statistics.current()");
	ok(await b.run("return document.querySelector('#statistics h2').textContent") === "Intervals in the selection", "statistics are of it");
	await b.run("document.getElementById('show-statistics').click()");
	await b.key("z");
	await b.until(SETTLED);
	ok((await b.run("return [view.state.from, view.state.to]")).join() === [from, to].join(), "z fills the view with it");
	await b.key(ESCAPE);
	await b.until("selection.state().range === null && document.getElementById('selection').hidden");
	ok(true, "escape clears it");
	await b.key("f");
	await b.until(SETTLED);
}

async function shares(b) {
	const seed = Number(process.env.SEED) || Date.now() % 1000000, duration = await b.run("return view.state.duration");
	let state = seed, wrong = "";
	const random = (n) => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648 * n;
	console.log("# SEED=" + seed);
	for (let i = 0; i < 12 && !wrong; i++) {
		const from = Math.floor(random(duration * 0.9)), to = Math.min(duration, from + 1 + Math.floor(random(duration * Math.pow(10, -random(4)))));
		const answer = await b.run("return server.ask('shares', { ...view.state.asked, begin: arguments[0], end: arguments[1] })", from, to);
		const said = new Map(timesOf(from, to));
		for (const lane of answer.lanes.filter((l) => said.has(l.name))) {
			const [running, ready, blocked] = said.get(lane.name), sum = lane.states.reduce((n, s) => n + s.ns, 0);
			if (Math.abs(lane.running - running) > 2 || Math.abs(sum - running - ready - blocked) > 8 || sum > to - from)
				wrong = [from, to, lane.name, lane.running, sum, running, ready, blocked].join(" ");
		}
	}
	ok(!wrong, "the shares of a selection are those of glimpse threads, and at most all of it" + (wrong && ": " + wrong));
	ok(await b.run("return server.ask('shares', { ...view.state.asked, begin: 5, end: 5 }).then(() => '', (e) => e.message)") ===
		"begin and end must be nanoseconds of a selection", "an empty selection is refused");
}

/* No time of a state outside of the selection counts: their sums are those of glimpse threads. */
async function statisticsOf(b) {
	const duration = await b.run("return view.state.duration"), threads = await b.run("return view.state.threads.length");
	let wrong = "";
	for (let i = 0; i < 12 && !wrong; i++) {
		const length = Math.floor(duration * Math.pow(10, -1 - i % 3)), from = Math.floor(i / 12 * (duration - length));
		const answer = await b.run("return server.ask('statistics', { ...view.state.asked, begin: arguments[0], end: arguments[1] })",
			from, from + length);
		const said = timesOf(from, from + length).map(([, times]) => times), total = (name) => answer.intervals.find((s) => s.name === name).total || 0;
		const sums = ["Running", "Ready", "Blocked"].map((name, k) => [total(name), said.reduce((n, t) => n + t[k], 0)]);
		if (sums.some(([a, c]) => Math.abs(a - c) > 4 * threads) || answer.intervals.some((s) => s.longest > length))
			wrong = [from, length, ...sums.flat()].join(" ");
	}
	ok(!wrong, "the statistics of a selection are cut at its edges" + (wrong && ": " + wrong));
}

async function pinned(b) {
	const wait = await b.run("return server.ask('step', { interval: 'LockWait', index: 0, to: 'longest' }).then((f) => (details.pin(f), f.instance.wait))");
	ok(wait.ended.time > 0 && wait.ended.thread !== undefined, "a pinned wait knows when, and by whom, it was ended");
	/* the side panel that opens gives the lanes another place */
	await b.until(SETTLED + " && view.state.picture.lanes.some((l) => !l.processors && " +
		"spotlight.hasThread(l, [view.state.pinned.instance.anchor.thread]) && " +
		"outline.boxes().some(([top, bottom]) => top >= l.top && bottom <= l.top + l.height && bottom - top < l.height))");
	ok(true, "its frame is its bar");
	await b.key(ESCAPE);
}

async function folds(b) {
	await b.until(TOLD, 20);
	const HEADING = "return view.state.picture.lanes.find((l) => l.heading)";
	await b.run("lanes.group('name')");
	await b.until(SETTLED + " && view.state.picture.lanes.some((l) => l.heading)");
	await b.run("lanes.foldAll()");
	await b.until(SETTLED + " && view.state.picture.lanes.find((l) => l.heading).collapsed");
	for (const open of [true, false]) {
		const done = SETTLED + " && view.state.picture.lanes.find((l) => l.heading).collapsed === " + !open;
		const click = async (seconds) => {
			await b.until(SETTLED);
			if (await b.run("return " + done))
				return;
			const { name } = await b.run(HEADING), [x, y] = await b.run(PLACE, name, 0.5);
			await b.click(x, y);
			await b.until(done, seconds);
		};

		/* the lanes may move between the look for the place and the click; then the user clicks again */
		await click(5).catch(() => click(10)).catch(() => click(20));
		ok(true, "a click on its lane " + (open ? "opens" : "closes") + " it");
	}
}

async function narrow(b) {
	await b.until(TOLD, 20);
	const { lines, wide, half } = await b.run(`
		const texts = [...document.querySelectorAll("#headline p")];
		return { lines: texts.reduce((n, p) => n + Math.round(p.clientHeight / parseFloat(getComputedStyle(p).lineHeight)), 0),
			wide: document.documentElement.scrollWidth - innerWidth,
			half: document.getElementById("scroll").clientHeight >= Math.floor(innerHeight / 2) }`);
	ok(lines >= 2 && lines <= 4 && wide <= 0, "480: the headline wraps to " + lines + " lines");
	ok(half, "480: the lanes keep half of the window");
}

async function none(b) {
	await b.until(TOLD, 20);
	const said = JSON.parse(glimpse("why", "--json", messages)).headline.map((l) => l.text);
	ok(await b.run("return document.getElementById('headline').hidden") === !said.length &&
		(await b.run(LINES)).join("\n") === said.join("\n"), "there is a box if there is a headline: " + said.length);
	const entries = await b.run("return [...document.querySelectorAll('#legend span')].map((e) => e.textContent)");
	ok(["writes", "transit"].every((word) => entries.some((e) => e.toLowerCase() === word)) && entries.length > 3 &&
		!(await b.run("return document.getElementById('legend').hidden")),
		"without states the legend has intervals and events: " + entries.join("; "));
}

(async () => {
	await visit([gorge, run], [says, legend, processors, select, shares, statisticsOf, pinned]);
	await visit([gorge, folded], [folds]);
	await visitAt([480, 800], [gorge, run], [narrow]);
	await visit([gorge, messages], [none]);
	await end();
})();
