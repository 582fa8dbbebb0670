import { X509Certificate } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../../settings/settings.ts'
import { ok, warning, failed, type Finding } from '../checks.ts'

const dayMs = 24 * 60 * 60 * 1_000
const endsSoonDays = 30
/** Logs that take more of the disk than this share, of what they and the free room are. */
const logShareMax = 0.5
const copyDays = 30

/** What needs no database. */
export const machineChecks: Record<string, (settings: Settings) => Finding | Promise<Finding>> = {
  public_url: ({ publicUrl }) =>
    publicUrl === undefined
      ? warning('PUBLIC_URL is not set: messages have paths in place of links')
      : ok(publicUrl),
  certificate: ({ tls }) => {
    if (!tls) return ok('the gateway has none: a proxy ends TLS, or nothing does')
    const { validTo } = new X509Certificate(readFileSync(tls.certFile))
    const days = Math.floor((Date.parse(validTo) - Date.now()) / dayMs)
    if (days < 0) return failed(`that of the gateway (${tls.certFile}) has ended on ${validTo}`)
    const words = `that of the gateway (${tls.certFile}) ends in ${days} days`
    return days < endsSoonDays ? warning(words) : ok(words)
  },
  logs: async ({ dataDir }) => {
    const folder = join(dataDir, 'logs')
    if (!existsSync(folder)) return ok('there are none yet')
    const parts = readdirSync(folder, { withFileTypes: true })
      .filter((each) => each.isDirectory())
      .map(({ name }) => ({ name, bytes: sizeOf(join(folder, name)) }))
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
    const { bavail, bsize } = await statfs(dataDir)
    const words = `${inMb(bytes)}: ${parts.map((part) => `${part.name} ${inMb(part.bytes)}`).join(', ')}`
    return bytes > (bytes + bavail * bsize) * logShareMax ? warning(words) : ok(words)
  },
  evidence: ({ dataDir }) => {
    const folder = join(dataDir, 'run-evidence')
    const count = existsSync(folder) ? readdirSync(folder).length : 0
    return count === 0
      ? ok('no answer waits to be written to the database')
      : {
          ...warning(`${count} answers wait in ${folder} to be written to the database`),
          mend: 'They are written once the database takes writes; see docs/runs/safety.md.',
        }
  },
  copies: ({ dataDir }) => {
    if (!existsSync(dataDir)) return ok('none')
    const copies = readdirSync(dataDir)
      .filter((name) => /^(?:before-upgrade|upgrade-check-|gatehouse\.sqlite\.\d)/.test(name))
      .map((name) => ({ name, ...ageOf(join(dataDir, name)) }))
    const old = copies.filter(({ days }) => days > copyDays)
    if (old.length === 0) return ok(`${copies.length} copies of before an upgrade or a restore`)
    const bytes = old.reduce((sum, each) => sum + each.bytes, 0)
    return warning(
      `older than ${copyDays} days, ${inMb(bytes)}: ${old.map(({ name }) => name).join(', ')}`,
    )
  },
}

const ageOf = (path: string) => {
  const { mtimeMs, size } = statSync(path)
  return { days: (Date.now() - mtimeMs) / dayMs, bytes: size }
}

const sizeOf = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isFile())
    .reduce(
      (sum, { name }) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    )

export const inMb = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`
