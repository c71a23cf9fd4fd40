// npm run record-upgrade -- ADDRESS: fills the running server at the address, and prints what it answers about all of it.
import { fill } from './fill.ts';
import { baseUrl } from './serve.ts';

const [address = 'http://localhost:8080'] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify(await fill(address, { baseUrl, suffix: '' }))}\n`);
