// The page /-/link: opens a session with the secret in the fragment, once, when the person presses the button.
import { at, element, onSubmit, ready, send } from './exchange.ts';

const secret = location.hash.slice(1);
// The secret leaves the address and with it the history of the browser.
history.replaceState(null, '', location.pathname);

onSubmit(element<HTMLFormElement>('#link'), async () => {
  await send('POST', '/-/link', { secret });
  location.assign(at('/account'));
});

ready();
