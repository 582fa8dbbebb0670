import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Call } from '../../e2e/harness/run-product.ts'
import type { Till } from '../../e2e/harness/upstreams/till.ts'
import type { FleetNode } from './fleet-node.ts'
import type { TokenBook } from './token-book.ts'
import type { VersionBook } from './version-book.ts'

interface OperatorOptions {
  controls: readonly FleetNode[]
  /** Signed in at each control plane, in the same order. */
  calls: readonly Call[]
  till: Till
  /** Its upstream has a secret. */
  sealed: Till
  versions: VersionBook
  tokens: TokenBook
  pauseMs: number
}

const livingMax = 4

/**
 * Changes what the till answers, stores secrets, makes tokens and revokes them, one act after the other, at one control plane
 * after the other. What is not answered may have been done.
 */
export class Operator {
  readonly #options: OperatorOptions
  #at = 0
  #isStopped = false
  #isPaused = false
  #isActing = false
  #running: Promise<void> = Promise.resolve()
  /** Acts that were answered as done. */
  done = 0
  /** What came instead of that for the others. */
  readonly open: string[] = []
  /** Called when an act is on its way to this control plane. */
  onAct: (control: FleetNode) => void = () => {}

  constructor(options: OperatorOptions) {
    this.#options = options
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  /** Resolves when no act is under way. */
  async pause(): Promise<void> {
    this.#isPaused = true
    while (this.#isActing) await sleep(5)
  }

  resume(): void {
    this.#isPaused = false
  }

  async #run(): Promise<void> {
    for (let act = 0; !this.#isStopped; act++) {
      if (!this.#isPaused) await this.#next(act)
      await sleep(this.#options.pauseMs)
    }
  }

  async #next(act: number): Promise<void> {
    this.#isActing = true
    if (act % 4 === 3) await this.#tokens()
    else if (act % 4 === 1)
      await this.#act((call) => this.#options.sealed.changeSecret(`${act}`, call))
    else await this.change()
    this.#isActing = false
  }

  /** Writes the next number, which it gives back once it is in force; undefined: it may not be. */
  async change(): Promise<number | undefined> {
    const { versions, till } = this.#options
    const number = versions.begin()
    const answer = await this.#act((call) => till.change(`change ${number}`, call))
    if (answer?.status !== 200) return undefined
    versions.done(number)
    return number
  }

  async #tokens(): Promise<void> {
    const { tokens } = this.#options
    const oldest = tokens.living >= livingMax ? tokens.oldest() : undefined
    if (!oldest) {
      const answer = await this.#act((call) => call('POST', '/admin/token/store', { name: 'till' }))
      if (answer?.status !== 201) return
      const { access_token } = answer.body as { access_token: { id: number; token: string } }
      tokens.made(access_token.id, access_token.token)
      return
    }
    oldest.endingMs = performance.now()
    const answer = await this.#act((call) => call('DELETE', `/api/token/${oldest.id}`))
    if (answer?.status === 204) tokens.revoked(oldest)
  }

  /** At the next control plane that is there; undefined where no answer came. */
  async #act(work: (call: Call) => Promise<Answer>): Promise<Answer | undefined> {
    const { controls, calls } = this.#options
    const there = controls.flatMap((control, index) => (control.isThere ? [index] : []))
    const index = there[this.#at++ % there.length]
    const [control, call] = [controls[index ?? -1], calls[index ?? -1]]
    if (!control || !call) return undefined
    const answering = work(call).catch((error: unknown) => String((error as Error).cause ?? error))
    this.onAct(control)
    const answer = await answering
    const isAnswer = typeof answer !== 'string'
    if (isAnswer && answer.status < 300) this.done++
    else this.open.push(`${control.name}: ${isAnswer ? JSON.stringify(answer) : answer}`)
    return isAnswer ? answer : undefined
  }
}
