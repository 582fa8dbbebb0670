import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileCache, runProduct } from './run-product.ts'

/** Vitest's global set-up of `e2e`. Node writes the cache at an orderly end; most journeys end by SIGKILL. */
export async function setup(): Promise<void> {
  if (existsSync(compileCache)) return
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-compile-'))
  const product = await runProduct({ DATA_DIR: folder })
  await product.end('SIGTERM')
  rmSync(folder, { recursive: true })
}
