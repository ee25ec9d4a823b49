/*
 * The gains that gorge's page names, in its headline and in Why: each link's change is predicted, and the prediction has the
 * same digits. gains.js GORGE RUN...; prints TAP. The runs are programs of tests/why, recorded.
 */
"use strict";
const path = require("path");
const { ok, SETTLED, visit, end } = require("../../browsing.js");

const [gorge, ...runs] = process.argv.slice(2);
const TOLD = SETTLED + " && headline.idle()";
const SAID = "(whatif.state().answer && !whatif.state().running) || document.querySelector('#whatif .said.wrong')";

/* "19 % shorter (12 to 25 %)" with so many digits, as What if predicts it. */
function gainOf({ without_cost: whole, predicted, low, high }, digits) {
	const part = (ns) => (100 * (whole - ns) / whole).toFixed(digits).replace(/^-(0(\.0)?)$/, "$1");
	const range = (ns) => Math.min(100, 100 * (whole - ns) / whole).toFixed(0).replace(/^-0$/, "0");
	return part(predicted) + " % shorter (" + range(high) + " to " + range(low) + " %)";
}

/* What the change that is filled in predicts. */
async function predicted(b) {
	await b.until("panel.current() === 'whatif'");
	await b.run("document.querySelector('#whatif form.whatif').requestSubmit()");
	await b.until(SAID, 60);
	const answer = await b.run("return whatif.state().answer");
	return answer || { refused: await b.run("return document.querySelector('#whatif .said').textContent") };
}

/* Clicks the link, and compares with what it said. */
async function compare(b, name, text, click, digits) {
	await b.run("whatif.cancel()");
	await click();
	const answer = await predicted(b), none = /no shorter|cannot tell/.exec(text);
	const said = answer.refused ? "cannot tell" : gainOf(answer, digits);
	const good = none && none[0] === "no shorter" ? !answer.refused && answer.predicted >= 0.99 * answer.without_cost :
		none ? Boolean(answer.refused) : text.includes(said);
	ok(good, name + ": " + text + (good ? "" : ": " + (answer.refused || said)));
}

async function headlineLinks(b, name) {
	await b.until(TOLD, 60);
	const LINKS = "[...document.querySelectorAll('#headline [data-kind=what-if]')]";
	const texts = await b.run("return " + LINKS + ".map((a) => a.textContent)");
	for (let i = 0; i < texts.length; i++)
		await compare(b, name + ", headline", texts[i], () => b.run(LINKS.replace(/$/, "[" + i + "].click()")), 0);
	const all = await b.run("return document.getElementById('headline').innerText");
	const bare = (all.match(/\d+ % shorter(?! \(-?\d+ to -?\d+ %\))/g) || []).concat(all.match(/% in all(?! \()/g) || []);
	ok(!bare.length, name + ": each gain has its range" + bare.map((t) => ": " + t).join(""));
	return texts.length;
}

async function whyLinks(b, name) {
	await b.run("panel.show('why')");
	await b.until(SETTLED + " && why.state().found", 60);
	const LINKS = "[...document.querySelectorAll('#why [data-fix]')]";
	const texts = await b.run("return " + LINKS + ".map((a) => a.closest('p').textContent)");
	for (let i = 0; i < texts.length; i++)
		await compare(b, name + ", Why", texts[i], () => b.run("panel.show('why'); " + LINKS + "[" + i + "].click()"), 1);
	return texts.length;
}

(async () => {
	let links = 0;
	for (const run of runs)
		await visit([gorge, run], [async (b) => {
			links += await headlineLinks(b, path.basename(run)) + await whyLinks(b, path.basename(run));
		}]);
	ok(links >= runs.length, links + " links of " + runs.length + " recordings");
	await end();
})();
