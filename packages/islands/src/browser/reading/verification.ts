// Offers the check of a signature. Its script, which is larger than all others, is loaded when it is asked for.
import { all } from '../elements.ts';

type Verifier = typeof import('../verify.ts');

async function verify(panel: HTMLElement, button: HTMLButtonElement): Promise<void> {
  button.disabled = true;
  try {
    const address = new URL(panel.dataset['verifier'] ?? '', document.baseURI);
    const { showVerification } = (await import(address.href)) as Verifier;
    await showVerification(panel);
  } catch {
    const place = panel.querySelector('.verdict');
    if (place !== null) place.textContent = 'The check could not be loaded. Try again.';
  } finally {
    button.disabled = false;
  }
}

export function offerVerification(): void {
  for (const panel of all('.verify')) {
    const button = panel.querySelector<HTMLButtonElement>('button[hidden]');
    if (button === null) continue;
    button.hidden = false;
    button.addEventListener('click', () => void verify(panel, button));
  }
}
