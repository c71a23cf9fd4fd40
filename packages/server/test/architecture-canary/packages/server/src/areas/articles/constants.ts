// A name beside the seven.
export const most = 1;
