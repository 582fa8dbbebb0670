import { AppError } from '../../src/kernel/app-error.ts'
import { leaseMs } from '../../src/kernel/leases/leases.ts'
import type { LiveRun } from '../../src/features/runs/ledger/reading/live-run.ts'
import { createRunPeer, type RunPeer } from '../servers/run-peer.ts'
import { BundleMaker, type BundleStep } from './bundle-maker.ts'
import type { ModelOptions } from './model-options.ts'
import { RunPerson } from './run-person.ts'
import { busyMs } from './scripted-authority.ts'

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
  readonly #bundles: BundleMaker
  readonly #person: RunPerson
  #bundle: BundleStep[]

  constructor(options: ModelOptions) {
    this.#options = options
    this.#peers = ['one', 'two'].map((owner) => this.#createPeer(owner))
    this.#bundles = new BundleMaker(options)
    this.#bundle = this.#bundles.bundle()
    this.#person = new RunPerson(options, this.#bundles, {
      peer: () => this.#peer(),
      advance: (ms) => this.#advance(ms),
      count: (what) => this.#count(what),
      noteRun: (id) => {
        if (!this.#runs.includes(id)) this.#runs.push(id)
      },
    })
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
      [8, 'one action', () => this.#person.actOn(this.#someRun())],
      [8, 'about an unknown', async () => this.#person.actOn(await this.#someUnknown())],
      [6, 'two actions', () => this.#two()],
      [3, 'ask patiently', async () => this.#person.askPatiently(await this.#someUnknown())],
      [8, 'poll', () => this.#poll(this.#peer())],
      [2, 'poll twice', () => this.#twice((peer) => this.#poll(peer))],
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

  #newBundle(): BundleStep[] {
    this.#bundle = this.#bundles.bundle()
    return this.#bundle
  }

  async #sendBy(peer: RunPeer, bundle: BundleStep[]): Promise<void> {
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

  /** A server looks whether decisions are due, and goes on with what was accepted. */
  async #poll({ polls }: RunPeer): Promise<void> {
    await polls.round()
    // A run that goes on may be waiting for the authority, which answers when it is released.
    if (this.#options.authority.held.length === 0) await polls.idle()
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
    return this.#together([this.#person.actOn(run), this.#person.actOn(run)])
  }

  #count(what: string): void {
    this.done.set(what, (this.done.get(what) ?? 0) + 1)
  }
}
