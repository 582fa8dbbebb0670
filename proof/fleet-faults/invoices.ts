import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { carryInvoice, type Clerk } from '../../e2e/harness/hostile-authority/carry-invoice.ts'
import { judgeInvoices } from '../../e2e/harness/hostile-authority/judge-invoices.ts'
import { registerEndpoints } from '../../e2e/harness/hostile-authority/register-endpoints.ts'
import { runAuthority, type Authority } from '../../e2e/harness/hostile-authority/run-authority.ts'
import type { Call } from '../../e2e/harness/run-product.ts'
import type { FleetNode } from './fleet-node.ts'

interface InvoicesOptions {
  controls: readonly FleetNode[]
  calls: readonly Call[]
  folder: string
  /** Where nodes reach this machine. */
  host: string
}

const pauseMs = 400

/** A clerk who carries one invoice after the other to an authority that drops, delays and fails. */
export class Invoices {
  readonly #clerk: Clerk
  readonly #authority: Authority
  readonly #references: string[] = []
  #running: Promise<void> = Promise.resolve()
  #isStopped = false
  #isPaused = false
  #isCarrying = false

  private constructor(clerk: Clerk, authority: Authority) {
    this.#clerk = clerk
    this.#authority = authority
  }

  static async open({ controls, calls, folder, host }: InvoicesOptions): Promise<Invoices> {
    const authority = await runAuthority(join(folder, 'accepted.jsonl'), 1, host)
    const endpoints = await registerEndpoints(calls[0]!, authority.url)
    const servers = controls.map((control) => ({
      up: async () => {
        while (!control.isThere) await sleep(20)
      },
    }))
    return new Invoices({ servers, calls, endpoints }, authority)
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Resolves when none is under way. */
  async pause(): Promise<void> {
    this.#isPaused = true
    while (this.#isCarrying) await sleep(20)
  }

  resume(): void {
    this.#isPaused = false
  }

  /** Waits for the invoice under way. Then it says what the authority and the product show. */
  async judge() {
    this.#isStopped = true
    await this.#running
    return judgeInvoices(this.#clerk, this.#authority.accepted(), this.#references)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#authority.stop()
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      if (this.#isPaused) {
        await sleep(20)
        continue
      }
      this.#isCarrying = true
      const number = this.#references.length
      const reference = `INV-${String(number + 1).padStart(6, '0')}`
      this.#references.push(reference)
      await carryInvoice(this.#clerk, reference, number)
      this.#isCarrying = false
      await sleep(pauseMs)
    }
  }
}
