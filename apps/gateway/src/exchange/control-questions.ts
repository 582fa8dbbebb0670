import { randomUUID } from 'node:crypto'
import type { AgentQuestion, AgentReply } from '@gatehouse/contract/gateway'
import type { AgentAskedMessage } from '../messages/agent-question-messages.ts'

/** A run is waited for 30 s, and a control plane that has ended is back within seconds. */
const answerMaxMs = 60_000
/** Each holds a connection. More are refused at once. */
const waitingMax = 500

/** Undefined: no answer came. The control plane may have done what was asked. */
type Answered = (reply: AgentReply | undefined) => void

interface Waiting {
  answered: Answered
  timer: NodeJS.Timeout
}

/** The questions of agents that wait for the control plane, in one worker. */
export class ControlQuestions {
  readonly #ask: (message: AgentAskedMessage) => void
  readonly #waiting = new Map<string, Waiting>()

  constructor(ask: (message: AgentAskedMessage) => void) {
    this.#ask = ask
  }

  /** Calls back once, later. False, and never, where too many wait already. */
  ask(question: AgentQuestion, answered: Answered): boolean {
    if (this.#waiting.size >= waitingMax) return false
    const id = randomUUID()
    const timer = setTimeout(() => this.settle(id, undefined), answerMaxMs)
    this.#waiting.set(id, { answered, timer })
    this.#ask({ type: 'agent-asked', id, question })
    return true
  }

  settle(id: string, reply: AgentReply | undefined): void {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    this.#waiting.delete(id)
    clearTimeout(waiting.timer)
    waiting.answered(reply)
  }
}
