import { randomBytes } from 'node:crypto'
import type { Row } from '../../db/tables.ts'
import type { SignIn, SignInOrigin } from '../../kernel/sign-in.ts'
import type { Stores } from '../../stores.ts'
import { describeUser } from './session-check.ts'
import { hashToken } from './hash-token.ts'

const dayMs = 86_400_000
/** For how long an address counts as one that the user signs in from. */
export const knownAddressMs = 30 * dayMs
const userAgentLength = 300

/**
 * Opens a session for a user who has proved who they are. The token and the download cookie are returned
 * this once, and stored as hashes. `maxMs`: how long a session lives at most. `how` goes to the audit trail:
 * with what they proved it, where it was no password.
 */
export async function openSession(
  within: Pick<Stores, 'sessions' | 'users' | 'audit'>,
  user: Row<'user'>,
  by: SignInOrigin,
  { now, maxMs, how }: { now: Date; maxMs: number; how?: Record<string, string> },
): Promise<SignIn> {
  const token = `ghs_${randomBytes(32).toString('base64url')}`
  const downloadCookie = randomBytes(32).toString('base64url')
  const at = now.toISOString()
  const oldest = new Date(now.getTime() - knownAddressMs - maxMs).toISOString()
  await within.sessions.removeOlderThan(oldest)
  await within.sessions.insert({
    user_id: user.id,
    token_hash: hashToken(token),
    download_hash: hashToken(downloadCookie),
    address: by.address,
    user_agent: by.userAgent.slice(0, userAgentLength),
    created_at: at,
    last_used_at: at,
  })
  await within.audit.record(
    { ...by, user },
    {
      action: 'session.login',
      thing: 'session',
      name: user.email,
      ...(how ? { after: how } : {}),
    },
  )
  const described = await describeUser(within.users, user, await within.users.rolesOf(user.id))
  return { token, downloadCookie, user: described }
}
