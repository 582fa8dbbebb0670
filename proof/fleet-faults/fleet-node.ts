import type { ChildProcess } from 'node:child_process'
import { runProduct, type Product } from '../../e2e/harness/run-product.ts'
import { signalTree } from './process-tree.ts'
import type { Wire } from './wires.ts'

interface NodeOptions {
  name: string
  wire: Wire
  /** Asked at each start. */
  environment: () => Promise<Record<string, string>>
}

/** One server of the fleet, as processes of its own that are killed, frozen, cut off and started again. */
export class FleetNode {
  readonly name: string
  readonly wire: Wire
  readonly #environment: NodeOptions['environment']
  #product: Product | undefined
  /** Set while it can't be expected to answer. */
  #goneSinceMs: number | undefined = performance.now()
  readonly #absences: { fromMs: number; toMs: number }[] = []
  /** When what it is told by the databases began to reach it; undefined: it does not. */
  #contactSinceMs: number | undefined
  #death: string | undefined

  constructor({ name, wire, environment }: NodeOptions) {
    this.name = name
    this.wire = wire
    this.#environment = environment
  }

  get url(): string {
    return this.#at(this.#product?.url)
  }

  get gatewayUrl(): string {
    return this.#at(this.#product?.gatewayUrl)
  }

  /** Resolves when it is ready, on the ports that it had. */
  async start(): Promise<void> {
    const { PORT = '0', GATEWAY_PORT = '0', ...given } = await this.#environment()
    const ports = {
      PORT: this.#product ? new URL(this.#product.url).port : PORT,
      GATEWAY_PORT: this.#product?.gatewayUrl
        ? new URL(this.#product.gatewayUrl).port
        : GATEWAY_PORT,
    }
    this.#product = await runProduct({ ...given, ...ports }, { command: this.wire.command })
    this.#watch(this.#product.process)
    this.#back()
  }

  async kill(): Promise<void> {
    this.#away()
    await this.#product?.end('SIGKILL')
  }

  async stop(): Promise<void> {
    this.#away()
    await this.#product?.end('SIGTERM')
  }

  freeze(): void {
    this.#away()
    signalTree(this.#pid, 'SIGSTOP')
  }

  thaw(): void {
    signalTree(this.#pid, 'SIGCONT')
    this.#back()
  }

  async cut(): Promise<void> {
    this.#contactSinceMs = undefined
    await this.wire.cut()
  }

  async heal(): Promise<void> {
    await this.wire.heal()
    this.#contactSinceMs = performance.now()
  }

  /** The databases are away from all. */
  loseContact(): void {
    this.#contactSinceMs = undefined
  }

  gainContact(): void {
    this.#contactSinceMs ??= performance.now()
  }

  /** Since when every change has reached it; undefined: it can't. */
  get contactSinceMs(): number | undefined {
    return this.#goneSinceMs === undefined ? this.#contactSinceMs : undefined
  }

  /** Whether it could be expected to answer, all the time between the two moments. */
  wasThere(fromMs: number, toMs: number): boolean {
    if (this.#goneSinceMs !== undefined && this.#goneSinceMs <= toMs) return false
    return !this.#absences.some((absence) => absence.fromMs <= toMs && absence.toMs >= fromMs)
  }

  get isThere(): boolean {
    return this.#goneSinceMs === undefined
  }

  /** What it said last where it has ended by itself. */
  get death(): string | undefined {
    return this.#death
  }

  #watch({ stderr, pid }: ChildProcess): void {
    let said = ''
    stderr?.on('data', (text: string) => (said = (said + text).slice(-2_000)))
    stderr?.once('close', () => {
      if (this.isThere && pid === this.#pid) this.#death = `${this.name} has ended: ${said}`
    })
  }

  get #pid(): number {
    return this.#product?.process.pid ?? 0
  }

  #away(): void {
    this.#goneSinceMs ??= performance.now()
  }

  #back(): void {
    const nowMs = performance.now()
    if (this.#goneSinceMs !== undefined)
      this.#absences.push({ fromMs: this.#goneSinceMs, toMs: nowMs })
    this.#goneSinceMs = undefined
    this.#contactSinceMs = nowMs
  }

  #at(url = ''): string {
    return url === '' ? '' : `http://${this.wire.address}:${new URL(url).port}`
  }
}
