import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runProduct, signIn, type Product } from '../harness/run-product.ts'

const admin = fileURLToPath(new URL('../../apps/server/src/admin/admin.ts', import.meta.url))

const runAdmin = (folder: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [admin, ...args], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: folder },
  })

/** Restores a backup of the product, with a run in a lane that was queued before it. The product that goes on from it. */
export async function holdInstallation(product: Product, folder: string): Promise<Product> {
  const call = await signIn(product.url)
  const { body } = await call('GET', '/api/lanes')
  const { lanes } = body as { lanes: { id: number; name: string }[] }
  const lane = lanes.find(({ name }) => name === 'Second company')
  await call('POST', `/api/lanes/${lane?.id}/pause`, {})
  const start = (number: string) =>
    call('POST', '/api/workflows/second-company/runs', { number, total: '7.00' })
  await start('S-3')
  const backup = join(folder, 'before.backup')
  await runAdmin(folder, 'backup', backup)
  await product.end('SIGTERM')
  await runAdmin(folder, 'restore', backup, '--replace')
  return runProduct({ DATA_DIR: folder })
}
