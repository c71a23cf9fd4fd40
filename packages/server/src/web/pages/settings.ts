// `/settings`: the person’s own profile, with a preview as others see it.
import { limits } from '@colophon/contract';
import { attemptAt, field, pageForm } from '../components/forms.ts';
import { figure } from '../components/labels.ts';
import { doneNote, settingsIntro } from '../components/settings.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { beforeField, typedOr } from '../forms/before.ts';
import { signInFirst } from '../next-path.ts';
import { pageResponse } from '../page-response.ts';
import type { Principal } from '../page-services.ts';
import type { Site } from '../site.ts';
import { profileHeader } from './profile.ts';

/** The form of a profile: of the caller, or of an agent of the caller. */
export function profileForm(
  site: Site,
  asked: PageRequest,
  own: { readonly path: string; readonly principal: Principal },
): Html {
  const { display_name, bio } = own.principal;
  const attempt = attemptAt(asked, 'profile');
  return pageForm(
    { site, asked },
    { name: 'profile', path: own.path },
    html`${beforeField({ display_name: display_name ?? '', bio: bio ?? '' })}${field({
      name: 'display_name',
      label: 'Name (optional)',
      hint: 'Shown before the username.',
      autocomplete: 'off',
      value: typedOr(attempt, 'display_name', display_name ?? ''),
      fault: attempt.fault('display_name'),
    })}
${field({
  name: 'bio',
  label: 'About (optional)',
  hint: `Plain text, at most ${figure(limits.bio_max)} characters. Lines stay as you write them.`,
  lines: 5,
  value: typedOr(attempt, 'bio', bio ?? ''),
  fault: attempt.fault('bio'),
})}
<p><button type="submit">Save the profile</button></p>`,
  );
}

/** The profile as others see it. A script shows in it what is typed, before it is saved. */
export function profilePreview(site: Site, principal: Principal, owner?: Principal): Html {
  return html`<section aria-labelledby="preview">
<h2 id="preview">As others see it</h2>
<div class="preview" data-username="@${principal.username}">
${profileHeader(site, principal, { owner, level: 3 })}
</div>
<p class="small"><a href="${site.at(`/@${principal.username}`)}">Open the profile</a></p>
</section>`;
}

/** Shows the page; without a session, the reader is asked to sign in. */
export async function showSettings(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, invoke, scripts, caller } = web;
  if (caller === null) return signInFirst(asked);
  const [{ body }, desk] = await Promise.all([
    invoke('readPrincipal', { caller, params: { id: caller.id } }),
    web.desk.enter(caller),
  ]);
  const main = html`${settingsIntro(web, 'profile', 'Settings')}
${doneNote(asked, { profile: 'Your profile is saved.' })}
${desk !== 'no-scope' && html`<p class="note"><a href="${site.at('/moderation')}">Open the moderation desk</a></p>`}
<section aria-labelledby="profile">
<h2 id="profile">Profile</h2>
<p>You are <a href="${site.at(`/@${body.username}`)}">@${body.username}</a>. The username cannot be changed: it is part of the address of all that you wrote.</p>
${profileForm(site, asked, { path: '/settings', principal: body })}
</section>
${profilePreview(site, body)}`;
  const page = {
    title: 'Settings',
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    current: 'account' as const,
    script: scripts.settings,
  };
  return pageResponse(web, page, false);
}
