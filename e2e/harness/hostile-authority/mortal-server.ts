import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import { runProduct, type Product } from '../run-product.ts'

/** A server that is killed again and again and comes back at the same address on the same data. */
export interface MortalServer {
  url: string
  /** Resolves when the start in progress has ended; at once if there is none. */
  up(): Promise<void>
  kills(): number
  /** Begins the kills. */
  expose(): void
  /** Ends the kills. */
  spare(): Promise<void>
  stop(): Promise<void>
}

interface Mortality {
  environment: Record<string, string>
  /** SIGKILLs in all; each at a random moment of the second after it was ready again. */
  kills: number
  withinMs: number
}

/** Starts the product; `expose` begins to kill it. */
export async function runMortalServer(mortality: Mortality): Promise<MortalServer> {
  const port = await freePort()
  const environment = { ...mortality.environment, PORT: String(port) }
  let product: Product = await runProduct(environment)
  let starting: Promise<void> = Promise.resolve()
  let kills = 0
  let isSpared = false

  let killing: Promise<void> = Promise.resolve()
  const killOn = async () => {
    while (kills < mortality.kills && !isSpared) {
      await delay(randomInt(20, mortality.withinMs))
      if (isSpared) return
      kills++
      const dying = product
      starting = (async () => {
        await dying.end('SIGKILL')
        product = await runProduct(environment)
      })()
      await starting
    }
  }

  return {
    url: product.url,
    up: () => starting,
    kills: () => kills,
    expose: () => {
      killing = killOn()
    },
    spare: async () => {
      isSpared = true
      await killing
    },
    stop: async () => {
      isSpared = true
      await killing
      await product.end('SIGTERM')
    },
  }
}
