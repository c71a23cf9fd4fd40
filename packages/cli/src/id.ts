// The ids of the service.

const idForm = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** Whether a text is an id: 26 characters of Crockford's base32. */
export const isId = (text: string) => idForm.test(text);
