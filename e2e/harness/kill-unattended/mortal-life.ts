import { setTimeout as delay } from 'node:timers/promises'
import type { Product } from '../run-product.ts'
import type { OutsideWorld, Sight } from './outside-world.ts'

/** What a kill waits for, beside a random moment. */
export const killReasons = [
  'at random',
  'message taken',
  'list fetched',
  'message came',
  'document sent',
] as const
export type KillReason = (typeof killReasons)[number]

/** A kill that waits for a sight which does not come is made after that long. */
const sightMaxMs = 4_000
/**
 * Kills the product with SIGKILL: at a random moment, or when the world outside sees something. Messages
 * are seen between two of its instructions: the kill comes before it can record the answer.
 */
export async function killFor(reason: KillReason, killing: Killing): Promise<void> {
  const { product, random, withinMs, elements } = killing
  if (reason === 'at random') await delay(random() * withinMs)
  else {
    // The documents of a list are sent while the rest of it is started: the kill comes in its middle.
    const count = reason === 'document sent' ? Math.ceil(random() * elements) : 1
    await seen(killing.world, reason, count, () => product.process.kill('SIGKILL'))
  }
  await product.end('SIGKILL')
}

interface Killing {
  product: Product
  world: OutsideWorld
  random: () => number
  withinMs: number
  /** So many documents are on their way. */
  elements: number
}

/** Kills at once, in the callback of the sight that makes the count full. */
async function seen(world: OutsideWorld, sight: Sight, count: number, kill: () => void) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = count
  world.watch((what) => {
    if (what !== sight || --left > 0) return
    kill()
    resolve()
  })
  await Promise.race([promise, delay(sightMaxMs)])
  world.watch(() => {})
}
