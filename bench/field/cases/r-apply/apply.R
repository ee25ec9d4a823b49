# Two forked processes compute with mclapply().
task <- function(n) {
	total <- 0
	for (i in seq_len(n))
		total <- total + i %% 7
	total
}
n <- as.numeric(commandArgs(TRUE)[1])
invisible(parallel::mclapply(rep(n, 8), task, mc.cores = 2))
