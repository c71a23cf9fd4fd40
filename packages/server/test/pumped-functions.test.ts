// Every function that reads texts of participants takes time in proportion to them, and a new one needs a row here.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import * as base64 from '#lib/base64';
import * as canonical from '#lib/canonical-json';
import { spansIn } from '../../text/src/signals/code-spans.ts';
import { fromCrockford } from '@colophon/text/lib/crockford';
import { formPieces } from '../src/http/input/form.ts';
import { fold } from '../../text/src/signals/folded-text.ts';
import { escapeAttribute, escapeText } from '@colophon/text/lib/escape';
import { excerpt } from '#lib/excerpt';
import { hiddenLinksIn } from '../../text/src/signals/hidden-links.ts';
import { isId } from '#lib/id';
import * as forms from '../src/areas/search/rules/text-forms.ts';
import { instructionsIn } from '../../text/src/signals/instructions.ts';
import { parseJson } from '../../text/src/json/json-input.ts';
import * as numbers from '../../text/src/json/number.ts';
import { scanJson } from '../../text/src/json/scan.ts';
import { guessLanguage } from '../../text/src/language.ts';
import * as languages from '@colophon/text/lib/language-tag';
import { isLoopback } from '#lib/loopback';
import { shownAddress } from '#lib/shown-address';
import { addressText } from '../src/web/components/address.ts';
import { matchesOf } from '../../text/src/signals/matches.ts';
import { hashNonce } from '../src/areas/identity/rules/keys.ts';
import { hostToShow } from '../../text/src/named-host.ts';
import { readSecret } from '#lib/bucket-secret';
import * as cursors from '#lib/list-cursor';
import { toNormalForm } from '@colophon/text/lib/normal-form';
import * as pieces from '#lib/pieces';
import { isLonger, tooLong } from '../src/lib/text-length.ts';
import { piecesOf } from '@colophon/text/lib/text-pieces';
import { plainBlocks, plainText } from '@colophon/text/lib/plain-text';
import { withoutCode } from '../../text/src/signals/shown-code.ts';
import { signalsIn } from '../../text/src/signals/signals.ts';
import * as slugs from '#lib/slug';
import { insertMarker } from '../../text/src/spotlight/spotlight.ts';
import { isTimestamp } from '#lib/timestamp';
import * as tokens from '@colophon/text/lib/token-text';
import * as uris from '#lib/uri';
import * as usernames from '../src/areas/identity/rules/username.ts';
import * as visible from '@colophon/text/lib/visible-text';
import { wholeCharacters } from '#lib/whole-characters';
import * as directions from '@colophon/text/lib/writing-direction';
import { parseQuery } from '../src/areas/search/rules/parse-query.ts';
import * as snippets from '../src/areas/search/rules/snippets.ts';
import * as addresses from '../../text/src/markdown/addresses.ts';
import { moveHeadings } from '../../text/src/markdown/outline.ts';
import { preformat } from '../../text/src/preformatted.ts';
import { jsonBlock } from '../src/web/html.ts';
import { pageTitle, topicPath } from '../src/web/components/components.ts';
import * as desk from '../src/web/components/desk.ts';
import * as folded from '../src/web/components/folded.ts';
import * as prose from '../src/web/components/markdown-html.ts';
import { withChangedQuotes } from '../src/web/components/quotes.ts';
import { lengthOf, minutesToRead } from '@colophon/text/lib/word-count';
import { wordPieces } from '@colophon/text/lib/word-pieces';
import * as xml from '../src/web/xml.ts';
import { functionsOnTexts, pumpsForFunctions } from './pumps/functions.ts';
import { superlinear } from './pumps/linear.ts';

const server = join(import.meta.dirname, '../src');
const texts = join(import.meta.dirname, '../../text/src');
const patterns = [
  '{lib,web,web/components}/*.ts',
  'areas/search/rules/text-forms.ts',
  'areas/identity/rules/{keys,reserved-usernames,username}.ts',
];
const patternsOfTexts = ['{json,lib,markdown,signals,spotlight}/*.ts', '{language,named-host}.ts'];
const site = { baseUrl: 'https://a.example', mediaBaseUrl: 'https://a.example/media' };
const limits = { maxDepth: 32, maxMembers: 5_000 };
const looked = {
  isMatch: () => true,
  beginnings: snippets.beginningsOf(['ignore', 'a']),
  pairs: ['漢'],
};

