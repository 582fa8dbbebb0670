import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { attentionAcknowledged, TdsAnswer } from './tds-answer.ts'
import { answerCatalogue } from './tds-catalogue.ts'
import { preloginAnswer, readLogin7, readPrelogin } from './tds-login.ts'
import { loginAnswer } from './tds-login-answer.ts'
import type { TdsLogin } from './tds-login.ts'
import { MessageAssembler, packetType, toPackets } from './tds-packets.ts'
import type { TdsMessage } from './tds-packets.ts'
import { readBatch, readExec, readRpc, readTransaction } from './tds-requests.ts'
import type { ReadRequest, TdsParameter, TdsRequest } from './tds-requests.ts'
import { findProcedure, runProcedure } from './tds-script.ts'
import type { TdsStep } from './tds-script.ts'
import type { TdsServerOptions, TdsServerRecord } from './tds-options.ts'
import { connectionReset, done, transactionBegan, transactionEnded } from './tds-tokens.ts'
import { secureInPackets } from './tds-tls.ts'

const noTransaction = Buffer.alloc(8)

/** One connection: PRELOGIN, TLS if it comes to that, LOGIN7, then requests one after the other. */
export class TdsSession {
  readonly #options: TdsServerOptions
  readonly #record: TdsServerRecord
  #stream: Duplex
  #assembler = new MessageAssembler()
  #attention: AbortController | undefined
  #work: Promise<void> = Promise.resolve()
  #transaction: Buffer = noTransaction
  #login: TdsLogin | undefined
  isEncrypted = false

  constructor(socket: Socket, options: TdsServerOptions, record: TdsServerRecord) {
    this.#options = options
    this.#record = record
    this.#stream = socket
    this.#listen(socket)
  }

  #listen(stream: Duplex) {
    this.#stream = stream
    stream.on('error', () => stream.destroy())
    stream.on('data', (chunk: Buffer) => {
      if (stream !== this.#stream) return
      for (const message of this.#assembler.push(chunk)) this.#receive(message)
    })
  }

  #receive(message: TdsMessage) {
    if (message.type === packetType.attention) {
      this.#record.attentions++
      if (this.#options.ignoresAttention) return
      this.#attention?.abort()
      this.#work = this.#work.then(() => void this.#stream.write(attentionAcknowledged()))
      return
    }
    if (message.type === packetType.prelogin) return this.#prelogin(message.data)
    const attention = new AbortController()
    this.#work = this.#work.then(async () => {
      this.#attention = attention
      try {
        await this.#answer(message, attention.signal)
      } catch (error) {
        // The script failed. The client must not wait for the rest.
        this.#stream.destroy()
        throw error
      }
    })
  }

  #prelogin(data: Buffer) {
    const { encryption = 'not supported', pem = '', onPrelogin } = this.#options
    this.#record.prelogins.push(readPrelogin(data))
    if (onPrelogin) return onPrelogin(this.#stream)
    this.#stream.write(toPackets(packetType.response, preloginAnswer(encryption)))
    if (encryption === 'not supported') return
    const socket = this.#stream as Socket
    socket.removeAllListeners('data')
    this.isEncrypted = true
    this.#listen(secureInPackets(socket, pem))
  }

  async #answer(message: TdsMessage, attention: AbortSignal) {
    if (message.type === packetType.login7) return this.#logIn(readLogin7(message.data))
    if (message.isIgnored) return this.#send(done('done', 0))
    const { request, transaction } = readAnyRequest(message)
    this.#record.requests.push({
      request,
      session: this,
      isInTransaction: transaction !== noTransaction.toString('hex'),
      hasReset: message.resetsConnection,
    })
    if (message.resetsConnection) this.#transaction = noTransaction
    if (request.kind === 'begin' || request.kind === 'rollback' || request.kind === 'commit') {
      return this.#changeTransaction(request.kind)
    }
    const answer = new TdsAnswer({
      stream: this.#stream,
      attention,
      isProcedure: isProcedureCall(request),
      outputs: this.#outputs(request),
      transaction: this.#transaction,
    })
    const steps = this.#stepsFor(request)
    await answer.run(message.resetsConnection ? [{ raw: connectionReset() }, ...steps] : steps)
  }

  #stepsFor(request: TdsRequest): Iterable<TdsStep> {
    const { script } = this.#options
    const intercepted = script.intercept?.(request)
    if (intercepted) return intercepted
    if (request.kind === 'rpc') {
      const catalogue = answerCatalogue(script, request)
      return catalogue ?? runProcedure(script, request.procedure, request.parameters)
    }
    if (request.kind !== 'batch') return []
    const scripted = script.batches?.[request.sql.trim()]
    if (scripted) return scripted
    const exec = readExec(request.sql)
    if (exec) return runProcedure(script, exec.procedure, exec.parameters)
    return []
  }

  #outputs(request: TdsRequest) {
    if (request.kind !== 'rpc') return []
    const declared = findProcedure(this.#options.script, request.procedure)?.parameters ?? []
    const wanted = request.parameters.filter(({ isOutput }) => isOutput)
    return wanted.map(({ name, type }: TdsParameter) => ({
      ordinal: declared.findIndex((each) => each.name === name),
      name,
      type,
    }))
  }

  #logIn(login: TdsLogin) {
    this.#login = login
    this.#record.logins.push(login)
    this.#send(loginAnswer(login, this.#options))
  }

  #changeTransaction(kind: 'begin' | 'rollback' | 'commit') {
    const before = this.#transaction
    this.#transaction = kind === 'begin' ? Buffer.alloc(8, 0xa1) : noTransaction
    const token =
      kind === 'begin'
        ? transactionBegan(this.#transaction)
        : transactionEnded(kind === 'commit' ? 9 : 10, before)
    this.#send(Buffer.concat([token, done('done', 0)]))
  }

  #send(data: Buffer) {
    this.#stream.write(toPackets(packetType.response, data))
  }

  get login(): TdsLogin | undefined {
    return this.#login
  }

  destroy() {
    this.#attention?.abort()
    this.#stream.destroy()
  }
}

function readAnyRequest({ type, data }: TdsMessage): ReadRequest {
  if (type === packetType.sqlBatch) return readBatch(data)
  if (type === packetType.rpc) return readRpc(data)
  if (type === packetType.transaction) return readTransaction(data)
  throw new RangeError(`a message of type ${type}`)
}

function isProcedureCall(request: TdsRequest): boolean {
  return request.kind === 'rpc' || (request.kind === 'batch' && readExec(request.sql) !== undefined)
}
