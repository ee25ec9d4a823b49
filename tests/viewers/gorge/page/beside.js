/*
 * Two recordings, one above the other: gorge --beside BEFORE AFTER. beside.js GORGE BEFORE AFTER; prints TAP. Both are of
 * tests/analysis/why/hot.c: after, its threads sleep while they have the lock.
 */
"use strict";
const { execFileSync } = require("child_process");
const path = require("path");
const { ok, SETTLED, visit, end } = require("../../browsing.js");

const [gorge, before, after] = process.argv.slice(2);
const glimpse = (...words) => execFileSync(path.join(path.dirname(gorge), "glimpse"), words, { encoding: "utf8" });
const BOTH = SETTLED + " && beside.other() && beside.other().state.picture && beside.other().settled()" +
	" && beside.other().state.leastNames === view.state.picture.names";
const upper = (expression) => "const other = beside.other(); return " + expression;
/* Where a time of the lower run is in its pane, less where that of the upper one is. */
const APART = "const o = beside.other().state, at = (s, t) => s.picture.left + (t - s.from) * s.picture.columns / (s.to - s.from);" +
	"return at(view.state, arguments[0]) - at(o, arguments[1])";

async function shows(b) {
	await b.until(BOTH, 60);
	const durations = await b.run(upper("[other.duration(), view.state.duration]"));
	const said = [before, after].map((run) => JSON.parse(glimpse("info", run, "--format=json")).duration);
	ok(durations.join() === said.join(), "the upper run is the first one, the lower the second: " + durations);
	const text = await b.run("return ['#predicted p', '#recorded'].map((p) => document.querySelector(p).innerText.trim())");
	ok(text[0].startsWith("before") && text[0].includes(before) && text[1].startsWith("after") && text[1].includes(after),
		"each says which run it is: " + text.map((t) => t.split("\n")[0]).join(" | "));
	ok(await b.run("return document.getElementById('predicted').getBoundingClientRect().bottom <= " +
		"document.getElementById('ruler').getBoundingClientRect().top"), "one is above the other");
	const scales = await b.run(upper("[view.state, other.state].map((s) => [s.from, s.to, s.picture.left, s.picture.columns].join())"));
	ok(scales[0] === scales[1], "both have one scale: " + scales[0]);
	ok(await b.run("return document.querySelector('#predicted .close').hidden"), "and there is no button that closes one");
}

async function couples(b) {
	const same = upper("other.state.from === view.state.from && other.state.to === view.state.to && " +
		"other.state.picture.from === view.state.picture.from");
	await b.run("view.setWindow(0.2 * view.state.duration, 0.3 * view.state.duration)");
	await b.until(BOTH);
	ok(await b.run(same), "zoom moves both");
	await b.key("d");
	await b.until(BOTH);
	ok(await b.run(same) && await b.run("return view.state.from > 0.2 * view.state.duration"), "so does a key");
	await b.run(upper("other.go(1000000, 9000000)"));
	await b.until(BOTH);
	ok(await b.run("return view.state.from") === 1000000 && await b.run(same), "and the upper one moves the lower");
	await b.run("view.toggle('threads', view.state.threads.find((t) => t.label === 'turns (2)').number)");
	await b.until(BOTH + " && beside.other().state.off.threads.size === 1");
	ok(await b.run(upper("other.state.threads.find((t) => other.state.off.threads.has(t.number)).label")) === "turns (2)",
		"a thread is off in both, by its name");
	await b.run("view.toggle('threads', view.state.threads.find((t) => t.label === 'turns (2)').number); view.setTheme('dark'); view.fit()");
	await b.until(BOTH + " && beside.other().state.theme === 'dark'");
	ok(true, "and so is the theme");
}

async function choose(b, value) {
	await b.run("const s = document.querySelector('#recorded select'); s.value = arguments[0]; s.dispatchEvent(new Event('change'))", value);
	await b.until(`compare.chosen() === '${value}' && ` + BOTH);
}

