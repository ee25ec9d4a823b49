/* The example view of CONTRIBUTING.md in a real browser. new-view.js GORGE RUN; exits with 1 if something is missing. */
"use strict";
const { ok, SETTLED, visit, end } = require("../../browsing.js");

const NAMES = "[...document.querySelectorAll('#busiest td:first-child')].map((e) => e.textContent).join()";

async function example(b) {
	await b.until(SETTLED);
	ok(await b.run("return document.getElementById('show-why').nextElementSibling.title") === "list the threads by running time (R)",
		"its button stands behind those of the scripts before it");
	await b.key("R");
	await b.until(NAMES + ".includes('baker')");
	ok(await b.run("return panel.current()") === "busiest", "its key opens its tab, with what the server answered");
	const times = await b.run("return [...document.querySelectorAll('#busiest td:last-child')].map((e) => e.textContent)");
	ok(times.length >= 2 && times.every((t) => /^[\d.]+ [mun]?s$/.test(t)), "which has a time for each thread: " + times);
	await b.run("document.getElementById('show-busiest').click()");
	ok(await b.run("return document.querySelector('aside').hidden"), "its button closes it");
	await b.run("document.getElementById('help').click()");
	ok(/R\s*list the threads by running time/.test(await b.run("return document.getElementById('keys').textContent")),
		"the help lists its key");
}

(async () => {
	const [gorge, run] = process.argv.slice(2);
	await visit([gorge, run], [example]);
	end();
})();
