// Values, names and headers that break services: as JSON text, so that also what no object can hold is there.

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const nestedObject = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
const quoted = (text: string) => JSON.stringify(text);

/** JSON texts of single values, sound and unsound. */
export const oddValues: readonly string[] = [
  'null', 'true', 'false', '0', '-0', '5', '-1', '1.5', '1e2', '1E-400', '1e999', '-1e999', '9007199254740991',
  '9007199254740993', '-9007199254740993', '123456789012345678901234567890', '0.1e1', '1e308', '5e-324',
  `1${'0'.repeat(400)}`, `0.${'1'.repeat(5000)}`, '01', '+1', '.5', '1.', '0x10', 'NaN', 'Infinity', '-Infinity', 'undefined',
  '[]', '{}', '[null]', '[[]]', '{"a":{}}', '[1,"2",null]', nested(31), nested(32), nested(33), nested(5000), nestedObject(31),
  nestedObject(40), nestedObject(3000), `[${'0,'.repeat(5100)}0]`, `[${'[],'.repeat(4000)}0]`,
  '""', '" "', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00"', '"\\udbff\\ud800"', '"\\ud83d\\ude00"', '"\\uffff"', '"\\ufeff"',
  '"\\u202eabc\\u202c"', '"\\u200b"', '"\\u2028\\u2029"', '"\\u0001\\u001f\\u007f\\u0085"', '"\\x41"', '"\\u12"', "'single'",
  quoted('\u{1F600}'.repeat(300)), quoted('\u{1F600}'.repeat(301)), quoted('é'.repeat(301)), quoted('e\u0301'.repeat(200)),
  quoted('שלום עולם'), quoted('مرحبا'), quoted('\u{10FFFF}\u{E0001}'), quoted('ﷺ'.repeat(300)), quoted('ß'.repeat(32)),
  quoted('a'.repeat(300)), quoted('a'.repeat(301)), quoted('a'.repeat(8193)), quoted('a'.repeat(70_000)), quoted('\n'.repeat(2000)),
  quoted("'; drop table articles; --"), quoted('$1 $2 %s {} {{}}'), quoted('<script>alert(1)</script>'), quoted('../../etc/passwd'),
  quoted('https://'), quoted('http://['), quoted('https://a@b/'), quoted('javascript:alert(1)'), quoted(`https://a/${'x'.repeat(3000)}`),
  quoted('http://0x7f.1/'), quoted('http://a:99999/'), quoted('https://exa mple/'), quoted('https://пример.рф/'),
  quoted('en-US'), quoted('x-a'), quoted('i-klingon'), quoted('en-'), quoted('en_US'), quoted('de-DE-u-co-phonebk'), quoted('a'.repeat(20)),
  quoted('a@b'), quoted('a@b.c'), quoted(`${'a'.repeat(300)}@b.c`), quoted('"a b"@c.d'), quoted('a@b..c'), quoted(`a@${'a-'.repeat(5000)}`),
  quoted('public'), quoted('PUBLIC'), quoted('articles:write'), '["articles:write","articles:write"]', '["constructor"]', '["admin:moderate"]',
  quoted('0'.repeat(26)), quoted('Z'.repeat(26)), quoted('7'.repeat(26)), quoted('I'.repeat(26)), quoted('o'.repeat(26)), quoted('0'.repeat(27)),
  '{"__proto__":1}', '{"constructor":{"prototype":{"polluted":true}}}', '{"toString":1,"valueOf":2}', '{"toJSON":"x"}', '{"then":1}',
  '{"length":1e9}', '{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '{"":0}', `{${quoted('k'.repeat(20_000))}:1}`,
  `{"topics":[${quoted('x'.repeat(60))},${quoted('\u{1F600}')},5,null,{}]}`, '{"topics":"no list"}', '{"keywords":{"a":1}}', `{"topics":${nested(20)}}`,
];

/** Moments that do not exist, and those at the edges of what does. */
export const oddDates: readonly string[] = [
  '2026-02-30T00:00:00.000Z', '2026-02-29T00:00:00.000Z', '2024-02-29T00:00:00.000Z', '2026-13-01T00:00:00.000Z', '2026-00-10T00:00:00.000Z',
  '2016-12-31T23:59:60.000Z', '2026-01-01T24:00:00.000Z', '2026-01-01T00:60:00.000Z', '0000-01-01T00:00:00.000Z', '0000-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00.000Z', '0099-01-01T00:00:00.000Z', '1582-10-10T00:00:00.000Z', '1970-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z',
  '275760-09-13T00:00:00.000Z', '+275760-09-13T00:00:00.000Z', '-000001-01-01T00:00:00.000Z', '10000-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000+00:00', '2026-01-01 00:00:00.000Z', '2026-01-01T00:00:00.000z', '2026-01-01T00:00:00.0000Z',
  '2026-01-01', '٢٠٢٦-01-01T00:00:00.000Z', 'now', 'infinity', '-infinity', 'epoch', 'today', '2026-W01', '1e3', '',
];

/** JSON texts of member names. */
export const oddNames: readonly string[] = [
  '"__proto__"', '"\\u005f_proto__"', '"constructor"', '"prototype"', '"toString"', '"valueOf"', '"hasOwnProperty"', '"toJSON"', '"then"', '"length"',
  '""', '" "', '"\\u0000"', '"\\ud800"', '"a/b~c"', '"a.b"', '"a[0]"', '"$ref"', '"$where"', '"id"', '"status"', '"owner_principal_id"', '"trust_level"',
  '"TITLE"', '"title "', '"\\u0074itle"', '"content"', '"dry_run"', quoted('n'.repeat(5000)), quoted('\u{1F600}'), quoted('\u202etitle'), 'title', "'title'",
];

