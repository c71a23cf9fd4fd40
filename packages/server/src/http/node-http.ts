// What the server uses of node:http. Imported as an ES module, it would read all its exports, of which WebSocket
// loads an HTTP client: 35 ms and 4 MB that no start needs.
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
