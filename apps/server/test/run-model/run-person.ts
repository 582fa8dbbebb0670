import { AppError } from '../../src/kernel/app-error.ts'
import type { RunPeer } from '../servers/run-peer.ts'
import type { BundleMaker } from './bundle-maker.ts'
import type { ModelOptions } from './model-options.ts'
import { referenceOf } from './scripted-authority.ts'

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

/** What a person meets. */
interface World {
  /** Any of the servers. */
  peer: () => RunPeer
  advance: (ms: number) => void
  count: (what: string) => void
  noteRun: (id: number) => void
}

/** Does with a run what the product offers, at random, and says the truth of what became of a document. */
export class RunPerson {
  readonly #options: ModelOptions
  readonly #bundles: BundleMaker
  readonly #world: World

  constructor(options: ModelOptions, bundles: BundleMaker, world: World) {
    this.#options = options
    this.#bundles = bundles
    this.#world = world
  }

  async actOn(runId: number): Promise<void> {
    const { random } = this.#options
    if (runId === 0) return
    const peer = this.#world.peer()
    const action = random.pick(actions)
    this.#world.count(`${action}`)
    if (action === 'resume')
      await this.#answered(
        peer.resumer.resume(runId, { tokens: {}, confirmsHeld: false }, peer.context()),
      )
    else if (action === 'resolve') await this.#resolve(peer, runId)
    else if (action === 'ask') await this.#ask(runId)
    else await this.#retry(peer, runId, action === 'again')
  }

  async #ask(runId: number): Promise<void> {
    const peer = this.#world.peer()
    const step = await this.#openStep(peer, runId)
    if (!step) return
    const { verdict, because } = await peer.inquirer.query(
      runId,
      { step: step.position, token: '' },
      peer.context(),
    )
    this.#world.count(`asked: ${because ?? verdict}`)
  }

  /** Time passes, as the endpoint's quiet period asks for, between the questions. */
  async askPatiently(runId: number): Promise<void> {
    if (runId === 0) return
    for (const seconds of [60, 45, 25, 31]) {
      this.#world.advance(seconds * 1000)
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
    // What was typed is kept once where it is what was sent. Blank bodies could not be told apart.
    const body = (step?.source_body ?? step?.body ?? '').replace(',"is":"bad"', '')
    const { random, endpoints } = this.#options
    const isBare = step?.endpoint_id === endpoints.bare
    const isNew = body !== '' && random.isLikely(0.5)
    const corrected = isNew ? this.#bundles.body(!isBare, (step?.position ?? 1) > 1) : body
    const corrections = new Map(
      step && !isFromStart ? [[step.position, { body: corrected, token: '' }]] : [],
    )
    const retry = { corrections, isFromStart, confirmsHeld: false }
    await this.#answered(peer.retrier.retry(runId, retry, peer.context()))
    const made = await peer.stores.runs.findRetryOf(runId)
    if (made) this.#world.noteRun(made.id)
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
}
