import type { Actor } from '../../kernel/caller.ts'
import type { Stores } from '../../stores.ts'
import type { UserWithRoles } from './user-store.ts'

interface Change {
  email: string
  hasPassword: boolean
  at: string
}

/**
 * Another person changes how this user signs in, and who used the account before must not get in any more: a new
 * password revokes the tokens for programs and removes the passkeys, a new address removes the links to subjects of a provider. The link of a
 * user who was made at a sign-on stays: without it, the provider would no longer decide their roles.
 */
export async function cutOff(
  { adminTokens, passkeys, signOn, audit }: Stores,
  { id, name, email_key }: UserWithRoles,
  { email, hasPassword, at }: Change,
  actor: Actor,
): Promise<void> {
  if (id === actor.caller.user.id) return
  const event = { thing: 'user', id, name } as const
  const tokens = hasPassword ? await adminTokens.revokeAllOf(id, at) : 0
  if (tokens > 0)
    await audit.record(actor, { ...event, action: 'admin_token.revoke_all', before: { tokens } })
  const removed = hasPassword ? await passkeys.removeAllOf(id) : 0
  if (removed > 0)
    await audit.record(actor, {
      ...event,
      action: 'user.passkeys_reset',
      before: { passkeys: removed },
    })
  const isMoved = email.toLowerCase() !== email_key
  const links = isMoved ? await signOn.removeIdentitiesOf(id, { keepsManaged: true }) : 0
  if (links > 0)
    await audit.record(actor, { ...event, action: 'user.sign_on_unlinked', before: { links } })
}
