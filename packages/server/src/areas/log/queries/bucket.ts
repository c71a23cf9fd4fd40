// The bucket of the log. One tree has one order, so its rows are together.

export const logBucket = 0;
