// Asks a person whose session has ended to sign in again, above the page: nothing on it is lost.
import { attempt, usePasskey } from './exchange.ts';

function part<K extends keyof HTMLElementTagNameMap>(name: K, text = ''): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** The one dialog of the page: several requests can find out at once that the session has ended. */
let asked: Promise<boolean> | undefined;

/** Opens the dialog. Resolves with true when the person is signed in again, with false when they close it. */
export function signInAgain(): Promise<boolean> {
  asked ??= ask().finally(() => {
    asked = undefined;
  });
  return asked;
}

function ask(): Promise<boolean> {
  const dialog = part('dialog');
  const title = part('h2', 'Sign in again');
  const fault = part('p');
  const [signIn, later] = [part('button', 'Sign in with a passkey'), part('button', 'Not now')];
  const buttons = part('p');
  dialog.className = 'dialog';
  title.id = 'sign-in-again';
  dialog.setAttribute('aria-labelledby', title.id);
  fault.className = 'fault';
  fault.role = 'alert';
  later.className = 'quiet';
  buttons.append(signIn, ' ', later);
  dialog.append(title, part('p', 'Your session has ended. Nothing that you typed is lost.'));
  dialog.append(fault, buttons);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    const close = (isSignedIn: boolean) => {
      // Removing alone would not give the focus back: the next letters would be lost.
      dialog.close();
      dialog.remove();
      resolve(isSignedIn);
    };
    later.addEventListener('click', () => close(false));
    dialog.addEventListener('cancel', () => close(false));
    signIn.addEventListener('click', () => {
      void attempt(dialog, async () => {
        await usePasskey('/-/sign-in');
        close(true);
      });
    });
  });
}
