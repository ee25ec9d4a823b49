/*
 * gorge --follow of a program that glimpse record runs shows what the view after the end shows: each
 * thread once, names, waits, and a headline. running.js BUILD PROGRAM; prints TAP. PROGRAM is running.c.
 */
"use strict";
const { execFileSync, spawn } = require("child_process");
const fs = require("fs");
const { ok, SETTLED, serve, browserAt, end } = require("../../browsing.js");

const [build, program] = process.argv.slice(2);
const LIVE = "document.querySelector('footer .live').textContent";
const LINES = "return [...document.querySelectorAll('#headline p')].map((p) => p.textContent)";
const SHOWN = "return { threads: view.state.threads.map((t) => t.label).sort(), lanes: view.state.picture.lanes.map((l) => l.name)," +
	" waits: (view.state.picture.intervals.find((i) => i.name === 'LockWait') || {}).count }";
const rest = (ms) => new Promise((done) => setTimeout(done, ms));

async function whileItRuns(b) {
	await b.until(SETTLED);
	const asked = Date.now();
	await b.until("!document.getElementById('headline').hidden", 30);
	const [first] = await b.run(LINES);
	ok(/^So far: /.test(first) && /hot_lock|use_lock/.test(first), "a headline of what there is so far: " + first);
	console.log("# after " + (Date.now() - asked) + " ms");
	await b.until(SETTLED + " && view.state.threads.length === 3 && progress.idle()", 30);
	const { threads, lanes, waits } = await b.run(SHOWN);
	ok(threads.join() === "left,main,right", "each thread is there once: " + threads);
	ok(["left", "main", "right"].every((n) => lanes.filter((l) => l === n).length === 1), "and has one lane: " + lanes);
	ok(lanes.includes("hot_lock") && waits > 0, "the lock has its name and its lane, and " + waits + " waits are shown");
	const frames = await b.run("return server.ask('flame', { ...view.state.asked, of: 'cpu' }).then((g) => (g.frames || []).map((f) => f.name))");
	ok(frames.some((n) => /^use_lock/.test(n)), "functions have their names");
}

async function afterIt(b) {
	await b.until("/^the program has ended/.test(" + LIVE + ")", 60);
	await b.until(SETTLED + " && headline.idle() && !/^So far/.test(document.querySelector('#headline p').textContent)", 60);
	const { threads } = await b.run(SHOWN), lines = await b.run(LINES);
	const said = JSON.parse(execFileSync(build + "/glimpse", ["why", "--json", "live"])).headline.map((l) => l.text);
	ok(threads.join() === "left,main,right", "after the end the threads are the same: " + threads);
	ok(lines.join("\n") === said.join("\n"), "and the headline is that of glimpse why: " + lines[0]);
}

async function run() {
	const recorded = spawn(build + "/glimpse", ["record", "-q", "--probes", "threads,scheduler,samples", "-o", "live", "--", program],
		{ stdio: ["pipe", "ignore", "inherit"] });
	const over = new Promise((done) => recorded.once("exit", done));
	let gorge = null;
	try {
		for (let i = 0; i < 100 && !fs.existsSync("live/recorder/scheduler.spec"); i++)
			await rest(100);
		await rest(1500);
		const served = await serve([build + "/gorge", "live", "--follow"]);
		gorge = served.program;
		const b = await browserAt(served.url);
		await whileItRuns(b);
		recorded.stdin.end();
		await over;
		await afterIt(b);
	} catch (e) {
		ok(false, e.message);
	}
	recorded.stdin.end();
	if (gorge)
		gorge.kill();
	await end();
}

run();
