// Discovery hears messages and calls nobody. // expect in this file: no-cycle
import '#outbox';
import '#articles'; // expect: no-restricted-imports
import '#identity'; // expect: no-restricted-imports
