import type { SignInPlaceName } from '@gatehouse/contract'
import {
  column,
  generatedFlag,
  generatedNumber,
  generatedText,
  number,
  textOrNull,
} from './column.ts'

/** A token that was obtained, and the state of its renewal. */
export const signInToken = {
  api_id: number,
  which: column<SignInPlaceName>(),
  version: generatedNumber,
  /** Null: no token was obtained, or the credential has changed since. */
  credential_seal: textOrNull,
  token_encrypted: textOrNull,
  /** Replaces the credential's own; null: that one is still valid. */
  refresh_token_encrypted: textOrNull,
  scope: generatedText,
  obtained_at: textOrNull,
  expires_at: textOrNull,
  is_refused: generatedFlag,
  message: generatedText,
  is_answer_lost: generatedFlag,
  failures: generatedNumber,
  next_attempt_at: textOrNull,
  refused_tokens: generatedNumber,
  refused_token_at: textOrNull,
  lease_owner: textOrNull,
  lease_until: textOrNull,
  /** Null: the authority has not said. */
  refresh_expires_at: textOrNull,
  refresh_since: textOrNull,
}
