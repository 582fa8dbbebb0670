import type { Caller } from '../../../kernel/caller.ts'

/**
 * The product itself. It asks for the decision about everything that was sent, whatever the rights of the
 * user who sent it are today. It reads only.
 */
export const asker: Caller = {
  user: { id: 0, name: 'Gatehouse', email: '', username: '', roles: [], role: '', permissions: [] },
  isSuperAdmin: true,
}
