// Clean: the one place that reads the environment.
export const port = process.env['PORT'];
export const limits: unknown = JSON.parse('{}');
