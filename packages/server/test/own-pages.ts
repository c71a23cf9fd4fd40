// Pages that show one's own account and nothing of anybody else: each path with an address for it.

export const ownPages: Readonly<Record<string, string>> = {
  '/-/link': '/-/link',
  '/-/passkeys': '/-/passkeys',
  '/-/sessions': '/-/sessions',
  '/account': '/account',
  '/join': '/join',
  '/notifications': '/notifications',
  '/settings': '/settings',
  '/sign-in': '/sign-in',
};
