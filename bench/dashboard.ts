import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { measureFirstLoads } from '../e2e/harness/dashboard-speed/first-loads.ts'
import { measureInteractions } from '../e2e/harness/dashboard-speed/interactions.ts'
import { sampleProduct } from '../e2e/harness/dashboard-speed/sample-product.ts'
import { slowPhone } from '../e2e/harness/dashboard-speed/slow-page.ts'
import { openBrowser } from '../e2e/harness/open-browser.ts'
import { runProduct } from '../e2e/harness/run-product.ts'
import { foundPrograms } from '../scripts/set-up/programs.mjs'

// How soon the dashboard is seen, and answers, on a slow machine and line: Chromium at a quarter of this
// machine's speed, 1.6 Mbit/s and 150 ms, with 1,000 endpoints. Interactions use the fast line: what
// counts is the time to the next paint.
//
//   npm run bench dashboard [rounds [endpoints]]

const [rounds = '5', endpoints = '1000'] = process.argv.slice(2)
Object.assign(process.env, foundPrograms())
const load = () => os.loadavg()[0]?.toFixed(1)
console.log(`${os.cpus().length} × ${os.cpus()[0]?.model}, Node ${process.version}, load ${load()}`)

const folder = mkdtempSync(join(os.tmpdir(), 'gatehouse-bench-dashboard-'))
const product = await runProduct({ DATA_DIR: folder })
const browser = await openBrowser()
try {
  await sampleProduct(product.url, Number(endpoints))
  const rows = [
    ...(await measureFirstLoads(browser, product.url, Number(rounds), slowPhone)),
    ...(await measureInteractions(browser, product.url, Number(rounds), { cpu: slowPhone.cpu })),
  ]
  console.table(rows)
  for (const row of rows)
    if (row['median, ms'] > row['goal, ms']) {
      console.error(`Missed: ${row.what}`)
      process.exitCode = 1
    }
  console.log(`load ${load()}`)
} finally {
  await browser.close()
  await product.end('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}
