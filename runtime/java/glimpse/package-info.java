/**
 * Logs events of threaded programs at the cost of reading the clock. Programs call the class that
 * {@code glimpsec -l java} writes, and {@link glimpse.Glimpse} to control logging. {@link
 * glimpse.Log} and {@link glimpse.Specification} are for generated classes.
 */
package glimpse;
