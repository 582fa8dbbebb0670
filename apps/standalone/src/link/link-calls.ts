import type { NodeLimits } from '@gatehouse/contract'
import type {
  AgentQuestion,
  AgentReply,
  ConfigSnapshot,
  SnapshotChanges,
} from '@gatehouse/contract/gateway'
import type { TraceMessage, UnsavedEndpoint, UpstreamToken } from '@gatehouse/gateway/supervisor'
import type { GatewayLink, GatewayReport, SeenProcedure } from '@gatehouse/server'

type Worker = ReturnType<GatewayLink['workers']>[number]
type Usages = Parameters<GatewayLink['setTokenUsage']>[0]
type Addresses = Parameters<GatewayLink['blockAddresses']>[0]

/** What is shown of the gateway; sent whenever it may have changed. */
export interface GatewayState {
  workers: Worker[]
  limits: NodeLimits
}

/** What the control plane learns when it meets the gateway. */
export interface GatewayFacts {
  address: { address: string; port: number }
  url: string
  /** The configuration that workers run on, or were started with. */
  keptRevision: number | null
  /** Signs requests that are traced; its workers have it, and no other process. */
  traceSecret: string
  state: GatewayState
}

export interface PublishAnswer {
  accepted: number
  refusal: string | null
  state: GatewayState
}

/** What the control plane may ask of the gateway. See `GatewayLink`. */
export type GatewayCalls = {
  hello: () => GatewayFacts
  ready: () => boolean
  publish: (snapshot: ConfigSnapshot) => PublishAnswer
  /** Null: it has not got what they change; it is to be sent the whole. */
  change: (changes: SnapshotChanges) => PublishAnswer | null
  holdUnsaved: (unsaved: UnsavedEndpoint) => void
  setToken: (apiId: number, token: UpstreamToken) => void
  heard: () => void
  setTokenUsage: (usages: Usages) => void
  setServers: (servers: number) => void
  blockAddresses: (own: Addresses) => void
}

/** What the gateway says to the control plane, and asks of it. */
export type ControlCalls = {
  /** It has started, and knows nothing of what was said to an earlier process. */
  here: () => void
  state: (state: GatewayState) => void
  /** Answered once it counts. */
  report: (report: GatewayReport) => void
  trace: (trace: TraceMessage) => void
  procedureSeen: (apiId: number, seen: SeenProcedure) => void
  agentAsked: (question: AgentQuestion) => AgentReply
  tokenWanted: (apiId: number, refused: number | null) => UpstreamToken
  /** Its last reports were sent. */
  stopped: () => void
}