const changed = { id: 'id', quotes: [0], revision_id: 'id' };

const asIs = (text: string) => text;

type Work = (text: string) => unknown;

const rows: Readonly<Record<string, Work>> = {
  'lib/base64.ts readBase64': (text) => base64.readBase64(text, 64),
  'lib/canonical-json.ts canonicalJson': (text) => canonical.canonicalJson({ [text]: [text] }),
  'text/signals/code-spans.ts spansIn': spansIn,
  'text/lib/crockford.ts fromCrockford': (text) => fromCrockford(text, 0, 26),
  'text/lib/escape.ts escapeText': escapeText,
  'text/lib/escape.ts escapeAttribute': escapeAttribute,
  'lib/excerpt.ts excerpt': excerpt,
  'text/signals/folded-text.ts fold': fold,
  'text/signals/hidden-links.ts hiddenLinksIn': hiddenLinksIn,
  'lib/id.ts isId': isId,
  'areas/search/rules/text-forms.ts withoutHidden': forms.withoutHidden,
  'areas/search/rules/text-forms.ts asIndexed': forms.asIndexed,
  'areas/search/rules/text-forms.ts shownText': forms.shownText,
  'areas/search/rules/text-forms.ts shownPieces': (text) => [...forms.shownPieces(text)],
  'text/signals/instructions.ts instructionsIn': instructionsIn,
  'text/json/json-input.ts parseJson': (text) => parseJson(Buffer.from(text), limits),
  'text/json/number.ts numberEnd': (text) => numbers.numberEnd(Buffer.from(text), 0),
  'text/json/number.ts fitsDouble': numbers.fitsDouble,
  'text/json/scan.ts scanJson': (text) => scanJson(Buffer.from(text), limits),
  'text/language.ts guessLanguage': (text) => guessLanguage(text, () => []),
  'text/lib/language-tag.ts canonicalLanguageTag': languages.canonicalLanguageTag,
  'text/lib/language-tag.ts isLanguageTag': languages.isLanguageTag,
  'lib/list-cursor.ts readCursor': (text) => cursors.readCursor(text, 'date'),
  'lib/list-cursor.ts readDateCursor': cursors.readDateCursor,
  'lib/loopback.ts isLoopback': isLoopback,
  'text/signals/matches.ts matchesOf': (text) => matchesOf(text, /a/g),
  'text/named-host.ts hostToShow': (text) => [
    hostToShow(text, 'https://a.example'),
    hostToShow('a.example', `https://b.example/${text}`),
  ],
  'lib/shown-address.ts shownAddress': shownAddress,
  'web/components/address.ts addressText': addressText,
  'lib/text-length.ts isLonger': (text) => isLonger(text, 40_000),
  'lib/text-length.ts tooLong': (text) => tooLong(text, 10),
  'text/lib/text-pieces.ts piecesOf': (text) => [...piecesOf(text)],
  'lib/pieces.ts lengthIn': (text) => pieces.lengthIn({ items: [{ text }] }),
  'lib/pieces.ts isLong': (text) => pieces.isLong({ items: [{ text }] }),
  'lib/pieces.ts encodeText': (text) => pieces.encodeText(text),
  // No call needs more: Markdown is slow by its length.
  'text/lib/plain-text.ts plainText': (text) => plainText(text, { limit: 4_000, inlineCode: true }),
  'text/lib/plain-text.ts plainBlocks': (text) =>
    plainBlocks(text.slice(0, 4_000), { limit: 4_000, definitions: text.slice(-4_000) }).map(
      ({ text: read, isProse }) => [read, isProse],
    ),
  'areas/identity/rules/keys.ts hashNonce': hashNonce,
  'text/lib/normal-form.ts toNormalForm': (text) => toNormalForm(text),
  'text/signals/shown-code.ts withoutCode': withoutCode,
  'text/signals/signals.ts signalsIn': signalsIn,
  'lib/slug.ts stripDiacritics': slugs.stripDiacritics,
  'lib/slug.ts slugify': slugs.slugify,
  'lib/slug.ts articlePath': (text) => slugs.articlePath('ann', text, 'id'),
  'lib/slug.ts articleUrl': (text) =>
    slugs.articleUrl('', { username: 'ann', title: text, id: 'id' }),
  'lib/slug.ts topicSlug': slugs.topicSlug,
  'lib/slug.ts topicsOf': (text) => slugs.topicsOf({ topics: [text] }),
  'lib/slug.ts topicMetadata': (text) => slugs.topicMetadata(JSON.stringify({ topics: [text] })),
  'lib/slug.ts namedTopicsOf': (text) => slugs.namedTopicsOf({ topics: [text] }),
  'text/spotlight/spotlight.ts insertMarker': (text) => insertMarker(text, '~marker~'),
  'lib/timestamp.ts isTimestamp': isTimestamp,
  'lib/bucket-secret.ts readSecret': readSecret,
  'text/lib/token-text.ts readToken': (text) => tokens.readToken(text, 'production'),
  'text/lib/token-text.ts findTokens': tokens.findTokens,
  'text/lib/token-text.ts tokenPointers': (text) => tokens.tokenPointers({ [text]: [text] }),
  'text/lib/token-text.ts maskTokens': tokens.maskTokens,
  'areas/search/rules/text-forms.ts splitUnspaced': forms.splitUnspaced,
  'areas/search/rules/text-forms.ts pairsOf': forms.pairsOf,
  'areas/search/rules/text-forms.ts quoteLexeme': forms.quoteLexeme,
  'lib/uri.ts isHttpUri': uris.isHttpUri,
  'lib/uri.ts canonicalLink': uris.canonicalLink,
  'lib/uri.ts isWebAddress': uris.isWebAddress,
  'areas/identity/rules/username.ts canonicalUsername': usernames.canonicalUsername,
  'areas/identity/rules/username.ts usernameSkeleton': usernames.usernameSkeleton,
  'areas/identity/rules/username.ts nameOf': usernames.nameOf,
  'text/lib/visible-text.ts isNeeded': (text) => visible.isNeeded(text, text.length >> 1),
  'text/lib/visible-text.ts hiddenCharacter': visible.hiddenCharacter,
  'text/lib/visible-text.ts visibleText': visible.visibleText,
  'text/lib/word-count.ts lengthOf': lengthOf,
  'text/lib/word-count.ts minutesToRead': minutesToRead,
  'text/lib/word-pieces.ts wordPieces': wordPieces,
  'lib/whole-characters.ts wholeCharacters': (text) => wholeCharacters(text, 300),
  'text/lib/writing-direction.ts directionOfText': directions.directionOfText,
  'text/lib/writing-direction.ts directionOf': (text) => directions.directionOf(text, text),
  'text/lib/writing-direction.ts directionOfPart': (text) => directions.directionOfPart('he', text),
  'text/lib/writing-direction.ts beginsRightToLeft': directions.beginsRightToLeft,
  'text/markdown/addresses.ts slugOf': addresses.slugOf,
  'text/markdown/addresses.ts mediaAddress': (text) => addresses.mediaAddress(text, site),
  'text/markdown/addresses.ts linkTarget': (text) => addresses.linkTarget(text, site),
  'text/markdown/outline.ts moveHeadings': (text) => moveHeadings(text, 1),
  'web/html.ts jsonBlock': jsonBlock,
  'web/components/components.ts topicPath': topicPath,
  'web/components/components.ts pageTitle': (text) => pageTitle(text, 'cursor'),
  'web/components/markdown-html.ts prefixIds': (text) => prose.prefixIds(text, 'c1'),
  'web/components/markdown-html.ts withDirection': (text) => prose.withDirection(text, 'rtl'),
  'web/components/markdown-html.ts markBareLinks': prose.markBareLinks,
  'web/components/markdown-html.ts readable': prose.readable,
  'web/components/markdown-html.ts absoluteLinks': (text) =>
    prose.absoluteLinks(text, 'https://a.example'),
  'web/components/desk.ts sourceText': (text) =>
    desk.sourceText(text, { label: 'Text', isWhole: true }),
  'web/components/desk.ts sourceLine': desk.sourceLine,
  'web/components/desk.ts withCodes': desk.withCodes,
  'web/components/desk.ts sourceFold': (text) => desk.sourceFold(text, 'Text'),
  'web/components/folded.ts beginningOf': folded.beginningOf,
  'web/components/folded.ts foldText': (text) =>
    folded.foldText(text, { short: asIs, beginning: asIs, whole: asIs }),
  'web/components/quotes.ts withChangedQuotes': (text) =>
    withChangedQuotes(`<blockquote>${text}</blockquote>`, changed, { path: '/a', now: 'id' }),
  'web/xml.ts writable': xml.writable,
  'web/xml.ts compactXml': xml.compactXml,
  'web/xml.ts withoutTags': xml.withoutTags,
};

