/* What tests of gorge's page share: TAP, the server of a trace, and a browser that looks at it. */
"use strict";
const { spawn } = require("child_process");
const { browse } = require("./webdriver.js");

let count = 0, failures = 0;

function ok(good, name) {
	count++;
	failures += good ? 0 : 1;
	console.log((good ? "ok " : "not ok ") + count + " - " + name);
}

function serve([gorge, ...options]) {
	const program = spawn(gorge, options, { stdio: ["ignore", "pipe", "ignore"] });
	return new Promise((resolve, reject) => {
		program.stdout.once("data", (text) => resolve({ program, url: String(text).trim() }));
		program.once("exit", (status) => reject(new Error(gorge + " ended with " + status + " before it served")));
	});
}

/* A script before those of a page: the page pauses a tenth as long as it does for people. */
const HASTE = `
	const later = window.setTimeout;
	window.setTimeout = (what, ms, ...rest) => later.call(window, what, ms >= 100 ? ms / 10 : ms, ...rest);`;

/* The newest picture is painted, and nothing is asked for. */
const SETTLED = "typeof view !== 'undefined' && view.state.picture && view.idle()";

/* One for all visits: to start it takes longer than most of them. */
let browser = null;

async function browserAt(url) {
	if (browser)
		await browser.open(url);
	else
		browser = await browse(url);
	return browser;
}

/* Runs the parts, each with the browser at the page that the command line serves. */
async function visit(command, parts) {
	let server;
	try {
		server = await serve(command);
		const b = await browserAt(server.url);
		for (const part of parts)
			await part(b);
		const uncaught = await b.uncaught();
		ok(uncaught.length === 0, "all exceptions were caught" + uncaught.map((u) => "\n# " + u).join(""));
	} catch (e) {
		ok(false, e.message);
	}
	if (server)
		server.program.kill();
}

/* The same in a browser of its own, whose window has that size. */
async function visitAt(size, command, parts) {
	const shared = browser;
	let server;
	try {
		server = await serve(command);
		browser = await browse(server.url, { size });
		for (const part of parts)
			await part(browser);
	} catch (e) {
		ok(false, e.message);
	}
	if (browser && browser !== shared)
		await browser.close();
	browser = shared;
	if (server)
		server.program.kill();
}

async function end() {
	if (browser)
		await browser.close();
	console.log("1.." + count);
	process.exitCode = failures ? 1 : 0;
}

module.exports = { ok, HASTE, SETTLED, serve, browserAt, visit, visitAt, end };
