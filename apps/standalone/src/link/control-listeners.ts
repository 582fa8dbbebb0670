import { setTimeout as sleep } from 'node:timers/promises'
import type { GatewayLink, GatewayReport, GatewayToken, SeenProcedure } from '@gatehouse/server'

type AgentAnswer = Parameters<GatewayLink['onAgentAsked']>[0]
type Supply = Parameters<GatewayLink['onTokenWanted']>[0]
type ReportListener = Parameters<GatewayLink['onReport']>[0]
type ProcedureListener = Parameters<GatewayLink['onProcedureSeen']>[0]

const supplyMaxMs = 15_000

/** What the control plane does with what the gateway says. While it starts, the gateway waits. */
export class ControlListeners {
  #reports: ReportListener[] = []
  #procedures: ProcedureListener[] = []
  #agentAnswer: AgentAnswer | undefined
  #counts = Promise.withResolvers<void>()
  #supply = Promise.withResolvers<Supply | undefined>()

  onReport(listener: ReportListener): void {
    this.#reports.push(listener)
    this.#counts.resolve()
  }

  onProcedureSeen(listener: ProcedureListener): void {
    this.#procedures.push(listener)
  }

  onTokenWanted(supply: Supply): void {
    this.#supply.resolve(undefined)
    this.#supply = Promise.withResolvers()
    this.#supply.resolve(supply)
  }

  onAgentAsked(answer: AgentAnswer): void {
    this.#agentAnswer = answer
  }

  async agentAsked(question: Parameters<AgentAnswer>[0]): ReturnType<AgentAnswer> {
    if (!this.#agentAnswer) throw new Error('There are no workflows here yet.')
    return this.#agentAnswer(question)
  }

  /** The start has failed: nobody counts, and there are no tokens until the next one. */
  forget(): void {
    this.#reports = []
    this.#procedures = []
    this.#agentAnswer = undefined
    this.#counts = Promise.withResolvers()
    this.#supply.resolve(undefined)
    this.#supply = Promise.withResolvers()
    this.#supply.resolve(undefined)
  }

  /** Settles once it counts. */
  async report(report: GatewayReport): Promise<void> {
    await this.#counts.promise
    await Promise.all(this.#reports.map(async (listener) => listener(report)))
  }

  procedureSeen(apiId: number, seen: SeenProcedure): void {
    for (const listener of this.#procedures) listener(apiId, seen)
  }

  async token(apiId: number, refused: number | null): Promise<GatewayToken> {
    const late = sleep(supplyMaxMs, undefined, { ref: false })
    const supply = await Promise.race([this.#supply.promise, late])
    if (!supply) throw new Error('The control plane does not run yet.')
    return supply(apiId, refused)
  }
}