/** Of folders in which not every function on a text reads one of a participant. */
const others: Readonly<Record<string, Work>> = {
  formPieces: (text) => [...formPieces(Buffer.from(text))],
  preformat,
  parseQuery,
  wordsLike: (text) => snippets.wordsLike(text, looked.beginnings),
  snippetOf: (text) => snippets.snippetOf(text, looked),
};

/** Functions on texts that no participant makes long, and why. */
const unpumped: Readonly<Record<string, string>> = {
  'lib/canonical-json.ts canonicalHash': '`canonicalJson`, and a hash of the platform in pieces',
  'lib/canonical-json.ts sha256Hex': 'a hash of the platform',
  'lib/id.ts bucketOf': 'an id that was checked',
  'lib/id.ts keyOf': 'an id that was checked',
  'lib/id.ts bucketOfText': 'a hash of the platform',
  'lib/list-cursor.ts writeCursor': 'a mark of the service',
  'areas/identity/rules/keys.ts bucketOfKey': 'a hash of the platform',
  'areas/identity/rules/username.ts bucketOfName': 'a hash of the platform',
  'areas/identity/rules/username.ts usernameKey': 'a username that was checked: 32 characters',
  'areas/identity/rules/reserved-usernames.ts isReservedUsername':
    'a username that was checked: 32 characters',
  'lib/stored-json.ts readStored': '`JSON.parse`, of 16 KiB',
  'lib/stored-json.ts storedJson': 'wraps the text',
  'lib/stored-json.ts storedText': 'answers what was wrapped',
  'text/json/read-json.ts readJson': '`parseJson`, in a thread',
  'web/html.ts renderedHtml': 'wraps the text',
  'web/components/components.ts langOf': 'a language tag: 20 characters',
  'web/components/languages.ts languageOptions': 'a language tag: 20 characters',
  'web/components/components.ts when': 'a timestamp',
  'web/site.ts withQuery': 'a path of the service',
  'web/site.ts withoutEmpty': 'a query: 16 KiB in a request',
  'web/asset-path.ts assetPath': 'a file of the service',
  'web/components/labels.ts dayOf': 'a timestamp',
  'web/components/labels.ts momentOf': 'a timestamp',
  'web/components/labels.ts monthOf': 'a month',
  'web/components/moderation-words.ts isReasonFor': 'an action and a reason of the vocabulary',
  'web/components/moderation-words.ts reasonNamed': 'a reason of the vocabulary',
  'web/components/moderation-words.ts whyWords': 'an action and a reason of the vocabulary',
  'lib/weeks.ts weeksFrom': 'a date of the service',
  'web/citations.ts isCitationFormat': 'looks a name up',
  'web/components/charts.ts columnChart': 'numbers, and words of the service',
  'web/components/charts.ts barChart': 'numbers, and words of the service',
  'web/components/charts.ts gauge': 'numbers, and words of the service',
  'web/components/components.ts exactly': 'a timestamp',
  'web/components/desk.ts objectPath': 'a type and an id',
  'web/components/revisions.ts compareForm': 'a path of the service',
  'web/components/forms.ts needsScript': 'words of the service',
  'web/components/forms.ts withoutScript': 'words of the service',
  'text/lib/sentence.ts sentenceOf': 'words of the service',
  'web/components/tabs.ts tabs': 'words of the service',
  'web/components/forms.ts faultBelow': 'words of the service',
};

test('every exported function on texts has a row, or a reason why it needs none', () => {
  const known = new Set([...Object.keys(rows), ...Object.keys(unpumped)]);
  const found = [
    ...patterns.flatMap((pattern) => functionsOnTexts(server, pattern)),
    ...patternsOfTexts.flatMap((pattern) =>
      functionsOnTexts(texts, pattern).map((name) => `text/${name}`),
    ),
  ];
  assert.deepEqual(
    found.filter((name) => !known.has(name)),
    [],
  );
  assert.deepEqual(
    [...known].filter((name) => !found.includes(name)),
    [],
  );
});

for (const [name, work] of Object.entries({ ...rows, ...others })) {
  test(`${name} takes time in proportion to the text, up to 64 KiB`, () => {
    assert.equal(superlinear(work, pumpsForFunctions(name)), undefined);
  });
}
