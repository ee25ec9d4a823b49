/**
 * Logs events of threaded programs at the cost of reading the clock. Programs call the class that
 * {@code glimpsec -l java} writes; {@link glimpse.Glimpse} has what goes beyond it. {@link glimpse.Log} and
 * {@link glimpse.Specification} are for that class.
 */
package glimpse;
