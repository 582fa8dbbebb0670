import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signIn } from '../run-product.ts'
import { carryInvoice, type Clerk } from './carry-invoice.ts'
import { judgeInvoices, type InvoiceReport } from './judge-invoices.ts'
import { runMortalServers, type MortalServer } from './mortal-server.ts'
import { registerEndpoints } from './register-endpoints.ts'
import { runAuthority, type Authority } from './run-authority.ts'

interface HostileRun {
  /** At least; there are more where the kills are not done by then. */
  invoices: number
  /** SIGKILLs of each server. */
  kills: number
  seed: number
  /** Clerks at work at once. */
  clerks: number
  /** Two servers share this PostgreSQL; without it there is one, on SQLite. */
  databaseUrl?: string
  killWithinMs?: number
}

interface HostileReport extends InvoiceReport {
  kills: number
}

/**
 * Carries invoices through the product to an authority that drops, delays, doubles and fails, while
 * the product is killed; then holds what the product shows against what the authority recorded.
 */
export async function faceHostileAuthority(options: HostileRun): Promise<HostileReport> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-hostile-'))
  const authority = await runAuthority(join(folder, 'accepted.jsonl'), options.seed)
  const servers: MortalServer[] = []
  try {
    servers.push(
      ...(await runMortalServers({
        folder,
        databaseUrl: options.databaseUrl,
        kills: options.kills,
        withinMs: options.killWithinMs ?? 1_500,
      })),
    )
    return await carryAll(options, authority, servers)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await authority.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function carryAll(options: HostileRun, authority: Authority, servers: MortalServer[]) {
  const calls = []
  for (const server of servers) calls.push(await signIn(server.url))
  const [call] = calls
  if (!call) throw new Error('There is no server.')
  const endpoints = await registerEndpoints(call, authority.url)
  const clerk: Clerk = { servers, calls, endpoints }
  for (const server of servers) server.expose()

  const references: string[] = []
  const isEnough = () =>
    references.length >= options.invoices && servers.every((each) => each.kills() >= options.kills)
  await Promise.all(
    Array.from({ length: options.clerks }, async () => {
      while (!isEnough()) {
        const number = references.length
        const reference = `INV-${String(number + 1).padStart(6, '0')}`
        references.push(reference)
        await carryInvoice(clerk, reference, number)
      }
    }),
  )
  await Promise.all(servers.map((each) => each.spare()))
  const kills = servers.reduce((total, server) => total + server.kills(), 0)
  return { kills, ...(await judgeInvoices(clerk, authority.accepted(), references)) }
}
