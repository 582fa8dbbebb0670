import { flag, generatedNumber, number, text, textOrNull } from '../column.ts'

export const passkey = {
  id: generatedNumber,
  user_id: number,
  name: text,
  /** Base64url, like the key and the handle. */
  credential_id: text,
  /** COSE_Key, RFC 9052 §7. */
  public_key: text,
  counter: number,
  transports: text,
  host: text,
  user_handle: text,
  is_synced: flag,
  created_at: text,
  last_used_at: textOrNull,
}

export const passkeyChallenge = { challenge_hash: text, expires_at: text }
