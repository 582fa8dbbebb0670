import { randomUUID } from 'node:crypto'
import type { AnonymousActor } from '../features/audit/audit-store.ts'

/** Who acted, in the audit trail: somebody with the account and the key of the server. */
export const commandLine = (): AnonymousActor => ({
  requestId: randomUUID(),
  address: '',
  name: 'command line',
})
