// Formats a feed as Atom (RFC 4287, RFC 4685), RSS 2.0 or JSON Feed 1.1, in a worker thread.
import { generateAtomFeed, generateJsonFeed, generateRssFeed } from 'feedsmith';
import { excerpt } from '#lib/excerpt';
import { escapeText } from '@colophon/text/lib/escape';
import type { FeedFormat } from '../components/page-frame.ts';
import { compactXml, withoutTags, writable } from '../xml.ts';
import { authorName, updatedAt } from './feed.ts';
import type { Entry, Feed } from './feed.ts';

/**
 * Uses type `html` and not `text`: most libraries resolve entities regardless of the type. Readers take titles
 * and descriptions of RSS for HTML too. The XML writer escapes the text once more.
 */
function atomText(text: string) {
  return { value: escapeText(text), type: 'html' as const };
}

function summaryOf({ summary }: Entry): string {
  return typeof summary === 'string' ? summary : excerpt(summary.of);
}

function atomEntry(feed: Feed, entry: Entry) {
  const { author, html, answers, disclosure } = entry;
  const summary = summaryOf(entry);
  const xml = entry.language === undefined ? {} : { xml: { lang: entry.language } };
  return {
    id: entry.id,
    title: { ...atomText(entry.title), ...xml },
    updated: new Date(entry.updated),
    published: new Date(entry.published),
    authors: [{ name: withoutTags(authorName(author)), uri: entry.authorUrl }],
    links: [{ href: entry.url, rel: 'alternate', type: 'text/html' }],
    categories: [
      ...entry.topics.map((term) => ({ term })),
      ...(disclosure === undefined ? [] : [{ ...disclosure, scheme: feed.scheme }]),
    ],
    ...(html === null ? {} : { content: { value: html, type: 'html' as const, ...xml } }),
    ...(summary === '' ? {} : { summary: { ...atomText(summary), ...xml } }),
    ...(answers === undefined
      ? {}
      : { thr: { inReplyTos: [{ ref: answers.id, href: answers.url, type: 'text/html' }] } }),
  };
}

function atom(feed: Feed): string {
  const text = generateAtomFeed(
    writable({
      id: feed.self,
      title: atomText(feed.title),
      subtitle: atomText(feed.description),
      updated: new Date(updatedAt(feed)),
      generator: { text: 'Colophon' },
      icon: feed.icon,
      links: [
        { href: feed.self, rel: 'self', type: 'application/atom+xml' },
        { href: feed.home, rel: 'alternate', type: 'text/html' },
      ],
      ...(feed.author === undefined
        ? {}
        : { authors: [{ name: withoutTags(authorName(feed.author)), uri: feed.home }] }),
      entries: feed.entries.map((entry) => atomEntry(feed, entry)),
    }),
  );
  return compactXml(text);
}

function rssItem(entry: Entry) {
  const { html, language, disclosure } = entry;
  return {
    title: escapeText(entry.title),
    link: entry.url,
    guid: { value: entry.id, isPermaLink: false },
    pubDate: new Date(entry.published),
    description: escapeText(summaryOf(entry)),
    categories: [
      ...entry.topics.map((name) => ({ name })),
      ...(disclosure === undefined ? [] : [{ name: disclosure.label }]),
    ],
    dc: {
      creators: [withoutTags(authorName(entry.author))],
      ...(language === undefined ? {} : { languages: [language] }),
    },
    dcterms: { modified: [new Date(entry.updated)] },
    ...(html === null ? {} : { content: { encoded: html } }),
  };
}

function rss(feed: Feed): string {
  const text = generateRssFeed(
    writable({
      title: escapeText(feed.title),
      link: feed.home,
      description: escapeText(feed.description),
      lastBuildDate: new Date(updatedAt(feed)),
      generator: 'Colophon',
      atom: { links: [{ href: feed.self, rel: 'self', type: 'application/rss+xml' }] },
      items: feed.entries.map(rssItem),
    }),
  );
  return compactXml(text);
}

function jsonItem(entry: Entry) {
  const { html, language, author, disclosure } = entry;
  const summary = summaryOf(entry);
  return {
    id: entry.id,
    url: entry.url,
    title: entry.title,
    ...(html === null ? { content_text: summary } : { content_html: html }),
    summary,
    date_published: new Date(entry.published),
    date_modified: new Date(entry.updated),
    authors: [{ name: authorName(author), url: entry.authorUrl }],
    tags: [...entry.topics, ...(disclosure === undefined ? [] : [disclosure.label])],
    ...(language === undefined ? {} : { language }),
  };
}

function json(feed: Feed): string {
  const { author } = feed;
  return JSON.stringify(
    generateJsonFeed({
      title: feed.title,
      home_page_url: feed.home,
      feed_url: feed.self,
      description: feed.description,
      icon: feed.icon,
      ...(author === undefined ? {} : { authors: [{ name: authorName(author), url: feed.home }] }),
      items: feed.entries.map(jsonItem),
    }),
  );
}

export const written: Readonly<Record<FeedFormat, (feed: Feed) => string>> = {
  atom,
  rss,
  json,
};
