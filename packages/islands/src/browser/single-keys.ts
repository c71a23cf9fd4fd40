// Shortcuts of a single key, which a person can switch off: speech input and stray touches press them too (WCAG 2.2, 2.1.4).

const storeName = 'colophon-single-keys';
let areOn = true;
try {
  areOn = localStorage.getItem(storeName) !== 'off';
} catch {
  // Storage is switched off: the choice is kept until the page is left.
}

/** Whether a key is a shortcut: one that writes a character is none where a person has switched them off. */
export function isShortcut(key: string): boolean {
  return areOn || [...key].length > 1;
}

function set(on: boolean): void {
  areOn = on;
  try {
    localStorage.setItem(storeName, on ? 'on' : 'off');
  } catch {
    // As above.
  }
}

/** Adds the switch to each list of keys: the page has them only while this script runs. */
function addSwitches(): void {
  for (const list of document.querySelectorAll('.keys:not(:has(input))')) {
    const label = document.createElement('label');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = areOn;
    box.addEventListener('change', () => set(box.checked));
    label.append(box, ' Use these keys');
    list.append(label);
  }
}

document.addEventListener('shown', addSwitches);
addSwitches();
