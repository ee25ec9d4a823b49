/*
 * gorge-view.js view GORGE DIRECTORY BYTES: how long gorge's server takes to open the logs, which have so many
 * bytes, and to answer; what memory it has; and how long a browser waits for the drawn picture.
 * gorge-view.js redefine GORGE DIRECTORY: how long another definition takes. gorge-view.js crowd GORGE DIRECTORY:
 * how long a picture of all of many threads takes. gorge-view.js memory GORGE DIRECTORY BYTES SPEC: the most memory that
 * gorge has of its own until all intervals of the specification are found and drawn. Prints rows for bench/run.
 * gorge-view.js takes GORGE DIRECTORY: flame graphs of memory.
 * gorge-view.js lanes GORGE DIRECTORY BYTES: answers and memory where lanes have calls and states.
 * BROWSING names the folder of the tests that use a browser; without it no frames are measured.
 */
"use strict";
const { spawn } = require("child_process");
const { cookieOf, enter, get } = require("../tests/viewers/entrance.js");
const fs = require("fs");

const WINDOWS = 200, FRAMES = 80, VIEW = "view?width=1300&room=700";
const SIZES = [[1300, 800], [1920, 1080]];      /* of the browser's window */

function row(name, measured, target, detail) {
	console.log(["gorge, " + name, measured, target, detail].join("\t"));
}

/* The same windows each time. */
function lots() {
	let seed = 7;
	return () => (seed = seed * 16807 % 2147483647) / 2147483647;
}

/* Long and short windows, each length as likely as ten times that length. */
function windows(duration, n) {
	const lot = lots();
	return Array.from({ length: n }, () => {
		const length = Math.max(1000, Math.floor(duration * 10 ** (-6 * lot())));
		const from = Math.floor(lot() * (duration - length));
		return [from, from + length];
	});
}

function quantile(values, q) {
	return values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))];
}

function serve(gorge, ...options) {
	const program = spawn(gorge, options, { stdio: ["ignore", "pipe", "ignore"] });
	return new Promise((resolve, reject) => program.stdout.once("data", (text) =>
		enter(String(text).trim()).then((url) => resolve({ program, url }), reject)));
}

async function ask(url, path, options) {
	const begun = performance.now();
	const response = await get(url + path, options), text = await response.text();
	if (!response.ok)
		throw new Error(text);
	return { took: performance.now() - begun, size: text.length, text };
}

/* Memory of its own: pages of the logs belong to the system. */
function anonymous(program) {
	const status = fs.readFileSync("/proc/" + program.pid + "/status", "latin1");
	return 1024 * +/RssAnon:\s*(\d+)/.exec(status)[1];
}

/* Until all intervals are found; the most memory until then. */
async function settle({ program, url }) {
	let most = 0;
	for (;;) {
		const { waiting } = JSON.parse((await ask(url, "state")).text);
		most = Math.max(most, anonymous(program));
		if (!waiting.length)
			return most;
		await new Promise((r) => setTimeout(r, 50));
	}
}

async function answers(url, duration, said) {
	const times = [], sizes = [];
	for (const [from, to] of windows(duration, WINDOWS)) {
		const { took, size } = await ask(url, VIEW + "&from=" + from + "&to=" + to);
		times.push(took);
		sizes.push(size);
	}
	row("zoom or pan, p99 of answers, ms", quantile(times, 0.99).toFixed(1), "<=50",
		"median " + quantile(times, 0.5).toFixed(1) + " ms, " + said);
	row("size of an answer, p99, kB", (quantile(sizes, 0.99) / 1000).toFixed(0), "-",
		"median " + (quantile(sizes, 0.5) / 1000).toFixed(0) + " kB");
}

