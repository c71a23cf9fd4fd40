// Outgoing calls have their place here.
import 'node:https';
import '#database'; // expect: no-restricted-imports

export async function ping(address: string): Promise<number> {
  return (await fetch(address)).status;
}
