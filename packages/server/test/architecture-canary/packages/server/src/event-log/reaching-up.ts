// The event log stands beside the outbox: every area appends to it, so it knows no area, no kernel and no driver.
import '#database';
import '#http'; // expect: no-restricted-imports
import '#events'; // expect: no-restricted-imports
import 'pg'; // expect: no-restricted-imports