/* The same windows with some of the instances picked. */
async function picks(url, duration, said) {
	const pick = VIEW + "&pick=Transit&least=1000&most=5000", times = [], begun = performance.now();
	while (JSON.parse((await ask(url, pick)).text).picking)
		;
	const first = performance.now() - begun;
	for (const [from, to] of windows(duration, FRAMES))
		times.push((await ask(url, pick + "&from=" + from + "&to=" + to)).took);
	row("zoom or pan with instances picked, p95 of answers, ms", quantile(times, 0.95).toFixed(1), "<=50",
		"median " + quantile(times, 0.5).toFixed(1) + " ms, when they are picked " + first.toFixed(0) + " ms, " + said);
}

/* What is asked of all instances: the median of some times. */
async function questions(url, said) {
	const find = (question) => "find?question=" + encodeURIComponent(question);
	const asked = {
		"search by durations": find("Transit where time > 20 us"),
		"search by attributes": find("Transit where s.seq % 1000 == 7"),
		"statistics and histogram of all": "durations?width=1300&interval=Transit&least=1000&most=5000",
	};
	for (const [name, path] of Object.entries(asked)) {
		const times = [];
		for (let i = 0; i < 5; i++)
			times.push((await ask(url, path)).took);
		row(name + ", ms", quantile(times, 0.5).toFixed(0), "-", "all instances found, " + said);
	}
}

/* In the page, for each window: from asking for it to the moment behind the frame in which it is painted. */
const FRAMES_OF = `
	const pause = () => new Promise((r) => setTimeout(r, 10));
	return (async (windows) => {
		for (const [i, [from, to]] of windows.entries()) {
			while (!view.idle())
				await pause();
			stopwatch.start(performance.now());
			view.setWindow(from, to);
			while (stopwatch.times.length <= i)
				await pause();
		}
		return { times: stopwatch.times, first: stopwatch.first };
	})(arguments[0]);`;

async function frames(url, duration, size, said) {
	const { browse } = require(process.env.BROWSING + "/webdriver.js");
	const { STOPWATCH } = require(process.env.BROWSING + "/stopwatch.js");
	const browser = await browse(url, { size, cookie: cookieOf(url) });
	await browser.until("typeof view !== 'undefined' && view.state.picture && view.idle() && progress.idle()", 30);
	/* it has more to do at its begin than to show the page */
	await new Promise((r) => setTimeout(r, 2000));
	const { times, first } = await browser.run(STOPWATCH + FRAMES_OF, windows(duration, FRAMES));
	await browser.close();
	const where = ", " + size.join(" x ") + ", ms";
	row("zoom or pan, median to the first frame" + where, quantile(first, 0.5).toFixed(1), "<=50",
		"p95 " + quantile(first, 0.95).toFixed(1) + " ms; it may show the last picture stretched");
	row("zoom or pan, median from request to drawn frame" + where, quantile(times, 0.5).toFixed(1), "<=50",
		"p95 " + quantile(times, 0.95).toFixed(1) + " ms, headless chromium without a graphics processor, " + said);
	row("zoom or pan, slowest from request to drawn frame" + where, quantile(times, 1).toFixed(1), "<=50",
		"of " + FRAMES + " windows; " + times.filter((t) => t > 50).length + " took longer than 50 ms");
}

async function main(gorge, directory, bytes) {
	const begun = performance.now(), server = await serve(gorge, directory);
	await ask(server.url, VIEW);
	const opened = (performance.now() - begun) / 1000;
	const start = JSON.parse((await ask(server.url, "start")).text);
	const said = start.count / 1e6 + " million events, " + start.threads.length + " threads";
	const target = "<=" + Math.max(5 * start.count / 1e8, 0.1);
	row("open, s", opened.toFixed(2), target, "to the first picture of " + said);
	const most = await settle(server);
	row("all intervals found, s", ((performance.now() - begun) / 1000).toFixed(1), "-", "in the background");
	const { took } = await ask(server.url, VIEW);
	row("first picture after all intervals are found, ms", took.toFixed(0), "<=50", said);
	row("memory / bytes of the logs", (Math.max(most, anonymous(server.program)) / bytes).toFixed(2), "<=2",
		"at most, while intervals are found; then " + (anonymous(server.program) / bytes).toFixed(2));
	await answers(server.url, start.duration, said);
	await picks(server.url, start.duration, said);
	await questions(server.url, said);
	if (process.env.BROWSING)
		for (const size of SIZES)
			await frames(server.url, start.duration, size, said);
	server.program.kill();
}

