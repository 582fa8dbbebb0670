import { number, text } from './column.ts'

export const docsLink = {
  role_id: number,
  /** SHA-256 of the link, in hex. */
  digest: text,
  created_at: text,
  /** Who made it. */
  user_name: text,
}
