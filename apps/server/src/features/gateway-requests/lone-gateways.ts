import { AppError, fieldError } from '../../kernel/app-error.ts'
import type { RequestQuestion } from './reading/read-requests.ts'
import { remoteAnswer, type RemoteAnswer, type RemoteQuestion } from './remote-requests.ts'

export interface NamedGateway {
  /** Its instance id. */
  id: string
  /** Of its host. */
  name: string
}

interface Questions {
  ask: (id: string, question: object) => Promise<unknown>
}

/** Gateways that run alone: each keeps the log of its requests, and is asked about them. */
export class LoneGateways {
  readonly list: () => Promise<NamedGateway[]>
  readonly #questions: Questions

  constructor(list: () => Promise<NamedGateway[]>, questions: Questions) {
    this.list = list
    this.#questions = questions
  }

  /** Throws a 422 where no such gateway lives, and `gateway.silent` where it does not answer. */
  async ask(id: string, question: Omit<RequestQuestion, 'folder'>): Promise<RemoteAnswer> {
    if (!(await this.list()).some((each) => each.id === id))
      throw fieldError({ server: ['No gateway that runs alone has this id now.'] })
    // What is not set is absent in JSON.
    const asked = { kind: 'requests', ...question } as RemoteQuestion
    const answer = remoteAnswer.safeParse(await this.#questions.ask(id, asked))
    if (answer.success) return answer.data
    throw new AppError('gateway.silent', {
      message: 'What this gateway answered can’t be read.',
      cause: answer.error,
    })
  }
}
