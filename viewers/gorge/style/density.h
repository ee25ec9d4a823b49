/* Chooses how closely lanes are set, by their number. */
#ifndef GLIMPSE_GORGE_STYLE_DENSITY_H
#define GLIMPSE_GORGE_STYLE_DENSITY_H

/* Lengths of every picture, in pixels. */
enum {
	PAGE_MARGIN = 20,
	PLOT_INDENT = 9, /* of the columns within the lanes, for symbols at the ends */
	LABEL_GAP = 8,   /* between the names of the lanes and the lanes */
	SHARES_GAP = 6,  /* between the lanes and what is at the right of them */
};

/* How closely a picture of so many lanes is set. Lengths are pixels. */
struct density {
	unsigned lanes;        /* up to so many */
	unsigned tracks, rows; /* of symbols and of bars: at most */
	double track, row;     /* their heights, */
	double state, thin;    /* of the row of states, and of what lies under the bars */
	double pad;            /* above and below what is in a lane */
	double least;          /* height of a lane */
	double radius;         /* of symbols */
	double font;           /* of the names */
};

/* Returns the density of a picture that may be as high as it needs. */
const struct density *density_for(unsigned lanes);
/* Returns the density after the given one, or NULL if no density is closer. */
const struct density *density_closer(const struct density *d);

#endif
