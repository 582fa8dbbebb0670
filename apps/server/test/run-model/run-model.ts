import { AppError } from '../../src/kernel/app-error.ts'
import { leaseMs } from '../../src/features/runs/ledger/leases.ts'
import type { LiveRun } from '../../src/features/runs/ledger/live-run.ts'
import type { TestServer } from '../build-server.ts'
import { createRunPeer, type createPeerUpstream, type RunPeer } from '../run-peer.ts'
import type { Random } from './random.ts'
import { busyMs, referenceOf, type Authority } from './scripted-authority.ts'

interface ModelOptions {
  server: TestServer
  upstream: ReturnType<typeof createPeerUpstream>
  authority: Authority
  random: Random
  /**
   * Submits with a reference, safe against duplicates, refusing them, and with nothing of it; PUT and
   * GET.
   */
  endpoints: Record<'plain' | 'safe' | 'refusing' | 'bare' | 'put' | 'read', number>
}

const actions = [
  'resume',
  'resume',
  'resume',
  'resolve',
  'resolve',
  'ask',
  'ask',
  'correct',
  'again',
]
const kinds = [
  'plain',
  'plain',
  'safe',
  'safe',
  'refusing',
  'refusing',
  'bare',
  'put',
  'read',
] as const

interface Step {
  endpointId: number
  body: string
}

/** Every word that a refusal may have; anything else that is thrown is a fault of ours. */
const isRefusal = (error: unknown) => error instanceof AppError && error.status !== 500

/**
 * People, servers that die and an authority that answers badly, all at random: each action is one of
 * those that the product offers, and people say the truth of what became of a document.
 */
export class RunModel {
  readonly #options: ModelOptions
  readonly #peers: RunPeer[]
  /** Work whose request the authority holds. */
  readonly #pending = new Set<Promise<unknown>>()
  readonly #runs: number[] = []
  readonly faults: unknown[] = []
  readonly done = new Map<string, number>()
  #bundle: Step[]
  #content = 0

  constructor(options: ModelOptions) {
    this.#options = options
    this.#peers = ['one', 'two'].map((owner) => this.#createPeer(owner))
    this.#bundle = this.#newBundle()
  }

