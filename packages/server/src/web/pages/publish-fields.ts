// The fields of the details of an article: who sees it, topics, description, image, language, address, author.
import { limits } from '@colophon/contract';
import { disclosures } from '../components/labels.ts';
import { choice, faultBelow, field } from '../components/forms.ts';
import type { Attempt } from '../components/forms.ts';
import { languageOptions } from '../components/languages.ts';
import { group, radios } from '../components/options.ts';
import { typedOr } from '../forms/before.ts';
import { topicFields } from '../forms/details.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { descriptionIn, metadataOf, topicNames } from '../metadata.ts';
import type { Article, Media, Topic } from '../page-services.ts';
import type { Site } from '../site.ts';

export interface Choices {
  readonly topics: readonly Topic[];
  readonly images: readonly Media[];
}

const visibilities = {
  public: {
    label: 'Public',
    hint: 'Everyone can read it. It is in lists, in search and in feeds.',
  },
  unlisted: {
    label: 'Unlisted',
    hint: 'Everyone who has the address can read it. It is in no list, no search and no feed.',
  },
  private: { label: 'Private', hint: 'Only you and the moderators of this service can read it.' },
} as const;

const authorship = {
  human_authored: { label: disclosures.human_authored, hint: 'You wrote it yourself.' },
  ai_assisted: {
    label: disclosures.ai_assisted,
    hint: 'A program helped to write, change or translate it.',
  },
  ai_generated: { label: disclosures.ai_generated, hint: 'A program wrote most of it.' },
} as const;

/** Ten fields, of which a style sheet shows those that are filled and the next empty one. */
function topicGroup(own: readonly string[], topics: readonly Topic[], attempt: Attempt): Html {
  const inputs = topicFields.map((name, at) => {
    const fault = attempt.fault(name);
    return html`<li><input id="${name}" name="${name}" value="${attempt.value(name, own[at])}" list="topics" placeholder="Add a topic" aria-label="Topic ${at + 1}" aria-describedby="${name}-fault" autocomplete="off" dir="auto"${fault !== undefined && html` aria-invalid="true" autofocus`}>${faultBelow(name, fault)}</li>`;
  });
  return group(
    {
      name: 'topic',
      legend: 'Topics',
      hint: `At most ${limits.topics_max}. Readers find the article under each of them.`,
    },
    html`<ul class="topic-fields">${inputs}</ul>
<datalist id="topics">${topics.map(({ name }) => html`<option value="${name}"></option>`)}</datalist>`,
  );
}

/** The images that the author has uploaded, as one choice. */
function imageGroup(
  site: Site,
  { featured_media_id: present }: Article,
  images: readonly Media[],
  attempt: Attempt,
): Html {
  const chosen = typedOr(attempt, 'featured_media_id', present ?? '');
  const of = ({ id, alt_text }: Pick<Media, 'id' | 'alt_text'>) =>
    [
      id,
      {
        label: html`<img src="${site.mediaBaseUrl}/${id}?w=320" alt="${alt_text || 'Image without a description'}" loading="lazy" decoding="async">`,
      },
    ] as const;
  const isKnown = present === null || images.some(({ id }) => id === present);
  const all = isKnown ? images : [{ id: present, alt_text: 'The present image' }, ...images];
  const none = { '': { label: 'No image' } };
  return radios({
    name: 'featured_media_id',
    legend: 'Featured image',
    kind: 'images',
    hint:
      all.length === 0
        ? 'Images that you add in the editor can be chosen here.'
        : 'Shown above the text. These are the newest images that you uploaded.',
    options: { ...none, ...Object.fromEntries(all.map(of)) },
    value: chosen,
    fault: attempt.fault('featured_media_id'),
  });
}

function languageFields({ language }: Article, attempt: Attempt): Content {
  const fault = attempt.fault('other_language');
  return group(
    {
      name: 'languages',
      legend: 'Language',
      kind: 'two',
      hint:
        language === 'und'
          ? 'The text does not show which it is. Choose it if you like.'
          : 'Found out from the text. Change it if it is wrong.',
    },
    html`${choice({
      name: 'language',
      label: 'Language of the text',
      options: languageOptions(language),
      value: typedOr(attempt, 'language', language),
    })}
${field({
  name: 'other_language',
  label: 'Another language',
  hint: 'If it is not in the list: its code, for example pt-BR.',
  maxLength: limits.language_max,
  value: attempt.value('other_language'),
  fault,
})}`,
  );
}

/** The fields, with the values of the article or of an earlier attempt. */
export function detailFields(
  site: Site,
  article: Article,
  { topics, images }: Choices,
  attempt: Attempt,
): Content {
  const metadata = metadataOf(article);
  return [
    radios({
      name: 'visibility',
      legend: 'Who can read it',
      options: visibilities,
      value: typedOr(attempt, 'visibility', article.visibility),
      fault: attempt.fault('visibility'),
    }),
    topicGroup(topicNames(metadata), topics, attempt),
    field({
      name: 'description',
      label: 'Description',
      hint: 'One or two sentences for search engines and for links to the article. Left empty, the beginning of the text is used.',
      lines: 3,
      value: typedOr(attempt, 'description', descriptionIn(metadata)),
      fault: attempt.fault('description'),
    }),
    radios({
      name: 'authorship_disclosure',
      legend: 'Who wrote it',
      options: authorship,
      value: typedOr(attempt, 'authorship_disclosure', article.authorship_disclosure),
      fault: attempt.fault('authorship_disclosure'),
    }),
    imageGroup(site, article, images, attempt),
    languageFields(article, attempt),
    field({
      name: 'canonical_url',
      label: 'Address where it was first published',
      hint: 'The address, if the text was published elsewhere before. Search engines are sent there.',
      value: typedOr(attempt, 'canonical_url', article.canonical_url ?? ''),
      fault: attempt.fault('canonical_url'),
    }),
  ];
}
