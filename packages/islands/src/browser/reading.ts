// What a text is read with: copied code, notes beside it, the place where reading stopped, sharing, the check of its signature.
import { addCopyButtons } from './reading/copy.ts';
import { letKeysIn, watchWidths } from './reading/keys.ts';
import { layOutNotes, watchNotes } from './reading/notes.ts';
import { keepPosition } from './reading/position.ts';
import { offerSharing } from './reading/share.ts';
import { offerVerification } from './reading/verification.ts';

function setUp(): void {
  addCopyButtons();
  letKeysIn();
  layOutNotes();
  offerSharing();
  offerVerification();
}

setUp();
watchNotes();
watchWidths();
keepPosition();
// The script `live` has replaced the content of the page.
document.addEventListener('shown', setUp);
// The check of the signature shows a command.
document.addEventListener('copyable', addCopyButtons);
