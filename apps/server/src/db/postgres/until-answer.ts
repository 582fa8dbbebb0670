import { cut } from './open-connection.ts'
import { readPostgresAddress } from './postgres-hosts.ts'
import { ReturnProbe } from './return-probe.ts'

/** Nothing else may keep a process alive that waits. */
const aliveMs = 60_000

/** Resolves when PostgreSQL answers, whatever it says, or when the signal aborts. */
export async function untilDatabaseAnswers(url: string, signal: AbortSignal): Promise<void> {
  const target = readPostgresAddress(url)
  if (!target || signal.aborted) return
  const alive = setInterval(() => {}, aliveMs)
  const probe = new ReturnProbe(target, () => {})
  const stop = () => probe.stop()
  signal.addEventListener('abort', stop)
  const found = await probe.found
  signal.removeEventListener('abort', stop)
  clearInterval(alive)
  if (typeof found === 'object') cut(found)
}
