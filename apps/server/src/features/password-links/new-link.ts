import { randomBytes } from 'node:crypto'
import type { Row } from '../../db/tables.ts'
import type { Stores } from '../../stores.ts'
import { hashOf, signInHash } from './sign-in-hash.ts'

const minuteMs = 60_000
/** For how long a link counts. */
const lifeMs = { reset: 30 * minuteMs, invitation: 7 * 24 * 60 * minuteMs }
export type LinkKind = keyof typeof lifeMs

type User = Pick<Row<'user'>, 'id' | 'email_key' | 'password_hash'>

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
