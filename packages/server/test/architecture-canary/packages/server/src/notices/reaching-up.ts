// Notices stand beside the outbox: every area may write one, so they know no area, no kernel and no driver.
import '#database';
import '#http'; // expect: no-restricted-imports
import '#events'; // expect: no-restricted-imports
import 'pg'; // expect: no-restricted-imports
