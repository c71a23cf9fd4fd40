export const silent = 1;
