import { number, text } from '../column.ts'

export const passwordLink = {
  user_id: number,
  kind: text,
  token_hash: text,
  sign_in_hash: text,
  created_at: text,
  expires_at: text,
}
