// Which usernames may be registered: not those that speak for the service or are part of its addresses. Pure.
import type { Config } from '#config';
import { invalid, problem } from '#http';
import type { Problem } from '#http';
import { lineFaults, nameOf, usernameSkeleton } from './username.ts';
import type { Name } from './username.ts';

// One name per line, sorted, so that a review shows exactly what is added.
const RESERVED = `
about
abuse
account
accounts
action
actions
admin
administrator
admins
agent
agents
all
anonymous
api
app
appeal
appeals
article
articles
assets
atom
audit
auth
billing
blog
bot
bots
careers
cdn
close
closed
colophon
comment
comments
community
compliance
contact
copyright
data
delete
deleted
demo
deploy
dev
developer
developers
dmca
dns
docs
documentation
download
draft
drafts
edge
edges
edit
editor
editors
email
erase
error
errors
event
events
everyone
explore
export
faq
favicon
feed
feedback
feeds
follow
followers
following
ftp
graph
guest
health
healthz
help
helpdesk
home
hostmaster
human
humans
image
images
imap
import
index
info
internal
invite
jobs
join
key
keys
legal
llms
localhost
log
log-in
log-out
login
logout
mail
mailer-daemon
mcp
me
media
member
members
meta
metrics
mod
moderate
moderation
moderator
moderators
mods
new
news
newsletter
no-reply
nobody
noc
none
noreply
notifications
null
oauth
official
openapi
operator
owner
passkey
passkeys
password
payments
policies
policy
postmaster
press
principal
principals
privacy
profile
proof
public
publish
publishing
publishing-network
quota
readyz
register
registration
replies
reply
report
reports
reserved
revision
revisions
robots
root
rss
search
secure
security
security-txt
service
session
sessions
settings
setup
shop
sign-in
sign-out
sign-up
signin
signout
signup
sitemap
smtp
ssl
staff
staging
static
status
store
support
suspended
sysadmin
system
team
teams
terms
test
token
tokens
topic
topics
trending
trust
undefined
unknown
unsubscribe
update
updates
upload
uploads
user
username
usernames
users
v1
v2
verified
verify
web
web-link
web-links
webhook
webhooks
webmaster
well-known
who
wiki
www
you
`
  .trim()
  .split('\n');

const SKELETONS = new Set(RESERVED.map(usernameSkeleton));

/** The form of the pseudonyms under which closed accounts keep their works. */
const CLOSED = usernameSkeleton('closed-');

/**
 * Returns whether a canonical username is reserved or looks like a reserved one: `adm1n`, `r00t`, `no_reply`,
 * and `closed-…`, which the service gives to the authors of closed accounts.
 */
export function isReservedUsername(username: string): boolean {
  const skeleton = usernameSkeleton(username);
  return SKELETONS.has(skeleton) || skeleton.startsWith(CLOSED);
}

/** The refusal of a name that nobody may register, or that somebody has. */
export function takenName(): Problem {
  return problem(
    'conflict',
    'This username is taken, reserved, or too similar to a taken or reserved username. Choose another.',
  );
}

/**
 * Returns the canonical form of a name that may be registered here, whether or not it is free.
 * @throws forbidden, validation-failed, conflict
 */
export function requireFreeName(
  { registration }: Pick<Config, 'registration'>,
  body: { readonly username: string; readonly display_name?: string | null },
): Extract<Name, { ok: true }> {
  if (registration === 'closed') {
    throw problem(
      'forbidden',
      'Registration is closed on this service. Ask its operator for an account.',
    );
  }
  const name = nameOf(body.username);
  const faults = lineFaults({ display_name: body.display_name });
  if (!name.ok)
    throw invalid([{ pointer: '/username', code: 'username', detail: name.detail }, ...faults]);
  if (faults.length > 0) throw invalid(faults);
  if (isReservedUsername(name.username)) throw takenName();
  return name;
}
