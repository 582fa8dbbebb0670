import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { checkOut } from '../e2e/harness/old-release/check-out.ts'
import { changeInTurn } from '../e2e/harness/old-release/change-in-turn.ts'
import {
  openSession,
  runProduct,
  runProgram,
  signIn,
  type Product,
} from '../e2e/harness/run-product.ts'
import { setUpSoak } from '../e2e/harness/soak/set-up-soak.ts'
import { startSoakLoad } from '../e2e/harness/soak/soak-load.ts'
import { runSoakUpstream } from '../e2e/harness/soak/soak-upstream.ts'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'

// An upgrade: a server of an earlier commit runs on PostgreSQL; one of today starts beside it, and migrates the database
// under it. Both take changes, tokens, runs and traffic. At the end the old one is stopped: it may not start again.
// npm run proof old-release -- <git revision> [minutes]
const [revision, minutes = '3'] = process.argv.slice(2)
if (!revision)
  throw new Error('Which revision? npm run proof old-release -- <git revision> [minutes]')

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-old-release-'))
const upstream = await runSoakUpstream()
const postgres = await startPostgres()
const release = await checkOut(revision, join(folder, 'release'))
const environment = {
  APP_KEY: randomBytes(32).toString('base64'),
  DATABASE_URL: postgres.url,
  GATEWAY_WORKERS: '1',
}
const settings = (name: string) => ({
  PATH: process.env['PATH'] ?? '',
  ...environment,
  DATA_DIR: join(folder, name),
})
const startOld = () =>
  runProgram(join(release.folder, 'apps/standalone/src/main.ts'), { env: settings('old') })
const products: Product[] = []
const open = async ({ url, gatewayUrl }: Product) => {
  return { url, gatewayUrl, token: await openSession(url), call: await signIn(url) }
}
try {
  products.push(await startOld())
  const old = await open(products[0]!)
  const setUp = await setUpSoak(old.call, upstream.url)
  const gatewayUrls = [old.gatewayUrl]
  // Under way while the database is migrated.
  const before = startSoakLoad({ servers: [old], gatewayUrls, setUp, pace: 1 })
  await delay(10_000)
  products.push(await runProduct(settings('new')))
  await delay(5_000)
  await before.stop()
  const today = await open(products[1]!)
  const both = { servers: [old, today], gatewayUrls: [...gatewayUrls, today.gatewayUrl] }
  const load = startSoakLoad({ ...both, setUp: { ...setUp, change: async () => {} }, pace: 1 })
  const changes = await changeInTurn([old, today], Number(minutes) * 60_000)
  await load.stop()
  const faults = [...before.faults, ...load.faults, ...changes.faults]
  console.log(`${revision}: while it was migrated`, before.counts)
  console.log('side by side', { ...load.counts, changes: changes.count })

  if ((await products[0]!.end('SIGTERM')) !== 0)
    faults.push('the old server did not end as it should')
  const refusal = await startOld().then(
    (product) => {
      products.push(product)
      return 'It has started.'
    },
    (error: Error) => error.message,
  )
  console.log(`started again: ${refusal.split('\n').findLast((line) => line.trim() !== '')}`)
  // Releases before this one name the migration that they do not know.
  if (!/newer|previously executed migration/.test(refusal))
    faults.push('the old server is not refused on the new schema')
  for (const fault of faults) console.error(fault)
  console.log(faults.length === 0 ? 'nothing is wrong' : `${faults.length} faults`)
  if (faults.length > 0) process.exitCode = 1
} finally {
  for (const product of products) await product.end('SIGKILL').catch(() => {})
  await upstream.stop()
  await postgres.stop()
  release.remove()
  rmSync(folder, { recursive: true, force: true })
}
