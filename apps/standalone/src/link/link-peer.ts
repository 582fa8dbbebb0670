import type { Duplex } from 'node:stream'

/** The other part has ended before it answered. */
export class LinkGap extends Error {
  override name = 'LinkGap'
}

/** What a part answers, by name. */
type Calls = Record<string, (...args: never[]) => unknown>
/** The same as it is done: it may take a while. */
type Done<Own extends Calls> = {
  [Name in keyof Own]: (
    ...args: Parameters<Own[Name]>
  ) => ReturnType<Own[Name]> | Promise<ReturnType<Own[Name]>>
}

type Message =
  | { tell: string; args: unknown[] }
  | { ask: string; id: string; args: unknown[] }
  | { answer: string; value?: unknown; error?: string }

interface Waiting {
  resolve: (value: unknown) => void
  reject: (error: Error) => void
}

interface LinkPeerOptions<Own extends Calls> {
  stream: Duplex
  /** What the other part may call. */
  calls: Done<Own>
  /** The process of the other part has ended. Another one may follow. */
  onGap: () => void
  /** A call that nobody waits for has failed. */
  onFault: (error: unknown) => void
}

const newline = 0x0a

/**
 * Calls between the two parts of a server, as lines of JSON over a stream. `Theirs` is what the other part answers.
 * The other part's process may end and be replaced: a blank line says so.
 */
export class LinkPeer<Own extends Calls, Theirs extends Calls> {
  readonly #options: LinkPeerOptions<Own>
  readonly #waiting = new Map<string, Waiting>()
  /** The beginning of a line whose end has not arrived. */
  #begun: Buffer[] = []
  #asked = 0
  /** An answer to an earlier process with the same number is not taken for one to this. */
  readonly #prefix = `${process.pid}.${Date.now()}.`

  constructor(options: LinkPeerOptions<Own>) {
    this.#options = options
    const { stream } = options
    // If the parent dies, this process ends.
    stream.on('error', () => {})
    stream.on('data', (chunk: Buffer) => this.#take(chunk))
  }

  /** Says it, and expects no answer. */
  tell<K extends keyof Theirs & string>(name: K, ...args: Parameters<Theirs[K]>): void {
    this.#send({ tell: name, args })
  }

  /** Rejects with the message of what the other part threw, or with a LinkGap. */
  ask<K extends keyof Theirs & string>(
    name: K,
    ...args: Parameters<Theirs[K]>
  ): Promise<ReturnType<Theirs[K]>> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = `${this.#prefix}${++this.#asked}`
    this.#waiting.set(id, { resolve, reject })
    this.#send({ ask: name, id, args })
    return promise as Promise<ReturnType<Theirs[K]>>
  }

  /** Settles when all that was said has left this process. */
  async flush(): Promise<void> {
    const { stream } = this.#options
    if (stream.writableLength === 0) return
    await new Promise<void>((resolve) => stream.write('', () => resolve()))
  }

  #send(message: Message): void {
    this.#options.stream.write(`${JSON.stringify(message)}\n`)
  }

  #take(chunk: Buffer): void {
    let from = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      const line = Buffer.concat([...this.#begun, chunk.subarray(from, end)])
      this.#begun = []
      from = end + 1
      this.#takeLine(line)
    }
    if (from < chunk.length) this.#begun.push(chunk.subarray(from))
  }

  #takeLine(line: Buffer): void {
    if (line.length === 0) return this.#handleGap()
    const message = parsed(line)
    if (message === undefined) return
    if ('answer' in message) this.#settle(message)
    else if ('tell' in message) this.#call(message.tell, message.args).catch(this.#options.onFault)
    else void this.#answer(message.ask, message.id, message.args)
  }

  #handleGap(): void {
    for (const { reject } of this.#waiting.values())
      reject(new LinkGap('The other part has ended.'))
    this.#waiting.clear()
    this.#options.onGap()
  }

  #settle({ answer, value, error }: Extract<Message, { answer: string }>): void {
    const waiting = this.#waiting.get(answer)
    this.#waiting.delete(answer)
    if (error === undefined) waiting?.resolve(value)
    else waiting?.reject(new Error(error))
  }

  async #answer(name: string, id: string, args: unknown[]): Promise<void> {
    try {
      this.#send({ answer: id, value: await this.#call(name, args) })
    } catch (error) {
      this.#send({ answer: id, error: (error as Error).message })
    }
  }

  async #call(name: string, args: unknown[]): Promise<unknown> {
    const call = this.#options.calls[name] as ((...args: unknown[]) => unknown) | undefined
    if (!call) throw new Error(`There is no call ${name}.`)
    return call(...args)
  }
}

/** Undefined: its sender ended in the middle of it, or this process began to listen there. */
function parsed(line: Buffer): Message | undefined {
  try {
    return JSON.parse(line.toString()) as Message
  } catch {
    return undefined
  }
}
