import type { SendHandle } from 'node:child_process'
import { KeptPart, type PartDeath } from './kept-part.ts'
import { refusedCode, type FromPart, type PartEnd, type PartName } from './part-messages.ts'
import { Relay } from './relay.ts'

const files = {
  control: new URL('../parts/control-part.ts', import.meta.url),
  gateway: new URL('../parts/gateway-part.ts', import.meta.url),
}
const titles = { control: 'control plane', gateway: 'gateway' }
/** So many ends are remembered. */
const endsMax = 20

interface ProductOptions {
  /** False: this server is a control plane alone. */
  hasGateway: boolean
  say: (line: string) => void
  complain: (line: string) => void
  exit: (code: number) => void
}

/**
 * Keeps the parts of a server, each in a process of its own, so that no fault of one takes the other. This process
 * reads nothing that comes from outside: it starts the parts, watches them, and passes bytes between them.
 */
export class Product {
  readonly #options: ProductOptions
  readonly #relay = new Relay()
  readonly #ends: PartEnd[] = []
  readonly #gateway: KeptPart | undefined
  readonly #control: KeptPart
  /** Bound by the gateway, and kept open while its process is started again. */
  #gatewayPort: SendHandle | undefined
  #controlPort: number | null = null
  #unlogged = 0
  #isServing = false
  #isStopping = false

  constructor(options: ProductOptions) {
    this.#options = options
    if (options.hasGateway) this.#gateway = this.#keep('gateway')
    this.#control = this.#keep('control')
  }

  hangUp(): void {
    this.#gateway?.tell({ type: 'hang-up' })
  }

  /** Each part finishes what is in flight. */
  stop(code: number): void {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#options.say('Finishing what is in flight ...')
    // Another server has its identity.
    const isUrgent = code !== 0
    closeHandle(this.#gatewayPort)
    void Promise.all([this.#gateway?.stop(isUrgent) ?? 0, this.#control.stop(isUrgent)]).then(
      (codes) => this.#options.exit(Math.max(code, ...codes)),
    )
  }

  #keep(name: PartName): KeptPart {
    return new KeptPart({
      name,
      file: files[name],
      onFork: (part, link) => {
        this.#relay.join(name === 'control' ? 0 : 1, link)
        // The control plane needs to know where the gateway listens; it loads its code meanwhile.
        if (name === 'gateway') this.#start(part, this.#gatewayPort)
        else if (!this.#gateway || this.#gateway.isUp) this.#start(part)
      },
      onMessage: (message, handle) => this.#receive(name, message, handle),
      onEnd: (end) => this.#handleEnd(name, end),
    })
  }

  #start(part: KeptPart, handle?: SendHandle): void {
    const { ends, unlogged } = { ends: this.#ends, unlogged: this.#unlogged }
    part.tell({ type: 'start', port: this.#controlPort, ends, unlogged }, handle)
  }

  #receive(name: PartName, message: FromPart, handle: unknown): void {
    if (message.type === 'hold') this.#gatewayPort = handle as SendHandle
    else if (message.type === 'lost') this.stop(1)
    else if (message.type === 'up' && name === 'control') {
      this.#controlPort = message.port ?? this.#controlPort
      this.#isServing = true
      this.#unlogged = 0
    } else if (message.type === 'up') {
      this.#isServing ||= message.isServing ?? false
      if (!this.#control.isUp) this.#start(this.#control)
    }
  }

  #handleEnd(part: PartName, { reason, code, isFirst, pauseMs }: PartDeath): void {
    const { complain, exit } = this.#options
    // It has said why it does not start, or has a bug that would end it again; nothing is served by it so far.
    const isRefusal = code === refusedCode || (code !== null && !this.#isServing)
    if (isFirst && isRefusal) return exit(1)
    const end = { part, at: new Date().toISOString(), reason }
    this.#ends.push(end)
    if (this.#ends.length > endsMax) this.#ends.shift()
    complain(
      `The ${titles[part]} has ended (${reason}) and is started again in ${pauseMs / 1_000} s.`,
    )
    if (this.#control.isUp) this.#control.tell({ type: 'end', end })
    else this.#unlogged++
  }
}

const closeHandle = (handle: SendHandle | undefined): void => {
  if (handle && 'close' in handle) handle.close()
}
