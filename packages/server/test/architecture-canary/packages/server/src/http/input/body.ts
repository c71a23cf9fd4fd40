// Clean: input is parsed here.
export const parsed: unknown = JSON.parse('{}');
