-- An end of the interval of a mean (Student 1908); side of -1 and 1: in 19 of 20 cases the true mean is between. From ten
-- degrees of freedom on, the quantile is the series of Cornish and Fisher.
CREATE OR REPLACE MACRO mean_end(mean, deviation, n, side) AS
mean
+ side
* coalesce([12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262][n - 1], 1.96 + 2.372 / (n - 1) + 2.823 / pow(n - 1, 2))
* deviation
/ sqrt(n);
