// The numbers of sessions and passkeys.

export const sessionLimits = {
  /** A session ends when it was not used for this long. */
  idle_days: 30,
  /** A session ends this long after it began, whatever its use. */
  days: 180,
  /** After a passkey check, for this long: closing, new tokens, new passkeys and codes. */
  check_minutes: 10,
  /** After a passkey check, for this long: the moderation desk. */
  desk_check_hours: 12,
  /** One more ends the one that was not used for the longest time. */
  sessions_max: 50,
  ceremony_minutes: 10,
  web_link_minutes: 10,
  /** One more deletes the oldest one. */
  web_links_max: 10,
  credential_bytes_max: 32_768,
  passkey_name_min: 1,
  passkey_name_max: 80,
  passkeys_max: 20,
  recovery_codes: 10,
} as const;