/* As the page opens it: what there is, and the first picture, while intervals are still being found. */
async function recorded(gorge, directory) {
	const begun = performance.now(), server = await serve(gorge, directory);
	const start = JSON.parse((await ask(server.url, "start")).text), view = VIEW + "&lanes=" + start.lanes;
	await ask(server.url, view);
	const said = (start.count / 1e6).toFixed(1) + " million events, " + start.threads.length + " threads";
	row("recorded program: open, s", ((performance.now() - begun) / 1000).toFixed(2), "<=2", "to the first picture of " + said);
	await settle(server);
	row("recorded program: all found, s", ((performance.now() - begun) / 1000).toFixed(1), "-", "in the background");
	await ask(server.url, view);
	const times = [];
	for (const [from, to] of windows(start.duration, FRAMES))
		times.push((await ask(server.url, view + "&from=" + from + "&to=" + to)).took);
	row("recorded program: zoom or pan, p99 of answers, ms", quantile(times, 0.99).toFixed(1), "<=50",
		"median " + quantile(times, 0.5).toFixed(1) + " ms, " + said);
	const searched = performance.now();
	for (let done = false; !done; await new Promise((r) => setTimeout(r, 200)))
		done = JSON.parse((await ask(server.url, "headline")).text).ready;
	row("recorded program: what limits it, s", ((performance.now() - searched) / 1000).toFixed(1), "-", "in the background");
	if (process.env.BROWSING)
		await frames(server.url, start.duration, SIZES[0], said);
	server.program.kill();
}

/* Another definition: sent, matched and drawn, alone and with what was there before. */
async function redefine(gorge, directory) {
	const server = await serve(gorge, directory);
	await ask(server.url, VIEW);
	await settle(server);
	const { spec, count } = JSON.parse((await ask(server.url, "start")).text);
	const others = { "changed definition": "", "changed definition and the one before": ",Transit" };
	for (const [name, other] of Object.entries(others)) {
		const times = [];
		for (let i = 0; i < 5; i++) {
			const text = spec.replace(/\bend\b(?![^]*\bend\b)/,
				"interval New" + i + " [ Send -> Recv ] = rectangle; end");
			const begun = performance.now();
			await ask(server.url, "definitions", { method: "POST", body: text });
			await ask(server.url, VIEW + "&intervals=New" + i + other);
			times.push(performance.now() - begun);
		}
		row(name + ", matched and drawn, ms", quantile(times, 0.5).toFixed(0), "<=200",
			count / 1e6 + " million events");
	}
	server.program.kill();
}

/* The lanes that the page asks for when it shows the first ones: half of the room's height beyond what is in sight. */
function viewportOf({ lanes }) {
	return "&viewport=0-" + (lanes.filter((l) => l.top < 1050).length - 1);
}

/* A picture of the whole trace, which is what takes most of many threads. */
async function crowd(gorge, directory) {
	const server = await serve(gorge, directory), times = [], seen = [];
	await ask(server.url, VIEW);
	await settle(server);
	const { threads, count } = JSON.parse((await ask(server.url, "start")).text);
	const viewport = viewportOf(JSON.parse((await ask(server.url, VIEW)).text));
	for (let i = 0; i < 5; i++) {
		times.push((await ask(server.url, VIEW + "&from=" + i)).took);
		seen.push((await ask(server.url, VIEW + viewport + "&from=" + i)).took);
	}
	row("view of many threads, as the page asks for it, ms", quantile(seen, 0.5).toFixed(0), "<=100",
		"the lanes in sight, and some above and below");
	row("picture of all of many threads, ms", quantile(times, 0.5).toFixed(0), "<=100",
		count / 1e6 + " million events, " + threads.length + " threads");
	server.program.kill();
}

