import type { TestServer } from '../servers/build-server.ts'
import type { createPeerUpstream } from '../servers/run-peer.ts'
import type { Random } from './random.ts'
import type { Authority } from './scripted-authority.ts'

export interface ModelOptions {
  server: TestServer
  upstream: ReturnType<typeof createPeerUpstream>
  authority: Authority
  random: Random
  /**
   * Submits with a reference, safe against duplicates, refusing them, decided later, and with nothing of
   * it; PUT and GET.
   */
  endpoints: Record<'plain' | 'safe' | 'refusing' | 'later' | 'bare' | 'put' | 'read', number>
}
