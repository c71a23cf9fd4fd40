// Shares the address of an article through the system, or copies it.
import { all } from '../elements.ts';
import { copy } from './copy.ts';

async function share(button: HTMLElement, url: string): Promise<void> {
  if (typeof navigator.share !== 'function') {
    // It stands nowhere in the page.
    await copy(url, button, 'Copy it from the address bar');
    return;
  }
  // Closing the system's dialog is not a fault.
  await navigator.share({ title: document.title, url }).catch(() => undefined);
}

/** Shows the buttons that share, which nothing but a script can do. */
export function offerSharing(): void {
  for (const button of all('button[data-share][hidden]')) {
    const url = button.dataset['share'] ?? '';
    if (typeof navigator.share === 'function') button.textContent = 'Share';
    button.setAttribute('aria-live', 'polite');
    button.hidden = false;
    button.addEventListener('click', () => void share(button, url));
  }
}
