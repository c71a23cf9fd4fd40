// Media may call identity, but no area above itself. // expect in this file: no-cycle
import '#identity';
import '#articles'; // expect: no-restricted-imports
