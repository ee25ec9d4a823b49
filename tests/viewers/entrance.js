/* Goes where an address that gorge prints leads, as a browser does: takes the cookie, and sends it with each request. */
"use strict";
const cookies = new Map();      /* by origin */

/* Gives the address of the view; the one that was printed is spent then. */
async function enter(invitation) {
	const response = await fetch(invitation), text = await response.text();
	const led = /http-equiv="refresh" content="0; url=([^"]*)"/.exec(text);
	if (!response.ok || !led)
		throw new Error(invitation + ": " + text);
	const { origin } = new URL(invitation);
	cookies.set(origin, response.headers.get("set-cookie").split(";")[0]);
	return origin + led[1];
}

const cookieOf = (url) => cookies.get(new URL(url).origin);

function get(url, options = {}) {
	return fetch(url, { ...options, headers: { ...options.headers, cookie: cookieOf(url) } });
}

module.exports = { enter, get, cookieOf };
