// Tests of language detection: ordinary texts in many languages, and texts without a language.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { eld } from 'eld/extrasmall';
import { guessLanguage } from './language.ts';

const detectLanguage = (markdown: string) =>
  guessLanguage(markdown, (text) => Object.entries(eld.detect(text).getScores()));

const TEXTS: Record<string, string> = {
  en: 'The committee decided to postpone the meeting until next week because several members were ill.',
  de: 'Der Ausschuss beschloss, die Sitzung auf nächste Woche zu verschieben, weil mehrere Mitglieder krank waren.',
  fr: 'Le comité a décidé de reporter la réunion à la semaine prochaine parce que plusieurs membres étaient malades.',
  es: 'El comité decidió aplazar la reunión hasta la próxima semana porque varios miembros estaban enfermos.',
  pt: 'O comitê decidiu adiar a reunião para a próxima semana porque vários membros estavam doentes.',
  nl: 'De commissie besloot de vergadering uit te stellen tot volgende week omdat verschillende leden ziek waren.',
  sv: 'Kommittén beslutade att skjuta upp mötet till nästa vecka eftersom flera medlemmar var sjuka.',
  fi: 'Valiokunta päätti siirtää kokouksen ensi viikkoon, koska useat jäsenet olivat sairaana.',
  pl: 'Komitet postanowił przełożyć posiedzenie na przyszły tydzień, ponieważ kilku członków było chorych.',
  ru: 'Комитет решил отложить заседание до следующей недели, потому что несколько членов были больны.',
  uk: 'Комітет вирішив відкласти засідання до наступного тижня, оскільки кілька членів були хворі.',
  el: 'Η επιτροπή αποφάσισε να αναβάλει τη συνεδρίαση για την επόμενη εβδομάδα επειδή πολλά μέλη ήταν άρρωστα.',
  tr: 'Komite, birkaç üyenin hasta olması nedeniyle toplantıyı gelecek haftaya ertelemeye karar verdi.',
  ar: 'قررت اللجنة تأجيل الاجتماع إلى الأسبوع المقبل لأن العديد من الأعضاء كانوا مرضى.',
  he: 'הוועדה החליטה לדחות את הישיבה לשבוע הבא מכיוון שכמה חברים היו חולים.',
  hi: 'समिति ने बैठक को अगले सप्ताह तक स्थगित करने का निर्णय लिया क्योंकि कई सदस्य बीमार थे।',
  ja: '委員会は、数名の委員が病気だったため、会議を来週まで延期することを決定しました。',
  zh: '由于几名成员生病，委员会决定将会议推迟到下周举行。',
  ko: '여러 위원이 아파서 위원회는 회의를 다음 주로 연기하기로 결정했습니다.',
  vi: 'Ủy ban quyết định hoãn cuộc họp đến tuần sau vì một số thành viên bị ốm.',
};

test('recognises one sentence of each of twenty languages', () => {
  for (const [language, text] of Object.entries(TEXTS))
    assert.equal(detectLanguage(text), language, text);
});

test('code, addresses and tags do not decide', () => {
  const code =
    '```js\nconst value = await fetch(address); return value.then((answer) => answer.json());\n```\n';
  const markdown = `<p align="center"><b></b></p>\n\n${code}\n${TEXTS['de']} \`const english = the(word)\` [x](https://example.org/the/english/words)`;
  assert.equal(detectLanguage(markdown), 'de');
});

test('is undetermined when there is little to go by', () => {
  const texts = [
    '',
    'hello',
    'README',
    '12345 67890 '.repeat(20),
    '😀🚀'.repeat(50),
    '```\nThe whole text is code, so there is nothing to read.\n```',
    'x y z 1 2 3',
    '字',
  ];
  for (const text of texts) assert.equal(detectLanguage(text), 'und', text);
});

test('looks at the beginning only', () => {
  const start = `${TEXTS['fr']} `.repeat(40);
  assert.equal(detectLanguage(start + `${TEXTS['en']} `.repeat(5000)), 'fr');
});
