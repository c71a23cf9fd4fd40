// The highest area. // expect in this file: no-cycle
import '#social';
import '#search'; // expect: no-restricted-imports
