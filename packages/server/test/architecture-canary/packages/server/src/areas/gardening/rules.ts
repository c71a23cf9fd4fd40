// An area that there is not, without a door.
export const green = true;
