// Articles may call identity and media; a neighbour's inside is not a door. // expect in this file: no-cycle
import '#identity';
import '#media';
import '#social'; // expect: no-restricted-imports
import '#search'; // expect: no-restricted-imports
import '../identity/queries.ts'; // expect: no-restricted-imports
