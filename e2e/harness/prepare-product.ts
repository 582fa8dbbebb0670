import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureProduct } from '../../scripts/set-up/product-build.mjs'

/**
 * Vitest's global set-up of `e2e`: builds the product that all journeys start, and makes the data that most of them
 * start from. Workers inherit the environment. The end of this first start writes the compile cache too: journeys
 * end by SIGKILL.
 */
export async function setup(): Promise<() => void> {
  process.env.GATEHOUSE_BUILT ??= await ensureProduct({
    path: process.execPath,
    version: process.versions.node,
    env: process.env,
  })
  // It reads the folder of the built product once.
  const { runProduct } = await import('./run-product.ts')
  const { endSharedProducts } = await import('./shared/product.ts')
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-first-start-'))
  const product = await runProduct({ DATA_DIR: folder })
  await product.end('SIGTERM')
  // As a product that has never been used: its log begins with the journey.
  rmSync(join(folder, 'logs'), { recursive: true })
  process.env.GATEHOUSE_FIRST_START = folder
  const notes = mkdtempSync(join(tmpdir(), 'gatehouse-shared-'))
  process.env.GATEHOUSE_SHARED_PRODUCTS = notes
  return () => {
    endSharedProducts(notes)
    for (const each of [folder, notes]) rmSync(each, { recursive: true })
  }
}
