/** Logs events of threaded programs at the cost of reading the clock. */
module glimpse {
	exports glimpse;
}
