import { randomBytes } from 'node:crypto'
import { superAdminRole } from '@gatehouse/contract'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'
import { hashPassword } from '../../kernel/passwords/password-hash.ts'

export interface FirstAdministrator {
  email: string
  /** Stored as a hash: this is the one time to show it. Undefined: `ADMIN_PASSWORD` says it. */
  generatedPassword: string | undefined
}

/**
 * Makes the first Super Admin where there is none, with a random password when none was given. `show` has told the
 * operator before the account counts, so that no start that is killed leaves one whose password nobody knows.
 */
export async function createFirstAdministrator(
  inTransaction: InTransaction,
  clock: Clock,
  { email, givenPassword }: { email: string; givenPassword: string | undefined },
  show: (made: FirstAdministrator) => Promise<void> | void,
): Promise<void> {
  if ((await inTransaction(({ users }) => users.countMembers(superAdminRole))) > 0) return
  const password = givenPassword ?? randomBytes(18).toString('base64url')
  const password_hash = await hashPassword(password)
  await inTransaction(async ({ users, roles }) => {
    await roles.lockMembership()
    // Another server on the same database may have made the account first.
    if ((await users.countMembers(superAdminRole)) > 0) return
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
    await show({ email, generatedPassword: givenPassword ? undefined : password })
  })
}
