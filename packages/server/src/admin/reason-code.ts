// The reasons that an operator may give for an action.
import { reasonCodes } from '@colophon/contract';
import type { ReasonCode } from '@colophon/contract';

export function isReasonCode(text: string): text is ReasonCode {
  return (reasonCodes as readonly string[]).includes(text);
}
