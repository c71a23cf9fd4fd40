// The page /-/link: says whose account the link opens, and opens a session when the person presses the button.
import { at, attempt, element, onSubmit, ready, send } from './exchange.ts';

const secret = location.hash.slice(1);
// The secret leaves the address and with it the history of the browser.
history.replaceState(null, '', location.pathname);

// Another link opened in this tab changes nothing but the fragment.
addEventListener('hashchange', () => location.reload());

const form = element<HTMLFormElement>('#link');
const { signedIn } = form.dataset;
let username: string | undefined;

/** Names the account of the link, and what happens to the one that is signed in. */
async function nameAccount(): Promise<void> {
  ({ username } = await send<{ readonly username: string }>('POST', '/-/link/account', { secret }));
  const isSame = signedIn === username;
  element('#whose').textContent = isSame
    ? `This link is of @${username}, as which you are signed in already.`
    : `This link signs you in as @${username}.`;
  if (signedIn !== undefined && !isSame)
    element('#link button').textContent = `Sign out of @${signedIn} and sign in as @${username}`;
}

onSubmit(form, async () => {
  // The service could not be reached when the page was opened: the person reads the name first.
  if (username === undefined) return nameAccount();
  const confirmed = signedIn === undefined || signedIn === username ? {} : { instead_of: signedIn };
  await send('POST', '/-/link', { secret, ...confirmed });
  location.assign(at('/settings/security'));
});

void attempt(form, nameAccount).then(ready);
