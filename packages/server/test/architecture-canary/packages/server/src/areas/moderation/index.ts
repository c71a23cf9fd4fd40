// The highest area.
import '#social';
import '#discovery'; // expect: no-restricted-imports
