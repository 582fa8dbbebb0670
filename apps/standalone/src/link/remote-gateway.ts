import type { Duplex } from 'node:stream'
import {
  isSameRevision,
  type ConfigSnapshot,
  type RevisionId,
  type SnapshotChanges,
} from '@gatehouse/contract/gateway'
import type {
  GatewayLink,
  GatewayToken,
  PublishResult,
  StartedTrace,
  TriedAs,
} from '@gatehouse/server'
import { ControlListeners } from './control-listeners.ts'
import type { ControlCalls, GatewayCalls, GatewayFacts, GatewayState } from './link-calls.ts'
import { LinkGap, LinkPeer } from './link-peer.ts'
import { Traces } from './traces.ts'

interface RemoteGatewayOptions {
  stream: Duplex
  onFault: (error: unknown) => void
}

type Told<Name extends 'setTokenUsage' | 'setServers' | 'blockAddresses'> = Parameters<
  GatewayLink[Name]
>[0]
type Usage = Told<'setTokenUsage'>[number]

/**
 * The control plane's end of the link: the gateway in the process beside this one, which may be started again. What
 * it has to know beside the configuration is said again then.
 */
export class RemoteGateway implements GatewayLink {
  readonly #peer: LinkPeer<ControlCalls, GatewayCalls>
  readonly #listeners = new ControlListeners()
  readonly #traces = new Traces()
  readonly #met = Promise.withResolvers<void>()
  readonly #usages = new Map<number, Usage>()
  #servers: number | undefined
  #own: Told<'blockAddresses'> | undefined
  #facts: GatewayFacts | undefined
  #state: GatewayState | undefined
  /** Undefined: nothing was published so far. */
  #snapshot: ConfigSnapshot | undefined
  /** What the gateway has got last. */
  #sent: RevisionId | undefined
  #publishing: Promise<unknown> = Promise.resolve()
  /** Settles when the gateway has stopped, or is gone. */
  #ended = Promise.withResolvers<void>()

  private constructor({ stream, onFault }: RemoteGatewayOptions) {
    const onGap = () => this.#leave()
    this.#peer = new LinkPeer({ stream, calls: this.#calls(), onGap, onFault })
  }

  /** Settles once the gateway runs. */
  static async open(options: RemoteGatewayOptions): Promise<RemoteGateway> {
    const gateway = new RemoteGateway(options)
    void gateway.#meet()
    await gateway.#met.promise
    return gateway
  }

  get address(): GatewayFacts['address'] {
    return this.#known.address
  }

  get url(): string {
    return this.#known.url
  }

  /** The revision that the workers served before the control plane was there. */
  get keptRevision(): number | undefined {
    return this.#known.keptRevision ?? undefined
  }

  /** Settles when every worker listens; with a kept configuration that needs no control plane. */
  ready(): Promise<boolean> {
    return this.#peer.ask('ready').catch(() => false)
  }

  publish(snapshot: ConfigSnapshot, changes?: SnapshotChanges): Promise<PublishResult> {
    this.#snapshot = snapshot
    const published = this.#publishing.then(() => this.#publish(snapshot, changes))
    this.#publishing = published.catch(() => {})
    return published
  }

  workers(): GatewayState['workers'] {
    return this.#state?.workers ?? []
  }

