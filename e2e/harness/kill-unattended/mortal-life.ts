import { setTimeout as delay } from 'node:timers/promises'
import type { Product } from '../run-product.ts'
import type { OutsideWorld, Sight } from './outside-world.ts'

/** What a kill waits for, beside a random moment. */
export const killReasons = [
  'message taken',
  'amid a list',
  'list fetched',
  'at random',
  'message came',
  'document sent',
] as const
export type KillReason = (typeof killReasons)[number]

/** A kill that waits for a sight which does not come is made after that long. */
const sightMaxMs = 4_000
const amidMs = 700
/**
 * Kills the product with SIGKILL: at a random moment, or when the world outside sees something. Messages
 * are seen between two of its instructions: the kill comes before it can record the answer.
 */
export async function killFor(reason: KillReason, killing: Killing): Promise<void> {
  const { product, random, withinMs } = killing
  const end = () => product.kill()
  if (reason === 'at random') await delay(random() * withinMs)
  // Its list is long: a part of it is started by then.
  else if (reason === 'amid a list') {
    await seen(killing.world, 'list fetched', () => {})
    await delay(random() * amidMs)
  } else await seen(killing.world, reason, end)
  await product.end('SIGKILL')
}

interface Killing {
  product: Product
  world: OutsideWorld
  random: () => number
  withinMs: number
}

/** Calls back at once, before anything else can happen. Gives up after a while. */
async function seen(world: OutsideWorld, sight: Sight, callback: () => void) {
  const { promise, resolve } = Promise.withResolvers<void>()
  world.watch((what) => {
    if (what !== sight) return
    callback()
    resolve()
  })
  await Promise.race([promise, delay(sightMaxMs)])
  world.watch(() => {})
}
