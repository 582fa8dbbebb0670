import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newDataDir } from '../data-dir.ts'
import { signalAll } from '../product-processes.ts'
import { restoreDatabase } from './restore-database.ts'
import { runProduct, signIn, type Product } from '../run-product.ts'

interface Shared {
  folder: string
  product: Product
  isUsed: boolean
}

let running: Promise<Shared> | undefined

/**
 * The product of all journeys of this process that change none of its settings and end none of its processes, one
 * after the other: each finds it as a first start leaves it. What it keeps are its logs, the figures of its traffic
 * and the time since its start. The set-up ends it, when all journeys are over.
 */
export async function sharedProduct(): Promise<Product> {
  const shared = await (running ??= start())
  if (shared.product.process.exitCode !== null) {
    running = undefined
    return sharedProduct()
  }
  if (shared.isUsed) await restore(shared)
  shared.isUsed = true
  return shared.product
}

async function start(): Promise<Shared> {
  const folder = newDataDir()
  const product = await runProduct({ DATA_DIR: folder })
  const notes = process.env.GATEHOUSE_SHARED_PRODUCTS
  if (notes !== undefined) writeFileSync(join(notes, String(product.process.pid)), folder)
  return { folder, product, isUsed: false }
}

/** Each change of the configuration is answered when the gateway runs on all that came before. */
async function restore({ folder, product }: Shared): Promise<void> {
  const from = process.env.GATEHOUSE_FIRST_START
  if (from === undefined) throw new Error('There is no first start to begin from.')
  restoreDatabase(folder, from)
  const call = await signIn(product.url)
  const answer = await call('PUT', '/api/api-permission/2/update', { endpoints: [] })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer))
  // The session and the events of this change go, too.
  restoreDatabase(folder, from)
}

/** Ends those that the processes of the journeys have noted in this folder. */
export function endSharedProducts(notes: string): void {
  for (const pid of readdirSync(notes)) {
    signalAll(Number(pid), 'SIGKILL')
    rmSync(readFileSync(join(notes, pid), 'utf8'), { recursive: true, force: true })
  }
}