  async perform(): Promise<void> {
    const { random, authority } = this.#options
    this.#advance(random.below(3000))
    const actions: [number, string, () => Promise<unknown>][] = [
      [10, 'send', () => this.#sendBy(this.#peer(), this.#newBundle())],
      [3, 'send twice', () => this.#twice((peer) => this.#sendBy(peer, this.#bundle))],
      [3, 'send the same', () => this.#sendBy(this.#peer(), this.#bundle)],
      [3, 'crash', () => this.#crash()],
      [2, 'crash unsent', () => this.#crashUnsent()],
      [2, 'lease runs out', () => this.#expire()],
      [4, 'answer late', async () => this.#options.random.pick(authority.held)?.release()],
      [8, 'one action', () => this.#actOn(this.#someRun())],
      [8, 'about an unknown', async () => this.#actOn(await this.#someUnknown())],
      [6, 'two actions', () => this.#two()],
      [3, 'ask patiently', async () => this.#askPatiently(await this.#someUnknown())],
      [3, 'elsewhere', async () => authority.acceptFromElsewhere(`/safe ${authority.reference()}`)],
    ]
    const all = actions.flatMap(([weight, name, action]) =>
      Array.from({ length: weight }, () => ({ name, action })),
    )
    const { name, action } = random.pick(all) ?? { name: 'none', action: async () => {} }
    this.#count(name)
    await this.#untilHeld(action())
  }

  /** The authority answers all that it holds, and every server has its runs closed. */
  async end(): Promise<void> {
    const { authority } = this.#options
    authority.holdNoMore()
    while (authority.held.length > 0) authority.held[0]?.release()
    await Promise.all(this.#pending)
    await this.#expire()
  }

  /** The authority works off what has waited for long. */
  #advance(ms: number): void {
    const { server, authority } = this.#options
    authority.releaseOlderThan(busyMs - ms)
    server.time.now = new Date(server.time.now.getTime() + ms)
  }

  /** Goes on when the work is done, or waits for the authority; a late end is no less looked at. */
  async #untilHeld(work: Promise<unknown>): Promise<void> {
    const held = this.#options.authority.nextHeld()
    const watched = work
      .catch((error: unknown) => {
        if (isRefusal(error)) this.#count(`refused: ${(error as AppError).code}`)
        else this.faults.push(error)
      })
      .finally(() => this.#pending.delete(watched))
    this.#pending.add(watched)
    await Promise.race([watched, held])
  }

  #createPeer(owner: string): RunPeer {
    return createRunPeer(this.#options.server, this.#options.upstream, owner)
  }

  #peer(): RunPeer {
    return this.#options.random.pick(this.#peers) ?? this.#createPeer('one')
  }

  #newBundle(): Step[] {
    const { random, endpoints } = this.#options
    const length = 1 + random.below(3)
    this.#bundle = Array.from({ length }, (_, index): Step => {
      const kind = random.pick(kinds) ?? 'read'
      const body = kind === 'read' ? '' : this.#body(kind !== 'bare', index > 0)
      return { endpointId: endpoints[kind], body }
    })
    return this.#bundle
  }

  /** Of a document of its own, or of one that others speak of as well. */
  #body(isShared: boolean, mayTake: boolean): string {
    const { random, authority } = this.#options
    const isTaken = isShared && mayTake && random.isLikely(0.3)
    const others = isShared && random.isLikely(0.4) ? authority.reference() : undefined
    const no = isTaken ? '{{steps.1.body.no}}' : (others ?? `U-${++this.#content}`)
    return `{"no":"${no}","n":${++this.#content}${random.isLikely(0.15) ? ',"is":"bad"' : ''}}`
  }

  async #sendBy(peer: RunPeer, bundle: Step[]): Promise<void> {
    const { random } = this.#options
    // Where no reference tells documents apart, a new key would say "once more".
    const isBare = bundle.some(({ endpointId }) => endpointId === this.#options.endpoints.bare)
    const key = isBare || random.isLikely(0.5) ? undefined : `key-number-${random.below(900)}`
    const started = await peer.start(bundle, key)
    if (started.what === 'began') await this.#carryOut(peer, started.live)
  }

  async #carryOut(peer: RunPeer, live: LiveRun): Promise<void> {
    this.#runs.push(live.id)
    await peer.engine.carryOut(live)
  }

  #twice(work: (peer: RunPeer) => Promise<unknown>): Promise<unknown> {
    return this.#together(this.#peers.map((peer) => work(peer)))
  }

  /** All of them, whatever becomes of each; a refusal of one is counted. */
  async #together(works: Promise<unknown>[]): Promise<void> {
    for (const { reason } of (await Promise.allSettled(works)) as { reason?: unknown }[]) {
      if (reason === undefined) continue
      if (!isRefusal(reason)) throw reason
      this.#count(`refused: ${(reason as AppError).code}`)
    }
  }

  /** A process dies amid whatever it does, and the next one starts in its place. */
  async #crash(): Promise<void> {
    const index = this.#options.random.below(this.#peers.length)
    const next = this.#createPeer(index === 0 ? 'one' : 'two')
    this.#peers[index] = next
    await next.ledger.recover({ own: true })
  }

  /** It dies between the commit and the socket. */
  async #crashUnsent(): Promise<void> {
    const started = await this.#peer().start(this.#newBundle())
    if (started.what === 'began') this.#runs.push(started.live.id)
    await this.#crash()
  }

  async #expire(): Promise<void> {
    const { random } = this.#options
    for (const peer of this.#peers)
      if (random.isLikely(0.3)) await peer.leases.renew(peer.stores.runs)
    this.#advance(leaseMs + 1)
    // The server that holds a run does not take it from itself: each looks at those of the other.
    await Promise.all(
      [...this.#peers, this.#createPeer('three')].map((peer) =>
        peer.ledger.recover({ own: false }),
      ),
    )
  }

  #someRun(): number {
    const { random } = this.#options
    const recent = this.#runs.slice(-25)
    return random.pick(random.isLikely(0.8) ? recent : this.#runs) ?? 0
  }

  /** People look at what is unknown first. */
  async #someUnknown(): Promise<number> {
    const { server, random } = this.#options
    const unknown = await server.db
      .selectFrom('run')
      .select('id')
      .where('state', '=', 'unknown')
      .orderBy('id', 'desc')
      .limit(5)
      .execute()
    return random.pick(unknown)?.id ?? 0
  }

