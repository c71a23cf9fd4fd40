// The pages /write and /write/{id}: the editor.
import { openEditor } from './write/editor.ts';

void openEditor();
