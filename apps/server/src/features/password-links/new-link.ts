import { createHash, randomBytes } from 'node:crypto'
import type { Row } from '../../db/tables.ts'
import type { Stores } from '../../stores.ts'

const minuteMs = 60_000
/** For how long a link counts. */
const lifeMs = { reset: 30 * minuteMs, invitation: 7 * 24 * 60 * minuteMs }
export type LinkKind = keyof typeof lifeMs

type User = Pick<Row<'user'>, 'id' | 'email_key' | 'password_hash'>

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** What a link depends on: with another address or password of the user it has ended. */
export const signInHash = ({ email_key, password_hash }: User) =>
  hashOf(`${email_key}\n${password_hash ?? ''}`)

/** Stores a link in place of an earlier one. Returns its token, which is kept nowhere. */
export async function newLink(
  { passwordLinks }: Pick<Stores, 'passwordLinks'>,
  user: User,
  kind: LinkKind,
  now: Date,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await passwordLinks.put({
    user_id: user.id,
    kind,
    token_hash: hashOf(token),
    sign_in_hash: signInHash(user),
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + lifeMs[kind]).toISOString(),
  })
  return token
}