  limits(): GatewayState['limits'] {
    return (this.#state ?? this.#known.state).limits
  }

  onReport(listener: Parameters<GatewayLink['onReport']>[0]): void {
    this.#listeners.onReport(listener)
  }

  onProcedureSeen(listener: Parameters<GatewayLink['onProcedureSeen']>[0]): void {
    this.#listeners.onProcedureSeen(listener)
  }

  onTokenWanted(supply: Parameters<GatewayLink['onTokenWanted']>[0]): void {
    this.#listeners.onTokenWanted(supply)
  }

  onAgentAsked(answer: Parameters<GatewayLink['onAgentAsked']>[0]): void {
    this.#listeners.onAgentAsked(answer)
  }

  startTrace(endpointId: number, as?: TriedAs): StartedTrace {
    return this.#traces.begin(`e${endpointId}`, as)
  }

  async startUnsavedTrace(
    unsaved: Parameters<GatewayLink['startUnsavedTrace']>[0],
    as?: TriedAs,
  ): Promise<StartedTrace> {
    const started = this.#traces.begin('u', as)
    await this.#peer.ask('holdUnsaved', { ...unsaved, trace_id: started.id })
    return started
  }

  setToken(apiId: number, token: GatewayToken): void {
    this.#peer.tell('setToken', apiId, toUpstreamToken(token))
  }

  heard(): void {
    this.#peer.tell('heard')
  }

  setTokenUsage(usages: readonly Usage[]): void {
    for (const usage of usages) this.#usages.set(usage.token_id, usage)
    if (usages.length > 0) this.#peer.tell('setTokenUsage', usages)
  }

  setServers(servers: number): void {
    if (servers === this.#servers) return
    this.#servers = servers
    this.#peer.tell('setServers', servers)
  }

  blockAddresses(own: Told<'blockAddresses'>): void {
    this.#own = own
    this.#peer.tell('blockAddresses', own)
  }

  forget(): void {
    this.#listeners.forget()
  }

  /** The parent of both stops the gateway too; here its last reports are waited for. */
  stop(): Promise<void> {
    return this.#ended.promise
  }

  get #known(): GatewayFacts {
    if (!this.#facts) throw new Error('The gateway has not been met.')
    return this.#facts
  }

  #calls(): ConstructorParameters<typeof LinkPeer<ControlCalls, GatewayCalls>>[0]['calls'] {
    return {
      here: () => this.#meet(),
      state: (state) => {
        this.#state = state
      },
      report: (report) => this.#listeners.report(report),
      trace: (trace) => this.#traces.receive(trace),
      procedureSeen: (apiId, seen) => this.#listeners.procedureSeen(apiId, seen),
      agentAsked: (question) => this.#listeners.agentAsked(question),
      tokenWanted: async (apiId, refused) =>
        toUpstreamToken(await this.#listeners.token(apiId, refused)),
      stopped: () => this.#ended.resolve(),
    }
  }

  /** Another one, or this one for the first time. A gateway that does not run yet says later that it does. */
  async #meet(): Promise<void> {
    const facts = await this.#peer.ask('hello').catch(() => undefined)
    if (!facts) return
    const isAgain = this.#facts !== undefined
    this.#facts = facts
    this.#state = facts.state
    this.#traces.secret = facts.traceSecret
    if (isAgain) this.#sayAgain()
    this.#met.resolve()
  }

  #sayAgain(): void {
    this.#ended = Promise.withResolvers()
    if (this.#servers !== undefined) this.#peer.tell('setServers', this.#servers)
    if (this.#own) this.#peer.tell('blockAddresses', this.#own)
    if (this.#usages.size > 0) this.#peer.tell('setTokenUsage', [...this.#usages.values()])
    // Its kept one may be an earlier one. What comes of it is seen in the state of its workers.
    if (this.#snapshot) void this.publish(this.#snapshot).catch(() => {})
  }

  #leave(): void {
    this.#sent = undefined
    this.#state = this.#facts && { ...this.#facts.state, workers: [] }
    this.#ended.resolve()
  }

  async #publish(snapshot: ConfigSnapshot, changes?: SnapshotChanges): Promise<PublishResult> {
    try {
      const { accepted, refusal, state } = await this.#offer(snapshot, changes)
      this.#state = state
      return { accepted, refusal: refusal ?? undefined }
    } catch (error) {
      if (!(error instanceof LinkGap)) throw error
      return { accepted: 0, refusal: 'The gateway has ended and is started again.' }
    }
  }

  /** Only what was changed, where the gateway has the rest: a configuration may be large. */
  async #offer(snapshot: ConfigSnapshot, changes: SnapshotChanges | undefined) {
    const { revision, mark } = snapshot
    const isNext = changes !== undefined && isSameRevision(this.#sent, changes.base)
    this.#sent = { revision, mark }
    const answer = isNext ? await this.#peer.ask('change', changes) : null
    return answer ?? (await this.#peer.ask('publish', snapshot))
  }
}

const toUpstreamToken = ({ token, version, renewAt, expiresAt }: GatewayToken) => ({
  token,
  version,
  renew_at_ms: renewAt.getTime(),
  expires_at_ms: expiresAt.getTime(),
})
