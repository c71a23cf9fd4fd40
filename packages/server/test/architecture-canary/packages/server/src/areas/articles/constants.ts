// A name beside the eight.
export const most = 1;
