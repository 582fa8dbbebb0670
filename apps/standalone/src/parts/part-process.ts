import type { SendHandle } from 'node:child_process'
import { Socket } from 'node:net'
import type { PartEnds } from '@gatehouse/server'
import { SettingError, StartError } from '@gatehouse/server/environment'
import {
  linkDescriptor,
  refusedCode,
  type FromPart,
  type PartEnd,
  type StartMessage,
  type ToPart,
  type UpMessage,
} from '../keeper/part-messages.ts'

/** So many are shown. */
const endsMax = 20

/** What a part does once it was told to start. Throws where it must not; then its process ends. */
type Work = (start: StartMessage, handle: unknown) => Promise<void>

/** The process of a part, as its parent sees it. There is one in a process. */
export class PartProcess {
  readonly #stopped = new AbortController()
  #stopWork = async (_isUrgent: boolean): Promise<void> => {}
  #hangUp = (): void => {}
  readonly #ends: PartEnd[] = []
  /** Those that nobody has taken. */
  #newEnds: PartEnd[] = []
  #hearEnd: ((end: PartEnd) => void) | undefined

  /** Aborted when it is to stop. */
  get signal(): AbortSignal {
    return this.#stopped.signal
  }

  /** Of all parts of this server. */
  readonly ends: PartEnds = {
    list: () => this.#ends.slice(-endsMax),
    onEnd: (hear) => {
      this.#hearEnd = hear
      for (const end of this.#newEnds.splice(0)) hear(end)
    },
  }

  /** Does the work once the parent says so. Ends with the parent, however that ends. */
  run(work: Work): void {
    for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
    // The parent decides when: a terminal sends its signals to the whole group.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
    process.on('message', (message: ToPart, handle: unknown) => {
      if (message.type === 'start')
        this.#start(work, message, handle).catch((error: unknown) => this.#fail(error))
      else if (message.type === 'ping') this.#tell({ type: 'pong' })
      else if (message.type === 'hang-up') this.#hangUp()
      else if (message.type === 'stop') void this.#stop(message.isUrgent)
      else this.#takeEnd(message.end)
    })
    process.on('disconnect', () => process.exit(1))
    if (!process.connected) process.exit(1)
  }

  /** The bytes that lead to the other part. */
  openLink(): Socket {
    return new Socket({ fd: linkDescriptor, readable: true, writable: true })
  }

  /** From now on the parent watches it. */
  up(message: Omit<UpMessage, 'type'>): void {
    this.#tell({ type: 'up', ...message })
  }

  /** Keeps a port open for the next process of this part. */
  hold(handle: SendHandle): void {
    process.send?.({ type: 'hold' } satisfies FromPart, handle, {}, () => {})
  }

  /** Another server has taken the identity of this one. */
  lost(): void {
    this.#tell({ type: 'lost' })
  }

  /** Says how to stop what runs by now. */
  onStop(work: (isUrgent: boolean) => Promise<void>): void {
    this.#stopWork = work
  }

  onHangUp(work: () => void): void {
    this.#hangUp = work
  }

  async #start(work: Work, message: StartMessage, handle: unknown): Promise<void> {
    this.#ends.push(...message.ends)
    this.#newEnds = message.ends.slice(message.ends.length - message.unlogged)
    await work(message, handle)
  }

  async #stop(isUrgent: boolean): Promise<void> {
    if (this.#stopped.signal.aborted) return
    this.#stopped.abort()
    await this.#stopWork(isUrgent).then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }

  #takeEnd(end: PartEnd): void {
    this.#ends.push(end)
    if (this.#hearEnd) this.#hearEnd(end)
    else this.#newEnds.push(end)
  }

  #fail(error: unknown): never {
    const isExpected = error instanceof SettingError || error instanceof StartError
    process.stderr.write(`${isExpected ? error.message : (error as Error).stack}\n`)
    process.exit(isExpected ? refusedCode : 1)
  }

  #tell(message: FromPart): void {
    // When the parent dies, `disconnect` reports it.
    process.send?.(message, undefined, {}, () => {})
  }
}