async function aligns(b) {
	const first = (run, event) => Number(glimpse("events", run, "--event", event, "--format=csv").split("\n")[1].split(",")[0]);
	const names = await b.run("return [...document.querySelectorAll('#recorded option')].map((o) => o.value)");
	const event = "event:JoinBegin";
	ok(names.includes(event) && names.includes("thread:main") && names[0] === "start", "names of both are offered: " + names.length);
	await choose(b, event);
	const times = [after, before].map((run) => first(run, event.slice(6)));
	ok(Math.abs(await b.run(APART, ...times)) < 0.01, "aligned at " + event + ": " + times + " ns are at the same place");
	const [mine, theirs] = await b.run(upper("[[view.state.from, view.state.to], [other.state.from, other.state.to]]"));
	ok(mine[0] <= Math.min(0, times[0] - times[1]) && theirs[1] >= await b.run(upper("other.duration()")) &&
		mine[1] - mine[0] === theirs[1] - theirs[0], "and the window contains both runs");
	await choose(b, "thread:turns (3)");
	const starts = await b.run(upper("[view.state, other.state].map((s) => s.threads.find((t) => t.label === 'turns (3)').first)"));
	ok(Math.abs(await b.run(APART, ...starts)) < 0.01, "aligned at the start of a thread: " + starts);
	await b.run("const s = document.querySelector('#recorded select'); s.value = 'pinned'; s.dispatchEvent(new Event('change'))");
	await b.until("document.getElementById('state').textContent !== ''");
	ok(/pin an item in each/.test(await b.run("return document.getElementById('state').textContent")) &&
		await b.run("return document.querySelector('#recorded select').value") === "thread:turns (3)",
		"without pinned items it says what to do, and changes nothing");
	const pin = "const f = arguments[0]; return server.ask('step', { interval: f, index: 7, to: 'itself' }).then((i) => {" +
		"details.pin(i); return i.instance.start; })";
	const pinned = [await b.run(pin, "Sleep"), await b.run("const o = beside.other(); return o.ask('step', { interval: 'Sleep', index: 5, to: 'itself' })" +
		".then((i) => { o.pin(i); return i.instance.start; })")];
	ok(await b.run("return document.querySelector('#details').innerText.includes(arguments[0])", "in " + before),
		"what is pinned in the upper pane is in the panel, with its run");
	await choose(b, "pinned");
	ok(Math.abs(await b.run(APART, ...pinned)) < 0.01, "aligned at what is pinned in each: " + pinned);
	await choose(b, "start");
	ok(Math.abs(await b.run(APART, 0, 0)) < 0.01, "and at the start again");
}

/* The rows of glimpse diff, and the lanes that they lead to in both panes. */
async function differs(b) {
	const said = JSON.parse(glimpse("diff", "--format=json", before, after)).changes
		.filter((c) => c.verdict === "not tested" && !/^(glimpse_|gl_)/.test(c.name));
	await b.key("D");
	await b.until("differences.current() && document.querySelector('#differences tr:nth-child(2)')", 30);
	const rows = await b.run("return differences.current()");
	const key = (r) => [r.kind || r.table, r.name, r.measure].join(" "), theirs = new Set(said.map(key));
	const missing = rows.filter((r) => !theirs.has(key(r)));
	ok(rows.length > 5 && !missing.length, rows.length + " rows of glimpse diff" + missing.map((r) => ": " + key(r)).join(""));
	ok(/cannot tell a change from noise/.test(await b.run("return document.querySelector('#differences p').textContent")), "it says that one run of each is no test");
	const held = rows.find((r) => r.kind === "lock" && r.name === "hot_lock" && /hold/.test(r.measure));
	ok(held && held.after > 3 * held.before, "the planted delay is in it: hot_lock " + held.measure + " " + held.before_text + ", " + held.after_text);
	await b.run("[...document.querySelectorAll('#differences tr')].find((r) => /^lock/.test(r.innerText) && /hot_lock/.test(r.innerText)).click()");
	await b.until(BOTH + " && spotlight.owner() && differences.chosen()");
	ok(await b.run("return view.state.picture.lanes.some((l) => l.name === 'hot_lock') && " +
		"beside.other().state.picture.lanes.some((l) => l.name === 'hot_lock')"), "its row leads to its lane in both");
	ok(await b.run("return differences.marked().lock.get('hot_lock')") === true, "its lane has the stripe of more");
	if (process.env.PICTURE)
		await b.picture(process.env.PICTURE);
	await b.key("\uE00C");
	await b.until(BOTH + " && differences.chosen() === null");
	await b.key("D");
	await b.until("document.getElementById('differences').hidden && " + BOTH);
	ok(true, "escape and the key take it away");
}

(async () => {
	await visit([gorge, "--beside", before, after], [shows, couples, aligns, differs]);
	await visit([gorge, after], [async (b) => {
		await b.until(SETTLED);
		ok(await b.run("return document.getElementById('predicted').hidden && !document.querySelector('iframe')"),
			"one run has one pane");
		ok(await b.run("return document.getElementById('show-differences').hidden"), "and no button for differences");
	}]);
	end();
})();
