import { randomUUID } from 'node:crypto'
import { AppError } from '../../kernel/app-error.ts'
import type { Stores } from '../../stores.ts'
import { gatewaysChannel } from './gateway-account-store.ts'
import { unpackAnswer } from './gateway-answer.ts'
import type { GatewayConfigs } from './gateway-configs.ts'
import type { GatewayMessage } from './gateway-messages.ts'

interface GatewayQuestionsOptions {
  stores: Pick<Stores, 'gatewayAccounts'>
  configs: Pick<GatewayConfigs, 'sealOf'>
}

/** As it is sealed for the gateways of an account. */
export interface SealedQuestion {
  id: string
  /** Instance id of the gateway that is asked. */
  to: string
  question: unknown
}

type Part = GatewayMessage & { kind: 'answer' }

interface Waiting {
  texts: Map<number, string>
  resolve: (texts: string[] | undefined) => void
}

const answerMaxMs = 8_000
const waitingMax = 32
/** PostgreSQL takes notifications of less than 8,000 bytes. */
const payloadMaxBytes = 7_900

/** Asks gateways that run alone, over the channel on which they hear of new configurations. */
export class GatewayQuestions {
  readonly #options: GatewayQuestionsOptions
  readonly #waiting = new Map<string, Waiting>()

  constructor(options: GatewayQuestionsOptions) {
    this.#options = options
  }

  /**
   * What the gateway answers, unchecked. Throws `gateway.silent` where no whole answer has come after 8 s, or
   * 32 questions are waiting already.
   */
  async ask(instanceId: string, question: object): Promise<unknown> {
    if (this.#waiting.size >= waitingMax)
      throw silent('Too many questions to gateways are waiting.')
    const id = randomUUID()
    const { promise, resolve } = Promise.withResolvers<string[] | undefined>()
    this.#waiting.set(id, { texts: new Map(), resolve })
    const timer = setTimeout(() => resolve(undefined), answerMaxMs)
    try {
      await this.#tell({ id, to: instanceId, question })
      const texts = await promise
      if (!texts) throw silent('This gateway did not answer within 8 seconds.')
      return await unpackAnswer(texts)
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(id)
    }
  }

  /** A part of an answer has come; of questions of other servers too. */
  receive({ ask, part, parts, text }: Part): void {
    const waiting = this.#waiting.get(ask)
    if (!waiting || part >= parts) return
    const { texts, resolve } = waiting
    texts.set(part, text)
    if (texts.size === parts) resolve(Array.from({ length: parts }, (_, at) => texts.get(at) ?? ''))
  }

  /** It is not known of which account a gateway is: each is told, and one of them has that gateway. */
  async #tell(question: SealedQuestion): Promise<void> {
    const { stores, configs } = this.#options
    for (const { name: account } of await stores.gatewayAccounts.list()) {
      const seal = await configs.sealOf(account)
      if (!seal) continue
      const payload = `ask ${account} ${await seal.seal(question, { kind: 'question', account })}`
      if (payload.length > payloadMaxBytes) throw silent('This question is too long.')
      await stores.gatewayAccounts.tell(gatewaysChannel, payload)
    }
  }
}

const silent = (message: string) => new AppError('gateway.silent', { message })
