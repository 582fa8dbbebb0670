import type { startMailServer } from '../servers/mail-server.ts'
import type { Outside } from './outside.ts'
import type { SimulatedServers } from './simulated-servers.ts'

/** What events of the week can do. */
export interface Week {
  servers: SimulatedServers
  outside: Outside
  mail: Awaited<ReturnType<typeof startMailServer>>
  moveClock: (byMs: number) => void
  resolveUnknown: () => Promise<void>
  closeRejected: () => Promise<void>
  /** Of every alarm that is open. */
  acknowledge: () => Promise<void>
}
