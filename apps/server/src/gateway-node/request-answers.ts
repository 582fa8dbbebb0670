import { join } from 'node:path'
import type { Logger } from 'pino'
import type {
  RequestAnswer,
  RequestQuestion,
} from '../features/gateway-requests/reading/read-requests.ts'
import {
  remoteQuestion,
  type RemoteAnswer,
  type RemoteQuestion,
} from '../features/gateway-requests/remote-requests.ts'
import { WorkerLink } from '../kernel/threads/worker-link.ts'
import { packAnswer } from '../publishing/gateways/gateway-answer.ts'
import type { SealedQuestion } from '../publishing/gateways/gateway-questions.ts'
import type { GatewaySeal } from '../publishing/gateways/gateway-seal.ts'
import type { GatewayVoice } from './gateway-voice.ts'

interface RequestAnswersOptions {
  voice: GatewayVoice
  seal: GatewaySeal
  log: Logger
  instanceId: string
  /** `DATA_DIR`. */
  path: string
  recordsAll: boolean
}

/** Further questions are dropped, and the control plane says that nobody answered. */
const underWayMax = 4
const readTimeoutMs = 10_000

/** Answers the control plane about the requests in the access log of this gateway, in a thread. */
export class RequestAnswers {
  readonly #options: RequestAnswersOptions
  readonly #reader = new WorkerLink<RequestQuestion, RequestAnswer>(
    new URL('../features/gateway-requests/reading/request-worker.ts', import.meta.url),
    { name: 'request-reader', timeoutMs: readTimeoutMs, queueMax: underWayMax },
  )
  #underWay = 0

  constructor(options: RequestAnswersOptions) {
    this.#options = options
  }

  /** A question for some gateway of some account. */
  asked(account: string, sealed: string): void {
    if (this.#underWay >= underWayMax) return
    this.#underWay++
    this.#answer(account, sealed)
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error }, 'a question of the control plane was not answered'),
      )
      .finally(() => this.#underWay--)
  }

  close(): Promise<void> {
    return this.#reader.close()
  }

  async #answer(account: string, sealed: string): Promise<void> {
    const { voice, seal, instanceId } = this.#options
    if (account !== (await voice.account())) return
    const opened = (await seal.open(sealed, { kind: 'question', account })) as SealedQuestion
    if (opened.to !== instanceId) return
    const texts = await this.#read(remoteQuestion.parse(opened.question))
    for (const [part, text] of texts.entries()) {
      const message = { kind: 'answer', ask: opened.id, part, parts: texts.length, text } as const
      const payload = await voice.pack(message)
      if (payload === undefined) throw new Error('A part of an answer is too long.')
      await voice.send(payload)
    }
  }

  /** With fewer lines where they are too long for an answer. */
  async #read({ kind: _, ...question }: RemoteQuestion): Promise<string[]> {
    const { path, recordsAll } = this.#options
    const folder = join(path, 'logs', 'gateway')
    for (let { limit } = question; ; limit = Math.floor(limit / 2)) {
      const read = await this.#reader.ask({ ...question, folder, limit })
      const lines = read.lines.map(({ file, offset, fields }) => ({ file, offset, fields }))
      const texts = await packAnswer({ ...read, lines, recordsAll } satisfies RemoteAnswer)
      if (texts) return texts
      if (limit <= 1) throw new Error('A line of the access log is too long for an answer.')
    }
  }
}
