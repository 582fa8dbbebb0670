import { randomBytes } from 'node:crypto'
import { superAdminRole } from '@gatehouse/contract'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'
import { hashPassword } from '../../kernel/password-hash.ts'

/**
 * Makes the first Super Admin where there is none. Returns the e-mail address and, when no password
 * was given, the random one that was made: it is stored as a hash, so this is the one time to show it.
 */
export async function createFirstAdministrator(
  inTransaction: InTransaction,
  clock: Clock,
  email: string,
  givenPassword: string | undefined,
): Promise<{ email: string; generatedPassword: string | undefined } | undefined> {
  if ((await inTransaction(({ users }) => users.countMembers(superAdminRole))) > 0) return undefined
  const password = givenPassword ?? randomBytes(18).toString('base64url')
  const password_hash = await hashPassword(password)
  const isCreated = await inTransaction(async ({ users, roles }) => {
    await roles.lockMembership()
    // Another server on the same database may have made the account first.
    if ((await users.countMembers(superAdminRole)) > 0) return false
    const now = clock.now().toISOString()
    const user = await users.insert({
      name: 'Administrator',
      email,
      email_key: email.toLowerCase(),
      username: 'admin',
      username_key: 'admin',
      password_hash,
      created_at: now,
      updated_at: now,
    })
    await users.addRole(user.id, superAdminRole)
    return true
  })
  return isCreated ? { email, generatedPassword: givenPassword ? undefined : password } : undefined
}