/* Calls within each other, and states; and the same in two folded groups. */
async function lanes(gorge, directory, bytes) {
	const begun = performance.now(), server = await serve(gorge, directory);
	await ask(server.url, VIEW);
	const { count, duration, threads } = JSON.parse((await ask(server.url, "start")).text);
	const said = count / 1e6 + " million events, " + threads.length + " threads";
	let most = await settle(server);
	const found = (performance.now() - begun) / 1000;
	const viewport = viewportOf(JSON.parse((await ask(server.url, VIEW)).text));
	for (const [name, more] of [["calls and states", viewport], ["two groups folded", "&group=name&collapsed=n0,n1"]]) {
		const times = [];
		for (const [from, to] of windows(duration, WINDOWS))
			times.push((await ask(server.url, VIEW + more + "&from=" + from + "&to=" + to)).took);
		row(name + ": zoom or pan, p99 of answers, ms", quantile(times, 0.99).toFixed(1), "<=50",
			"median " + quantile(times, 0.5).toFixed(1) + " ms, " + said);
	}
	most = Math.max(most, anonymous(server.program));
	row("calls and states: memory / bytes of the logs", (most / bytes).toFixed(2), "<=2",
		"found in " + found.toFixed(1) + " s");
	const before = anonymous(server.program);
	await flames(server.url, duration, viewport, said);
	row("what flame graphs are made from: memory / bytes of the logs", ((anonymous(server.program) - before) / bytes).toFixed(2),
		"<=2", "calls of functions by lot: 32,768 paths for each thread");
	server.program.kill();
}

/* Flame graphs of windows whose pictures are there; the first reads all. */
async function flames(url, duration, viewport, said, of = "cpu") {
	const path = "flame?" + VIEW.split("?")[1] + viewport, begun = performance.now(), times = [];
	await ask(url, path + "&of=" + of);
	const first = (performance.now() - begun) / 1000;
	for (const [from, to] of windows(duration, FRAMES)) {
		await ask(url, VIEW + viewport + "&from=" + from + "&to=" + to);
		times.push((await ask(url, path + "&of=" + of + "&from=" + from + "&to=" + to)).took);
	}
	row((of === "cpu" ? "flame graph" : "flame graph of memory") + " of the window, p95 after the first, ms", quantile(times, 0.95).toFixed(1), "<=50",
		"median " + quantile(times, 0.5).toFixed(1) + " ms, the first " + first.toFixed(1) + " s, " + said);
}

/* The same of memory. */
async function takes(gorge, directory) {
	const server = await serve(gorge, directory);
	await ask(server.url, VIEW);
	const { count, duration, threads } = JSON.parse((await ask(server.url, "start")).text);
	await flames(server.url, duration, "", count / 1e6 + " million events, " + threads.length + " threads", "bytes");
	server.program.kill();
}

async function memory(gorge, directory, bytes, spec) {
	const begun = performance.now(), server = await serve(gorge, directory, "-s", spec);
	const { count } = JSON.parse((await ask(server.url, "start")).text);
	let most = await settle(server);
	const found = (performance.now() - begun) / 1000;
	await ask(server.url, VIEW);
	most = Math.max(most, anonymous(server.program));
	row("two intervals of " + count / 2e6 + " M instances: memory / bytes of the logs", (most / bytes).toFixed(2), "<=2",
		"found in " + found.toFixed(1) + " s");
	server.program.kill();
}

const [what, gorge, directory, bytes, spec] = process.argv.slice(2);
({ redefine, crowd, view: main, memory, lanes, recorded, takes })[what](gorge, directory, +bytes, spec)
	.catch((e) => { console.error("gorge-view.js: " + e.message); process.exit(1); });
