import { parseArgs } from 'node:util'
import { adminPassword } from '../harness/run-product.ts'
import { startDemo } from './start-demo.ts'

// `npm run demo`: the product with data, an authority that stands in and a small ERP, until Ctrl-C. It has a data folder
// of its own, which goes at the end. `-- --any-port` takes ports that are free.

const { values } = parseArgs({ options: { 'any-port': { type: 'boolean', default: false } } })
const ports = values['any-port']
  ? { dashboard: 0, gateway: 0, authority: 0, erp: 0 }
  : { dashboard: 3100, gateway: 8100, authority: 4100, erp: 4200 }

const isStopped = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
})

try {
  const { product, authorityUrl, erpUrl, stop } = await startDemo(ports)
  console.log(`
Dashboard  ${product.url}
  sign in  admin@example.com
 password  ${adminPassword}
Gateway    ${product.gatewayUrl}
Authority  ${authorityUrl}/invoices (stands in)
ERP        ${erpUrl}/sales

docs/tutorial.md leads through it. Ctrl-C ends it and removes its data.`)
  await isStopped
  await stop()
  console.log('The demo has ended, and its data is removed.')
} catch (error) {
  console.error(sayPort(error))
  process.exitCode = 1
}

function sayPort(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return /EADDRINUSE|in use/.test(text)
    ? `${text}\nAnother program has this port: end it, or use \`npm run demo -- --any-port\`.`
    : text
}
