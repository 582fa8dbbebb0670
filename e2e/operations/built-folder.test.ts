import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { lstatSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billOfMaterials } from '../../scripts/release/bill-of-materials.mjs'
import { adminPassword, runProgram, signIn, type Product } from '../harness/run-product.ts'
import { makeTill } from '../harness/upstreams/till.ts'

// What `npm run build` leaves, run as an operator runs it: by Node alone, by an account that can write
// to DATA_DIR and nowhere else.

const maxBytes = 150_000_000
/** As root: an account that nobody has, so that each file it owns was written by the product. */
const account = process.getuid?.() === 0 ? { uid: 64_016, gid: 64_016 } : {}

let folder: string
let built: string
let dataDir: string
let elsewhere: string
let product: Product
let before: string[]
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-built-'))
  chmodSync(folder, 0o755)
  built = join(folder, 'gatehouse')
  execFileSync(process.execPath, ['scripts/build/main.mjs', '--into', built], { stdio: 'pipe' })
  dataDir = join(folder, 'data')
  elsewhere = join(folder, 'elsewhere')
  for (const each of [dataDir, elsewhere]) mkdirSync(each)
  if (account.uid) chownSync(dataDir, account.uid, account.gid)
  chmodSync(elsewhere, 0o555)
  for (const file of everything(built)) chmodSync(file, lstatSync(file).mode & 0o555)
  before = everything(built).map(described)
  product = await start()
})
afterAll(async () => {
  await product.end('SIGKILL')
  for (const file of everything(folder)) chmodSync(file, lstatSync(file).mode | 0o200)
  rmSync(folder, { recursive: true, force: true })
})

const start = () =>
  runProgram(join(built, 'server.mjs'), {
    env: { DATA_DIR: dataDir, GATEWAY_WORKERS: '1' },
    cwd: elsewhere,
    ...account,
  })

/** A folder, and all that is below it. */
const everything = (top: string) => [
  top,
  ...readdirSync(top, { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)),
]

function described(file: string): string {
  const { mode, size, mtimeMs } = lstatSync(file)
  return `${file} ${mode} ${size} ${mtimeMs}`
}

describe('the built folder', () => {
  it('is small, holds no source, no types and no tool, and names its version and commit', () => {
    const files = everything(built)
    const bytes = files.reduce((sum, file) => sum + lstatSync(file).size, 0)
    expect(bytes).toBeLessThan(maxBytes)
    expect(files.filter((file) => /\.(?:[cm]?tsx?|map)$/.test(file))).toEqual([])
    const packages = readdirSync(join(built, 'node_modules'))
    for (const tool of ['vite', 'rolldown', 'vitest', 'typescript', 'playwright-core', 'react'])
      expect(packages).not.toContain(tool)
    const { version } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8')) as {
      version: string
    }
    expect(version).toMatch(/^\d+\.\d+\.\d+(?:\+[0-9a-zA-Z.-]+)?$/)
    expect(product.output).toContain(`Gatehouse ${version} is ready`)
    const notices = readFileSync(join(built, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
    for (const name of ['fastify', 'sharp', 'tedious', 'mysql2']) expect(notices).toContain(name)
    const { components } = billOfMaterials(version, new Date(0))
    const billed = new Set(
      components.map(({ group, name, version: of }) =>
        [...(group ? [group] : []), `${name} ${of}`].join('/'),
      ),
    )
    const noticed = [...notices.matchAll(/^-{80}\n(\S+ \S+) \(/gm)].map(([, each]) => each)
    expect(noticed.length).toBeGreaterThan(100)
    expect(noticed.filter((each) => !billed.has(each!))).toEqual([])
  })

  it('serves the dashboard compressed, and the reference of the admin API', async () => {
    const page = await fetch(product.url, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(200)
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1]
    const asset = await fetch(`${product.url}${script}`)
    expect(asset.status).toBe(200)
    expect(asset.headers.get('content-encoding')).toMatch(/^(?:br|zstd|gzip)$/)
    const viewer = await fetch(`${product.url}/api/docs/viewer.js`)
    expect((await viewer.text()).length).toBeGreaterThan(1_000_000)
  })

  it('registers an API whose endpoint the gateway answers', async () => {
    const call = await signIn(product.url)
    await makeTill(call, { text: 'built' })
    const answer = await fetch(`${product.gatewayUrl}/till/hello`)
    expect(await answer.json()).toBe('built')
    const { body: nodes } = await call('GET', '/api/nodes')
    expect(JSON.stringify(nodes)).toContain(/Gatehouse (\S+) is ready/.exec(product.output)?.[1])
  })

  it('draws a QR code and fits an image: its binaries are those of this platform', async () => {
    const drawn = await image({ base64: 'paid', isQrCode: true, width: 200, height: 200 })
    const fitted = await image({
      base64: drawn.toString('base64'),
      isQrCode: false,
      width: 80,
      height: 80,
    })
    for (const png of [drawn, fitted])
      expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
    expect(fitted.readUInt32BE(16)).toBe(80)
  })

  it('has every thread, and the drivers that are loaded when they are first used', async () => {
    const lib = join(built, 'lib')
    const later = readdirSync(lib).filter((file) => /-worker-|^sqlsrv-driver-/.test(file))
    expect(later.length).toBeGreaterThan(8)
    const load = `
      const { Worker } = require('node:worker_threads')
      for (const url of ${JSON.stringify(later.map((file) => pathToFileURL(join(lib, file))))}) {
        const code = \`import(\${JSON.stringify(url)}).then(() => process.exit(0))\`
        const thread = new Worker(code, { eval: true, workerData: process.argv[1] })
        thread.on('error', (error) => { console.error(url, error); process.exitCode = 1 })
      }`
    const database = join(dataDir, 'gatehouse.sqlite')
    execFileSync(process.execPath, ['-e', load, database], { ...account, env: {}, cwd: elsewhere })
  })

  it('offers the commands of an operator', () => {
    const help = [join(built, 'admin.mjs'), 'reset-password', '--help']
    const said = execFileSync(process.execPath, help, { ...account, env: {}, cwd: elsewhere })
    expect(String(said)).toContain('sets a new password')
  })

  it('starts again on its data, exits with 0 and has written to DATA_DIR alone', async () => {
    expect(await product.end('SIGTERM')).toBe(0)
    product = await start()
    expect((await (await signIn(product.url))('GET', '/api/auth')).status).toBe(200)
    expect(await product.end('SIGTERM')).toBe(0)
    expect(everything(built).map(described)).toEqual(before)
    expect(readdirSync(elsewhere)).toEqual([])
    expect(strayFiles()).toEqual([])
  })
})

async function image(body: object): Promise<Buffer> {
  const login = await fetch(`${product.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@example.com', password: adminPassword }),
  })
  const { token } = (await login.json()) as { token: string }
  const answer = await fetch(`${product.url}/api/post/image`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

/** Where every account may write: what the product's has left there. As another than root it is not known. */
function strayFiles(): string[] {
  if (account.uid === undefined) return []
  return ['/tmp', '/var/tmp', '/dev/shm', tmpdir()].flatMap((place) =>
    readdirSync(place)
      .map((name) => join(place, name))
      .filter((file) => lstatSync(file, { throwIfNoEntry: false })?.uid === account.uid),
  )
}
