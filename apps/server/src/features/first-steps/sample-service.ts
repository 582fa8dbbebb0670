import { sampleHost, type ApiDefinition, type EndpointDefinition } from '@gatehouse/contract'
import type { AddressGuard } from '@gatehouse/upstream'
import type { Logger } from 'pino'
import { AppError } from '../../kernel/app-error.ts'
import { asking, can, type Actor } from '../../kernel/caller.ts'
import { Rounds } from '../../kernel/rounds.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { sampleApi, sampleEndpoints } from './sample-definitions.ts'
import { SampleServer } from './sample-server.ts'

export interface SampleServiceOptions {
  stores: Stores
  inTransaction: InTransaction
  guard: AddressGuard
  log: Logger
  /** False: this server runs no gateway, and a gateway elsewhere has a loopback of its own. */
  hasGateway: boolean
  createApi: (definition: ApiDefinition, actor: Actor) => Promise<{ id: number; name: string }>
  createEndpoint: (definition: EndpointDefinition, actor: Actor) => Promise<unknown>
}

const sampleName = 'Sample service'
/** Until another server of the same database has noticed that the sample was chosen or deleted. */
const everyMs = 10_000

const urlAt = (port: number) => `http://${sampleHost}:${port}`

/**
 * The sample service of this server. It listens from the moment an administrator chooses it, and after
 * each start, as long as an API has its address. The address guard decides about it as about any other.
 */
export class SampleService {
  readonly #options: SampleServiceOptions
  readonly #server = new SampleServer()
  readonly #rounds: Rounds
  /** Calls that register it: until they have ended, no API has its address. */
  #choosing = 0

  constructor(options: SampleServiceOptions) {
    this.#options = options
    const failure = 'the sample service can’t listen'
    this.#rounds = new Rounds({ everyMs, work: () => this.#follow(), log: options.log, failure })
  }

  async start(): Promise<void> {
    await this.look()
    this.#rounds.start()
  }

  async stop(): Promise<void> {
    await this.#rounds.stop()
    await this.#server.close()
  }

  /** Listens if an API has its address, else closes. */
  look(): Promise<void> {
    return this.#rounds.look()
  }

  state() {
    const port = this.#server.port
    return {
      is_running: port !== undefined,
      refusal: this.#options.hasGateway
        ? this.#refusalAt(port ?? 1)
        : 'This server has no gateway.',
    }
  }

  /** Starts it and registers what is missing of it. Throws `gateway.absent` and `sample.refused`. */
  async choose(actor: Actor): Promise<{ id: number; name: string }> {
    if (!this.#options.hasGateway) throw new AppError('gateway.absent')
    this.#choosing++
    try {
      const port = await this.#open()
      const api = await this.#register(urlAt(port), actor)
      await this.#options.inTransaction(({ firstSteps }) => firstSteps.setSamplePort(port))
      return api
    } finally {
      this.#choosing--
    }
  }

  async #open(): Promise<number> {
    const { firstSteps } = this.#options.stores
    const known = await firstSteps.samplePort()
    const isUsed = known !== undefined && (await firstSteps.findApiAt(urlAt(known))) !== undefined
    const port = await this.#server.open(isUsed ? known : 0).catch((cause: unknown) => {
      throw refused(`Port ${known} is in use by another program.`, cause)
    })
    const refusal = this.#refusalAt(port)
    if (refusal === null) return port
    await this.#server.close()
    throw refused(refusal)
  }

  async #register(url: string, actor: Actor): Promise<{ id: number; name: string }> {
    const { stores, createApi, createEndpoint } = this.#options
    const known = await stores.firstSteps.findApiAt(url)
    const isTaken = !known && (await stores.apis.findByName(sampleName))
    const name = isTaken ? `${sampleName} ${new URL(url).port}` : sampleName
    const api = known ?? (await createApi(sampleApi(name, url), actor))
    const isComplete = (await stores.apis.countEndpoints(api.id)) > 0
    if (isComplete || !can(actor.caller, 'endpoint.create')) return api
    for (const endpoint of sampleEndpoints(api.id))
      await createEndpoint(endpoint, asking(actor, 'endpoint.create'))
    return api
  }

  #refusalAt(port: number): string | null {
    const reason = this.#options.guard.refusal(sampleHost, port)
    return reason === undefined ? null : `The address guard refuses it: ${reason}.`
  }

  async #follow(): Promise<void> {
    const { stores, inTransaction, hasGateway } = this.#options
    if (!hasGateway || this.#choosing > 0) return
    const port = await stores.firstSteps.samplePort()
    if (port === undefined) return this.#server.close()
    if (await stores.firstSteps.findApiAt(urlAt(port))) return void (await this.#server.open(port))
    await this.#server.close()
    await inTransaction(({ firstSteps }) => firstSteps.removeSample(port))
  }
}

const refused = (message: string, cause?: unknown) =>
  new AppError('sample.refused', { message, cause })
