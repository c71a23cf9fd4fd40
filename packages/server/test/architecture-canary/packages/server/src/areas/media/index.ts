// Media may call identity, but no area above itself.
import '#identity';
import '#articles'; // expect: no-restricted-imports
