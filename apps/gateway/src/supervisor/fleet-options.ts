import type { AgentQuestion, AgentReply } from '@gatehouse/contract/gateway'
import type { OpenBreaker, ReportMessage, TraceMessage } from '../messages/report-messages.ts'
import type {
  ProcedureSeenMessage,
  TokenWantedMessage,
  UpstreamToken,
} from '../messages/worker-messages.ts'
import type { WorkerSettings } from '../messages/worker-settings.ts'
import type { SnapshotFile } from './snapshot-file.ts'
import type { WorkerProcess } from './worker-process.ts'

type Say = (details: object, message: string) => void

export interface FleetOptions {
  /** How many workers. */
  size: number
  host: string
  /** 0: any. */
  port: number
  /** The port as an earlier process has bound it, in place of binding it. */
  held?: unknown
  /** Asked at each fork, so that a renewed certificate is read by a rolling restart. */
  settings: () => Omit<WorkerSettings, 'worker' | 'listen'>
  file: SnapshotFile
  log: { info: Say; warn: Say; error: Say }
  onReport: (report: ReportMessage) => void
  onTrace: (trace: TraceMessage) => void
  onProcedureSeen: (seen: ProcedureSeenMessage) => void
  /** A worker needs a token of an authority. Rejects where there is none; the message holds no secret. */
  onTokenWanted: (wanted: TokenWantedMessage) => Promise<UpstreamToken>
  /** An agent asks for workflows of its token. Rejects where the control plane is away. */
  onAgentAsked: (question: AgentQuestion) => Promise<AgentReply>
  /** See WorkerProcessOptions. */
  cacheFolder?: string
  /** See WorkerProcessOptions; 15 s unless given. */
  checkMs?: number
  /** The program of a worker, where it is another than ours. */
  workerFile?: URL
}

export interface FleetWorker {
  id: number
  pid: number | null
  state: WorkerProcess['state']
  revision: number | null
  mark: string | null
  startedAt: Date
  restarts: number
  rssBytes: number
  inFlight: number
  webSockets: number
  /** As it last reported, a second ago at most. */
  openBreakers: readonly OpenBreaker[]
}
