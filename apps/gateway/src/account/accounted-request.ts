import type { ToolOutcomeCount } from '@gatehouse/contract/gateway'
import type { Trace } from '../trace/trace.ts'

/** What is kept of a request that has ended. */
export interface AccountedRequest {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly startedAtMs: number
  /** When it became a WebSocket; 0: it did not. Its time in the figures ends there. */
  readonly switchedAtMs: number
  readonly endpoint: {
    readonly config: { readonly id: number; readonly api_id: number }
    readonly fullPath: string
    /** The draft of its API served it. */
    readonly isDraft: boolean
  } | null
  readonly caller: { readonly tokenId: number | null; readonly logged: string } | null
  readonly agent: {
    readonly clientName: string
    readonly toolName: string | null
    readonly outcome: ToolOutcomeCount | null
  } | null
  readonly clientAddress: string
  /** As answered; 499 where the client left first, 0 where the answer was cut off. */
  readonly status: number
  readonly code: string | null
  /** For the log alone. */
  readonly detail: string | null
  /** A fixed reply was given in place of an answer of the upstream. */
  readonly isMock: boolean
  readonly upstreamMs: number
  /** Of the last answer of the upstream; 0 where none came, or where no HTTP upstream was called. */
  readonly upstreamStatus: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly trace: Trace | null
  /** Null where no policy has a say. */
  readonly policyRun: {
    readonly isCanary: boolean
    readonly cached: 'hit' | 'miss' | null
    readonly savedMs: number
  } | null
  readonly snapshot: { readonly revision: number }
}
