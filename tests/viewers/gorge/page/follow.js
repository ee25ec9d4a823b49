/*
 * gorge --follow of a program that logs when it is told to, and --once of a browser that is killed.
 * follow.js BUILD PROGRAM. Prints TAP.
 */
"use strict";
const { execFileSync, spawn } = require("child_process");
const fs = require("fs");
const { ok, HASTE, SETTLED, serve, browserAt, end } = require("../../browsing.js");

const [build, program] = process.argv.slice(2);

/* The program logs 100 pairs for each line that it reads, and says so. */
function start(directory) {
	const child = spawn(program, { env: { ...process.env, GLIMPSE_DIR: directory },
				       stdio: ["pipe", "pipe", "inherit"] });
	const log = () => new Promise((done) => {
		child.stdout.once("data", done);
		child.stdin.write("\n");
	});
	return { child, log, over: new Promise((done) => child.once("exit", done)) };
}

/* "calls" of `glimpse stats`: how many there are. */
function counted(directory) {
	const stats = JSON.parse(execFileSync(build + "/glimpse", ["stats", "--format=json", directory]));
	return (stats.intervals || stats).find((i) => (i.interval || i.name) === "Call").count;
}

const COUNT = "view.state.picture.intervals[0].count";
const LIVE = "document.querySelector('footer .live').textContent";

function seen(b, count) {
	return b.until(SETTLED + " && " + COUNT + " === " + count, 60);
}

async function growing(b, run) {
	await seen(b, 100);
	ok(true, "what is logged already is shown");
	ok(/^running, 200 events/.test(await b.until(LIVE)), "and that the program runs");
	await run.log();
	await seen(b, 200);
	ok(true, "more is shown as it is logged");
	ok(await b.run("return view.state.to >= view.state.duration"), "the view goes on with the end");
	await b.run("view.setWindow(0, Math.round(view.state.duration / 2))");
	await b.until(SETTLED);
	const before = await b.run("return [view.state.from, view.state.to]");
	await run.log();
	await b.until("/400|600 events/.test(" + LIVE + ") && view.state.duration > " + 2 * before[1], 60);
	await b.until("/600 events; .* more/.test(" + LIVE + ")", 60);
	ok(true, "elsewhere it says that there is more");
	ok((await b.run("return [view.state.from, view.state.to]")).join() === before.join(), "and stays");
	await b.run("view.fit()");
	await seen(b, 300);
}

async function ending(b, run, directory) {
	run.child.stdin.end();
	await run.over;
	await b.until("/^the program has ended/.test(" + LIVE + ")", 60);
	ok(true, "the end of the program is told");
	ok(await b.run("return server.ask('start').then((s) => s.duration === view.state.duration)"),
	   "with the times as they were measured in the whole run");
	await b.run("view.fit()");
	await b.until(SETTLED);
	const shown = await b.run("return " + COUNT), there = counted(directory);
	ok(shown === there, "at the end the counts are those of glimpse stats" + (shown === there ? "" : ": " + shown + ", not " + there));
}

async function dying(b, run, directory) {
	await seen(b, 100);
	await run.log();
	run.child.kill("SIGKILL");
	await run.over;
	await b.until("/^the program has died/.test(" + LIVE + ")", 60);
	await b.run("view.fit()");
	await b.until(SETTLED);
	ok(await b.run("return " + COUNT) === 200 && counted(directory) === 200, "nothing is lost of a program that was killed");
}

async function follow(directory, parts) {
	const run = start(directory);
	await run.log();
	const { program: gorge, url } = await serve([build + "/gorge", directory, "--follow"]);
	const b = await browserAt(url);
	try {
		for (const part of parts)
			await part(b, run, directory);
	} catch (e) {
		ok(false, e.message);
	}
	gorge.kill();
	run.child.kill();
}

/* While the program logs and logs. */
async function streaming(b, run) {
	const LEAST = 20, late = Date.now() + 60000, seen_of = "[view.state.to >= view.state.duration, view.state.duration]";
	await seen(b, 100);
	let n = 0, behind = 0, lengths = new Set();
	for (; n < LEAST || (lengths.size <= 2 && Date.now() < late); n++) {
		await run.log();
		const [at_end, length] = await b.until(SETTLED + " && " + seen_of, 60);
		behind += at_end ? 0 : 1;
		lengths.add(length);
	}
	ok(lengths.size > 2, "more is shown while a program logs on");
	ok(behind === 0, "and the view stays with the end");
	await seen(b, 100 + 100 * n);
	ok(true, "until all is there, with its intervals");
}

/* The process of a browser, found by the folder of its profile. */
function processesOf(profile) {
	return fs.readdirSync("/proc").filter((n) => /^\d+$/.test(n)).filter((n) => {
		try {
			return fs.readFileSync("/proc/" + n + "/cmdline", "utf8").includes(profile);
		} catch (e) {
			return false;
		}
	}).map(Number);
}

async function killed(directory) {
	const { program: gorge, url } = await serve([build + "/gorge", directory, "--once"]);
	const over = new Promise((done) => gorge.once("exit", done));
	const b = await browserAt(url);
	await b.until(SETTLED);
	for (const id of processesOf(b.profile))
		process.kill(id, "SIGKILL");
	ok(await over === 0, "--once: it ends when its browser was killed");
}

async function run() {
	await (await browserAt("about:blank")).before(HASTE);
	await follow("one", [growing, ending]);
	await follow("two", [dying]);
	await follow("three", [streaming, ending]);
	await killed("one").catch((e) => ok(false, e.message));
	end();
}

run();
