// The lowest area calls no other. // expect in this file: no-cycle
import '#articles'; // expect: no-restricted-imports
import '#media'; // expect: no-restricted-imports
import '#http';
import './operations/issue-token.ts';
