import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { packetType, toPackets } from './tds-packets.ts'
import type { TdsStep } from './tds-script.ts'
import {
  columnMetadata,
  done,
  doneStatus,
  messageToken,
  nullBitmapRow,
  returnStatus,
  returnValue,
  row,
  transactionBegan,
  transactionEnded,
} from './tds-tokens.ts'
import type { TdsColumn } from './tds-tokens.ts'
import type { TdsValue } from './tds-value.ts'

interface TdsAnswerOptions {
  stream: Duplex
  /** Aborts when the client cancels. */
  attention: AbortSignal
  /** Answers to calls and to `exec` end in DONEPROC and carry a return status. */
  isProcedure: boolean
  /** Only the OUTPUT parameters that the client asked for are sent. */
  outputs: readonly { ordinal: number; name: string; type: string }[]
  /** The transaction the client is in, or undefined. */
  transaction: Buffer | undefined
}

/** Writes one response message: the steps of a script as tokens, a packet whenever there is one full. */
export class TdsAnswer {
  readonly #options: TdsAnswerOptions
  #pending: Buffer[] = []
  #pendingBytes = 0
  #hasFailed = false
  /** A DONE has said that nothing follows. */
  #isComplete = false
  #returnValue = 0
  #output: Record<string, TdsValue> = {}

  constructor(options: TdsAnswerOptions) {
    this.#options = options
  }

  /** Resolves when the message is complete, or has been broken off as the script wants. */
  async run(steps: Iterable<TdsStep>): Promise<'ended' | 'broken off'> {
    const list = [...steps]
    for (const [index, step] of list.entries()) {
      if (this.#options.attention.aborted) break
      const isLast = index === list.length - 1
      if (await this.#take(step, isLast)) return 'broken off'
    }
    this.#finish()
    await this.#flush(true)
    return 'ended'
  }

  async #take(step: TdsStep, isLast: boolean): Promise<boolean> {
    if ('recordset' in step) await this.#recordset(step.recordset, isLast)
    else if ('rowsAffected' in step) this.#statementDone(step.rowsAffected, isLast)
    else if ('error' in step) {
      this.#hasFailed = true
      this.#add(messageToken('error', step.error))
    } else if ('info' in step) this.#add(messageToken('info', step.info))
    else if ('output' in step) this.#output = { ...this.#output, ...step.output }
    else if ('returnValue' in step) this.#returnValue = step.returnValue
    else if ('begin' in step) this.#add(transactionBegan(Buffer.alloc(8, 0xbe)))
    else if ('commit' in step) {
      this.#add(transactionEnded(9, this.#options.transaction ?? Buffer.alloc(8)))
    } else if ('raw' in step) this.#add(step.raw)
    else if ('wait' in step) return this.#wait(step.wait)
    else if ('cut' in step) {
      await this.#flush(false)
      this.#options.stream.destroy()
      return true
    } else {
      await this.#flush(false)
      this.#options.stream.write(step.rawPacket)
      return true
    }
    return false
  }

  async #recordset(
    { columns, rows, isCompressed }: Extract<TdsStep, { recordset: unknown }>['recordset'],
    isLast: boolean,
  ) {
    this.#add(columnMetadata(columns))
    const encode: (columns: readonly TdsColumn[], values: readonly TdsValue[]) => Buffer =
      isCompressed ? nullBitmapRow : row
    let count = 0
    for (const values of rows) {
      if (this.#options.attention.aborted || this.#options.stream.destroyed) return
      this.#add(encode(columns, values))
      count++
      if (this.#pendingBytes > 4000) await this.#flush(false)
    }
    this.#statementDone(count, isLast)
  }

  #statementDone(count: number | bigint, isLast: boolean) {
    const { isProcedure } = this.#options
    const more = isProcedure || !isLast ? doneStatus.more : 0
    this.#isComplete = more === 0
    // A count of 0 is sent too.
    this.#add(done(isProcedure ? 'doneInProc' : 'done', more | doneStatus.count, count))
  }

  async #wait(until: 'attention' | 'forever' | Promise<unknown>): Promise<boolean> {
    await this.#flush(false)
    if (until === 'forever') return true
    const { attention } = this.#options
    if (until === 'attention') {
      if (!attention.aborted) await once(attention, 'abort')
    } else await until
    return false
  }

  #finish() {
    const { isProcedure, attention, outputs } = this.#options
    if (attention.aborted)
      return this.#add(done(isProcedure ? 'doneProc' : 'done', doneStatus.error))
    const failed = this.#hasFailed ? doneStatus.error : 0
    if (!isProcedure) {
      if (!this.#isComplete) this.#add(done('done', failed))
      return
    }
    if (!this.#hasFailed) {
      this.#add(returnStatus(this.#returnValue))
      for (const { ordinal, name, type } of outputs) {
        this.#add(returnValue(ordinal, name, type, this.#output[name] ?? null))
      }
    }
    this.#add(done('doneProc', failed))
  }

  #add(token: Buffer) {
    this.#pending.push(token)
    this.#pendingBytes += token.length
  }

  async #flush(isLast: boolean) {
    const { stream } = this.#options
    if (stream.destroyed || (this.#pendingBytes === 0 && !isLast)) return
    const data = Buffer.concat(this.#pending)
    this.#pending = []
    this.#pendingBytes = 0
    // Between two packets the event loop reads what the client has sent.
    if (stream.write(toPackets(packetType.response, data, { isLast }))) await setImmediate()
    else await Promise.race([once(stream, 'drain'), once(stream, 'close')]).catch(() => undefined)
  }
}

/** The answer to an attention (MS-TDS 2.2.1.7): a message of its own. */
export const attentionAcknowledged = (): Buffer =>
  toPackets(packetType.response, done('done', doneStatus.attention))
