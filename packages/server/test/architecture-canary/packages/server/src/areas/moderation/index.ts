// The highest area. // expect in this file: no-cycle
import '#social';
import '#discovery'; // expect: no-restricted-imports
