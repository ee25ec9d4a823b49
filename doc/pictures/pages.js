/*
 * pages.js GORGE ANNOTATED LOCKED COOKS TURNS: draws the pictures of gorge's page into the directory in which it is called, for
 * figures.sh. view.png is of ANNOTATED, a run of examples/pgz; why-page.png of LOCKED, a run of tests/analysis/why/hot.c;
 * flame-page.png of COOKS, a run of the kitchen in doc/views.md with the probe functions; gorge-whatif.png of TURNS, the
 * same as LOCKED without samples.
 */
"use strict";
const { SETTLED, serve } = require("../../tests/viewers/browsing.js");
const { browse } = require("../../tests/viewers/webdriver.js");

const [gorge, annotated, locked, cooks, turns] = process.argv.slice(2);
const click = (b, selector) => b.run("document.querySelector(arguments[0]).click()", selector);
const box = (b, selector) => b.run("const b = document.querySelector(arguments[0]).getBoundingClientRect();" +
	" return [b.left, b.top, b.width, b.height]", selector);

/* The blocks that took longest: the right part of the histogram of their durations. */
async function longest(b) {
	await b.run("view.setWindow(0.15 * view.state.duration, 0.5 * view.state.duration)");
	await b.until(SETTLED);
	await click(b, "#show-statistics");
	await b.until("[...document.querySelectorAll('#statistics tr')].some((r) => r.innerText.trim().startsWith('compress'))");
	await b.run("[...document.querySelectorAll('#statistics tr')].find((r) => r.innerText.trim().startsWith('compress')).click()");
	await b.until("document.querySelectorAll('#statistics .bins > span').length > 8");
	const [left, top, width, height] = await box(b, "#statistics .bins");
	await b.drag(left + 0.6 * width, top + height / 2, left + width - 2, top + height / 2);
	await b.until("/ take /.test(document.querySelector('#statistics .said').innerText)");
}

async function finding(b) {
	await b.run("view.setWindow(0.3 * view.state.duration, 0.5 * view.state.duration)");
	await click(b, "#show-why");
	await b.until("why.state().found && document.querySelector('#why li')", 30);
	await click(b, "#why li");
	await b.until(SETTLED + " && why.state().path && why.current()");
	await b.run("view.setWindow(0.4 * view.state.duration, 0.6 * view.state.duration)");
	await b.until(SETTLED + " && why.state().path && why.current()");
}

/* What the cooks wait for, narrowed to the pot. */
async function pot(b) {
	await click(b, "#show-flame");
	await b.until("flame.state().graph");
	await b.run("const s = document.querySelector('#flame select'); s.value = 'off'; s.dispatchEvent(new Event('change'))");
	await b.until("flame.state().graph.of === 'off' && document.querySelector('.frames [data-name^=\"LockWait pot\"]')");
	await click(b, ".frames [data-name^='LockWait pot']");
	await b.until("flame.state().stretches");
}

/* The run without its lock, from the card of a hold. */
async function without(b) {
	await b.run("return server.ask('step', { interval: 'LockHold', index: 9, to: 'longest' }).then((found) => details.pin(found))");
	await b.until("document.querySelector('#details form.whatif .steps button')");
	await click(b, "#details form.whatif .steps button");
	await b.until("whatif.state().answer && beside.other() && beside.other().idle() && why.current() && " +
		"document.querySelector('#whatif .result button')", 60);
}

async function draw(run, file, size, show) {
	const { program, url } = await serve([gorge, run]);
	const b = await browse(url, { size });

	try {
		await b.until(SETTLED, 30);
		await b.until("headline.idle()", 30);
		await show(b);
		await b.until(SETTLED);
		await b.hover(size[0] / 2, 5); // nothing is pointed at
		await b.picture(file);
	} finally {
		program.kill();
		await b.close();
	}
}

(async () => {
	await draw(annotated, "view.png", [1440, 900], longest);
	await draw(locked, "why-page.png", [1300, 950], finding);
	await draw(cooks, "flame-page.png", [1300, 900], pot);
	await draw(turns, "gorge-whatif.png", [1300, 1000], without);
})();
