import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { openDataDir, readSettings, startServer } from '@gatehouse/server'
import { createAddressGuard, createHttpUpstream } from '@gatehouse/upstream'
import { adminPassword } from '../../e2e/harness/run-product.ts'
import { bodyOf, bundleOf } from './bench-upstream.ts'
import { median, quantile, rounded } from './figures.ts'
import { openTimedClient } from './timed-client.ts'

interface OverheadOptions {
  folder: string
  environment: Record<string, string>
  endpoints: readonly number[]
  upstreamUrl: string
  repetitions: number
}

/**
 * What the server adds to a step, the ledger included: a run of four steps through `POST /api/tax`, in
 * turns with four bare calls of the same bodies, in this process.
 */
export async function measureOverhead(options: OverheadOptions) {
  const { folder, environment, endpoints, upstreamUrl, repetitions } = options
  const dataDir = openDataDir(folder)
  const settings = readSettings({
    DATA_DIR: folder,
    PORT: '0',
    GATEWAY_PORT: '0',
    ADMIN_PASSWORD: adminPassword,
    ...environment,
  })
  const server = await startServer({
    settings,
    dataDir,
    gateway: undefined,
    version: 'bench',
    dashboardFolder: folder,
    showFirstAdministrator: () => {},
  })
  const client = await openTimedClient(server.url, 1)
  const guard = createAddressGuard({ allow: [], deny: [], own: () => [] })
  const bare = createHttpUpstream({ guard })
  const disk = openCommits(folder)
  try {
    const sendBare = async (reference: string) => {
      const began = performance.now()
      for (const name of ['customer', 'invoice', 'payment', 'receipt']) {
        const answer = await bare.send({
          method: 'POST',
          url: `${upstreamUrl}/${name}`,
          headers: { 'content-type': 'application/json' },
          body: bodyOf(reference),
          connectTimeoutMs: 5_000,
          answerTimeoutMs: 30_000,
        })
        if (!answer.ok || answer.status !== 200) throw new Error(`bare call: ${answer.status}`)
      }
      return performance.now() - began
    }
    const runs: number[] = []
    const calls: number[] = []
    const nothing: number[] = []
    const commits: number[] = []
    for (let round = -50; round < repetitions; round++) {
      const reference = `OVER-${Date.now()}-${round}`
      const ofBare = await sendBare(reference)
      const ofRun = (await client.post('/api/tax', bundleOf(endpoints, reference))).ms
      const ofNothing = (await client.get('/api/auth')).ms
      if (round < 0) continue
      calls.push(ofBare)
      runs.push(ofRun)
      nothing.push(ofNothing)
      commits.push(disk.time())
    }
    const perStep = runs.map((run, index) => (run - (calls[index] ?? 0)) / 4)
    return {
      'run of four steps, ms': rounded(median(runs)),
      'four bare calls, ms': rounded(median(calls)),
      'overhead per step, median ms': rounded(median(perStep)),
      'overhead per step, 90 % within': rounded(quantile(perStep, 0.9)),
      'a call without a run, ms': rounded(median(nothing)),
      'one commit alone on this disk, ms': rounded(median(commits)),
    }
  } finally {
    client.close()
    disk.close()
    await Promise.all([server.stop(), bare.close()])
    dataDir.release()
  }
}

/** Makes one durable commit of about a body, and returns how long the disk took. */
function openCommits(folder: string) {
  const database = new DatabaseSync(join(folder, 'commits.sqlite'))
  database.exec('pragma journal_mode = wal; pragma synchronous = full; create table t (a text)')
  const insert = database.prepare('insert into t values (?)')
  return {
    time: () => {
      const began = performance.now()
      insert.run('x'.repeat(3_000))
      return performance.now() - began
    },
    close: () => database.close(),
  }
}
