// Asks before a page is left that shows what is shown only once.

function ask(event: Event): void {
  event.preventDefault();
}

/** From now on leaving the page asks. Returns what ends that. */
export function askBeforeLeaving(): () => void {
  addEventListener('beforeunload', ask);
  return () => removeEventListener('beforeunload', ask);
}
