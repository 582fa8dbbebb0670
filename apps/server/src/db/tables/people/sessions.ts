import { generatedNumber, generatedText, number, text, textOrNull } from '../column.ts'

export const session = {
  id: generatedNumber,
  user_id: number,
  token_hash: text,
  /** Null in sessions from before there was a download cookie. */
  download_hash: textOrNull,
  address: text,
  /** What the browser called itself at the sign-in; blank in sessions from before it was kept. */
  user_agent: generatedText,
  created_at: text,
  last_used_at: text,
  ended_at: textOrNull,
}

/** Failed sign-ins; see features/session/login-throttle.ts. */
export const loginFailure = {
  /** Of an account, an address, or both. */
  key_hash: text,
  failures: number,
  first_at: text,
  last_at: text,
}
