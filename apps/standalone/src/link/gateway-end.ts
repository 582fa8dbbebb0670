import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  isSameRevision,
  type AgentQuestion,
  type AgentReply,
  withChanges,
  type ConfigSnapshot,
  type SnapshotChanges,
} from '@gatehouse/contract/gateway'
import type {
  Fleet,
  ProcedureSeenMessage,
  ReportMessage,
  TraceMessage,
  UpstreamToken,
} from '@gatehouse/gateway/supervisor'
import { stateOf } from './gateway-state.ts'
import type { ControlCalls, GatewayCalls, GatewayFacts, PublishAnswer } from './link-calls.ts'
import { LinkGap, LinkPeer } from './link-peer.ts'
import { ReportBacklog } from './report-backlog.ts'

interface GatewayEndOptions {
  stream: Duplex
  log: { error: (details: object, message: string) => void }
}

/** What is served, once there is something. */
interface Served {
  fleet: Fleet
  facts: Pick<GatewayFacts, 'url' | 'traceSecret'>
}

const stateEveryMs = 500
/** A control plane that has ended is back within seconds. */
const absenceMaxMs = 20_000
const lastReportsMaxMs = 3_000
/** The control plane is stuck: it is not told more. */
const unsentMaxBytes = 1024 * 1024

/**
 * The gateway's end of the link. It does for the workers what the control plane says, and keeps what they counted
 * while the control plane is away.
 */
export class GatewayEnd {
  readonly #peer: LinkPeer<GatewayCalls, ControlCalls>
  readonly #stream: Duplex
  readonly #backlog = new ReportBacklog()
  #served: Served | undefined
  /** The last one that the control plane has sent. */
  #snapshot: ConfigSnapshot | undefined
  #isThere = false
  #arrives = Promise.withResolvers<void>()
  #sending: Promise<void> | undefined
  #stating: NodeJS.Timeout | undefined

  constructor({ stream, log }: GatewayEndOptions) {
    this.#stream = stream
    const onFault = (error: unknown) =>
      log.error({ err: error }, 'the control plane asked for something that failed')
    const onGap = () => this.#leave()
    this.#peer = new LinkPeer({ stream, calls: this.#calls(), onGap, onFault })
  }

  /** From now on the control plane may use the workers. */
  serve(served: Served): void {
    this.#served = served
    this.#peer.tell('here')
    this.#stating = setInterval(() => this.#tellState(), stateEveryMs)
  }

  report(report: ReportMessage): void {
    this.#backlog.add(report)
    void this.#sendReports()
  }

  trace(trace: TraceMessage): void {
    if (this.#isHeard) this.#peer.tell('trace', trace)
  }

  procedureSeen({ api_id, signature, columns }: ProcedureSeenMessage): void {
    if (this.#isHeard) this.#peer.tell('procedureSeen', api_id, { signature, columns })
  }

  /** Waits for a control plane that is away. Rejects where it does not come, or has no token. */
  async tokenWanted(apiId: number, refused: number | null): Promise<UpstreamToken> {
    const late = sleep(absenceMaxMs, 'late', { ref: false })
    for (;;) {
      if ((await Promise.race([this.#arrives.promise, late])) === 'late')
        throw new Error('The control plane does not run.')
      try {
        return await this.#peer.ask('tokenWanted', apiId, refused)
      } catch (error) {
        if (!(error instanceof LinkGap)) throw error
      }
    }
  }

  /** Rejects where the control plane is away, or ends before it has answered: it may have done what was asked. */
  agentAsked(question: AgentQuestion): Promise<AgentReply> {
    if (!this.#isThere) return Promise.reject(new Error('The control plane does not run.'))
    return this.#peer.ask('agentAsked', question)
  }

  /** Sends what the workers reported last, for three seconds at most. They have ended. */
  async stop(): Promise<void> {
    clearInterval(this.#stating)
    const late = sleep(lastReportsMaxMs)
    if (this.#isThere) await Promise.race([this.#sendReports(), late])
    this.#peer.tell('stopped')
    if (this.#isThere) await Promise.race([this.#peer.flush(), late])
  }

  get #isHeard(): boolean {
    return this.#isThere && this.#stream.writableLength < unsentMaxBytes
  }

  #calls(): ConstructorParameters<typeof LinkPeer<GatewayCalls, ControlCalls>>[0]['calls'] {
    const fleet = () => this.#whatIsServed().fleet
    return {
      hello: () => this.#welcome(),
      ready: () => fleet().ready(),
      publish: (snapshot) => this.#publish(snapshot),
      change: (changes) => {
        const before = this.#snapshot
        if (!before || !isSameRevision(before, changes.base)) return null
        return this.#publish(withChanges(before, changes), changes)
      },
      holdUnsaved: (unsaved) => fleet().holdUnsaved(unsaved),
      setToken: (apiId, token) => fleet().setToken(apiId, token),
      heard: () => fleet().heard(),
      setTokenUsage: (usages) => fleet().setTokenUsage(usages),
      setServers: (servers) => fleet().setServers(servers),
      blockAddresses: (own) => fleet().blockAddresses([...own]),
    }
  }

  #whatIsServed(): Served {
    if (!this.#served) throw new Error('The gateway does not run yet.')
    return this.#served
  }

  #welcome(): GatewayFacts {
    const { fleet, facts } = this.#whatIsServed()
    this.#isThere = true
    this.#arrives.resolve()
    void this.#sendReports()
    return {
      ...facts,
      address: fleet.address,
      keptRevision: fleet.keptRevision ?? null,
      state: stateOf(fleet),
    }
  }

  #leave(): void {
    if (this.#isThere) this.#arrives = Promise.withResolvers()
    this.#isThere = false
    this.#snapshot = undefined
  }

  async #publish(snapshot: ConfigSnapshot, changes?: SnapshotChanges): Promise<PublishAnswer> {
    const { fleet } = this.#whatIsServed()
    this.#snapshot = snapshot
    const { accepted, refusal = null } = await fleet.publish(snapshot, changes)
    return { accepted, refusal, state: stateOf(fleet) }
  }

  #tellState(): void {
    if (this.#isHeard) this.#peer.tell('state', stateOf(this.#whatIsServed().fleet))
  }

  /** One after the other, until none waits. One that is not answered waits again. */
  #sendReports(): Promise<void> | undefined {
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined))
    return this.#sending
  }

  async #sendAll(): Promise<void> {
    while (this.#isThere) {
      const next = this.#backlog.take()
      if (!next) return
      try {
        await this.#peer.ask('report', next)
      } catch {
        this.#backlog.add(next)
        return
      }
    }
  }
}
