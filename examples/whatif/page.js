/*
 * page.js GORGE RUN FUNCTION FACTOR FILE: draws gorge's page of RUN into FILE, with the run in which FUNCTION is FACTOR times as
 * fast above it. For figures.sh.
 */
"use strict";
const { SETTLED, serve } = require("../../tests/viewers/browsing.js");
const { browse } = require("../../tests/viewers/webdriver.js");

const [gorge, run, name, factor, file] = process.argv.slice(2);
const SHOWN = SETTLED + " && whatif.state().answer && beside.other() && beside.other().idle() && why.current() && " +
	"document.querySelector('#whatif .result button')";
const SIZE = [1300, 780];

(async () => {
	const { program, url } = await serve([gorge, run]);
	const b = await browse(url, { size: SIZE });

	try {
		await b.until(SETTLED, 30);
		await b.until("headline.idle()", 30);
		await b.run("lanes.foldAll()"); // all threads of both runs are in sight
		await b.until(SETTLED);
		await b.run("whatif.propose({ kind: 'function', name: arguments[0] }, arguments[1])", name, factor);
		await b.run("document.querySelector('#whatif form.whatif').requestSubmit()");
		await b.until(SHOWN, 60);
		await b.until(SETTLED);
		await b.hover(SIZE[0] / 2, 5); // nothing is pointed at
		await b.picture(file);
	} finally {
		program.kill();
		await b.close();
	}
})();
