// Social may call articles and what is below; no area calls search or events. // expect in this file: no-cycle
import '#articles';
import '#identity';
import '#moderation'; // expect: no-restricted-imports
import '#events'; // expect: no-restricted-imports
