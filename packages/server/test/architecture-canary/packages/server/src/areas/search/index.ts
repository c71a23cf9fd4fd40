// Search shows what lower areas have, and changes nothing there. // expect in this file: no-cycle
import '#outbox';
import '#articles';
import '#media'; // expect: no-restricted-imports
import '#moderation'; // expect: no-restricted-imports
