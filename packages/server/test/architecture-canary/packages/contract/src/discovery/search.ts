// A declaration in a folder that is not its area in the server.
const operation = (name: string): string => name;

export const issueToken = operation('issueToken');
