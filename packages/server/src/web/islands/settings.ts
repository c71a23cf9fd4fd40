// The pages below /settings: the preview of a profile while it is typed.

/** Shows in the preview what is typed. The page has it after saving, rendered by the service. */
function preview(shown: HTMLElement): void {
  const [name, bio] = ['display_name', 'bio'].map(
    (field) => document.querySelector<HTMLInputElement>(`#${field}`)?.value.trim() ?? '',
  );
  const heading = shown.querySelector('h3');
  if (heading !== null) heading.textContent = name || (shown.dataset['username'] ?? '');
  const about = shown.querySelector('.bio') ?? document.createElement('p');
  about.className = 'bio';
  about.setAttribute('dir', 'auto');
  about.textContent = bio ?? '';
  if (bio === '') about.remove();
  else if (!about.isConnected) shown.querySelector('.meta')?.after(about);
}

document.addEventListener('input', () => {
  const shown = document.querySelector<HTMLElement>('.preview');
  if (shown !== null) preview(shown);
});
