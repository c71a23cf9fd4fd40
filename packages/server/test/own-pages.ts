// Pages that show one's own account and nothing of anybody else: each path with an address for it.

export const ownPages: Readonly<Record<string, string>> = {
  '/-/link': '/-/link',
  '/-/passkeys': '/-/passkeys',
  '/-/sessions': '/-/sessions',
  '/account': '/account',
  '/articles': '/articles',
  '/join': '/join',
  '/notifications': '/notifications',
  '/report': '/report?type=article&id=01M7Z3KJBG7YHCVKQDVW6J2001',
  '/settings': '/settings',
  '/settings/agents': '/settings/agents',
  '/settings/agents/{username}': '/settings/agents/scribe',
  '/settings/limits': '/settings/limits',
  '/settings/tokens': '/settings/tokens',
  '/sign-in': '/sign-in',
  '/write': '/write',
  '/write/{id}': '/write/01M7Z3KJBG7YHCVKQDVW6J2001',
  '/write/{id}/history': '/write/01M7Z3KJBG7YHCVKQDVW6J2001/history',
  '/write/{id}/preview': '/write/01M7Z3KJBG7YHCVKQDVW6J2001/preview',
  '/write/{id}/remove': '/write/01M7Z3KJBG7YHCVKQDVW6J2001/remove',
  '/write/{id}/publish': '/write/01M7Z3KJBG7YHCVKQDVW6J2001/publish',
};