export const oddHeaders: readonly (readonly [string, string])[] = [
  ...['', 'text/plain', 'application/json; charset=utf-16', 'application/json;charset="utf-8"', 'application/JSON', 'application/json;', '/', ';;;',
    'application/jsonx', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', `application/json; a=${'b'.repeat(3000)}`,
    'application/json, text/plain', 'application/problem+json', '\u00ff'].map((value) => ['content-type', value] as const),
  ...['', 'short', 'x'.repeat(255), 'x'.repeat(256), 'x'.repeat(5000), 'with space in it', '\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9', '"quoted-key"', '%00%00%00%00',
    "'; drop table --", '__proto__', 'constructor'].map((value) => ['idempotency-key', value] as const),
  ...['', '*', '"', '""', 'W/"x"', '"a", "b"', '"a"b"', '0'.repeat(26), `"${'0'.repeat(26)}"`, `"${'0'.repeat(26)}.abc"`, '"...."', `"${'x'.repeat(9000)}"`, '"é"'].map(
    (value) => ['if-match', value] as const),
  ...['', '*', '"', '"a", W/"b"', `${'"a",'.repeat(2000)}`, 'garbage'].map((value) => ['if-none-match', value] as const),
  ...['', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', `Bearer clp_${'0'.repeat(62)}`, `Bearer clps_${'Z'.repeat(62)}`, `Bearer ${'x'.repeat(513)}`,
    `bearer ${'='.repeat(512)}`, 'Digest x', 'Bearer \u00e9'].map((value) => ['authorization', value] as const),
  ...['short', 'x'.repeat(64), 'x'.repeat(65), 'a b c d e f g', '../../../../etc', '<script>x</script>', '%0d%0aX: y', '\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9'].map(
    (value) => ['x-request-id', value] as const),
  ...['gzip', 'br;q=0', '*;q=0', 'identity;q=0', 'identity;q=0, *;q=0', 'deflate, zstd', ';;q', 'gzip;q=abc', ','.repeat(500), 'x'.repeat(4000)].map(
    (value) => ['accept-encoding', value] as const),
  ...['text/html', '*/*;q=0', 'application/xml', ';', 'text/*;q=2', ','.repeat(500)].map((value) => ['accept', value] as const),
  ...['100-continue', '200-ok', ''].map((value) => ['expect', value] as const),
  ...['gzip', 'identity', 'br, gzip', ''].map((value) => ['content-encoding', value] as const),
  ...['h2c', 'websocket'].map((value) => ['upgrade', value] as const),
  ...['bytes=0-1', 'bytes=-1', 'lines=0-', 'bytes=9-1'].map((value) => ['range', value] as const),
  ...['null', 'http://evil.example', 'x'.repeat(3000)].map((value) => ['origin', value] as const),
  ...['1.2.3.4', '::1', "' or 1=1", 'x'.repeat(2000)].map((value) => ['x-forwarded-for', value] as const),
  ...['DELETE', 'TRACE'].map((value) => ['x-http-method-override', value] as const),
];

/** Values of query parameters, as they stand in an address. */
export const oddParameters: readonly string[] = [
  '', '0', '1', '20', '100', '101', '-1', '+5', '1.0', '1e1', '0x10', '%31', '999999999999999', '9999999999999999999999', 'NaN', 'null', 'true', 'TRUE', 'false', '1%00',
  '%00', '%ff', '%C0%80', '%ED%A0%80', '%F0%9F%98%80', '%E0%A4%A', '%', '%zz', '%2', '+', '%2B', '%20', '[]', '{}', '%5B%5D', "'", '%27;--', '\\', '%5C', 'a'.repeat(64), 'a'.repeat(65),
  'a'.repeat(9000), 'latest', 'published', 'draft', 'removed', 'public', 'private', 'human', 'agent', 'en', 'x-y', '0'.repeat(26), 'Z'.repeat(26), 'i'.repeat(26), '7'.repeat(26),
  '0'.repeat(25), '0'.repeat(27), '__proto__', 'constructor', '%D7%A9%D7%9C%D7%95%D7%9D', '%E2%80%AE', ...oddDates.map(encodeURIComponent),
];

export const oddParameterNames: readonly string[] = [
  'limit', 'cursor', 'author', 'topic', 'language', 'disclosure', 'kind', 'signed', 'since', 'until', 'status', 'visibility', 'view', 'dry_run', 'principal_id',
  'unknown', '', '__proto__', 'constructor', 'toString', 'limit%00', 'limit[]', 'limit[gt]', 'LIMIT', '%6Cimit', '%ff', '%', 'a'.repeat(3000), '%F0%9F%98%80',
];

/** What may stand where an id belongs. */
export const oddSegments: readonly string[] = [
  '0', '-1', 'null', 'undefined', '0'.repeat(25), '0'.repeat(27), 'Z'.repeat(26), 'i'.repeat(26), 'U'.repeat(26), 'l'.repeat(26), `${'0'.repeat(25)}%30`, `${'0'.repeat(25)}%00`,
  '%00', '%00'.repeat(26), '%2F', '%2F..%2F', '..%2f..%2fetc%2fpasswd', '%2e%2e', '.', '..', '...', '%', '%zz', '%E0%A4%A', '%C0%AF', '%ED%A0%80', '%F0%9F%98%80', '%ff', ';', ';a=b',
  '*', ':id', '{id}', '__proto__', 'constructor', "'", '"', '%22', '<', '%3C', '+', '%20', ' '.replace(' ', '%09'), 'a'.repeat(499), 'a'.repeat(501), 'a'.repeat(5000), '%41'.repeat(400), '0'.repeat(26).concat('?'),
  '0'.repeat(26).concat('#x'), '0'.repeat(26).concat('/'), '', '/', '//', '\\', '%5C',
];