  #two(): Promise<unknown> {
    const run = this.#someRun()
    return this.#together([this.#actOn(run), this.#actOn(run)])
  }

  async #actOn(runId: number): Promise<void> {
    const { random } = this.#options
    if (runId === 0) return
    const peer = this.#peer()
    const action = random.pick(actions)
    this.#count(`${action}`)
    if (action === 'resume') await this.#answered(peer.resumer.resume(runId, {}, peer.context()))
    else if (action === 'resolve') await this.#resolve(peer, runId)
    else if (action === 'ask') await this.#ask(runId)
    else await this.#retry(peer, runId, action === 'again')
  }

  async #ask(runId: number): Promise<void> {
    const peer = this.#peer()
    const step = await this.#openStep(peer, runId)
    if (!step) return
    const { verdict, because } = await peer.resolver.query(runId, step.position, '', peer.context())
    this.#count(`asked: ${because ?? verdict}`)
  }

  /** Time passes, as the endpoint's quiet period asks for, between the questions. */
  async #askPatiently(runId: number): Promise<void> {
    if (runId === 0) return
    for (const seconds of [60, 45, 25, 31]) {
      this.#advance(seconds * 1000)
      await this.#ask(runId)
    }
  }

  /** A person looks at the other side, and says what is so. */
  async #resolve(peer: RunPeer, runId: number): Promise<void> {
    const step = await this.#openStep(peer, runId)
    if (!step?.body || step.effect !== 'submit') return
    const key = `${new URL(step.url).pathname} ${referenceOf(step.body)}`
    const isReceived = this.#options.authority.truthOf(key)
    if (isReceived === undefined) return
    const verdict = isReceived ? 'received' : 'not_received'
    const resolution = { step: step.position, verdict, reference: '', note: '' } as const
    await peer.resolver.resolve(runId, resolution, peer.context())
  }

  async #retry(peer: RunPeer, runId: number, isFromStart: boolean): Promise<void> {
    const steps = await peer.stores.runs.listSteps(runId)
    const step = steps.find(({ state }) => state !== 'succeeded')
    const body = (step?.source_body ?? '').replace(',"is":"bad"', '')
    const { random, endpoints } = this.#options
    const isBare = step?.endpoint_id === endpoints.bare
    const isNew = body !== '' && random.isLikely(0.5)
    const corrected = isNew ? this.#body(!isBare, (step?.position ?? 1) > 1) : body
    const corrections = new Map(
      step && !isFromStart ? [[step.position, { body: corrected, token: '' }]] : [],
    )
    await this.#answered(peer.retrier.retry(runId, { corrections, isFromStart }, peer.context()))
    const made = await peer.stores.runs.findRetryOf(runId)
    if (made && !this.#runs.includes(made.id)) this.#runs.push(made.id)
  }

  async #openStep(peer: RunPeer, runId: number) {
    const steps = await peer.stores.runs.listSteps(runId)
    return steps.find(({ state }) => state === 'unknown' || state === 'blocked')
  }

  /** A run that failed is an answer as well. */
  async #answered(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => {
      if (!(error instanceof AppError) || !['run.failed', 'run.unknown'].includes(error.code))
        throw error
    })
  }

  #count(what: string): void {
    this.done.set(what, (this.done.get(what) ?? 0) + 1)
  }
}
