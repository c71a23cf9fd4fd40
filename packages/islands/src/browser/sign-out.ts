// The pages /join and /sign-in for somebody who is signed in: signs out, and shows the page as it is afterwards.
import { attempt, element, ready, send } from './exchange.ts';
import { forgetAllHalfWritten } from './half-written.ts';

element('.sign-out').addEventListener('click', () => {
  void attempt(element('#signed-in'), async () => {
    await send('POST', '/-/sign-out');
    forgetAllHalfWritten();
    location.reload();
  });
});

ready();
