import type { UpstreamOrigins, UpstreamTarget } from '../snapshot/upstream-origins.ts'

const bodyBytesMax = 64 * 1024

/** True where the target answers 2xx or 3xx in time. The credential of the API is not sent. */
export async function probeTarget(
  origins: UpstreamOrigins,
  target: UpstreamTarget,
  path: string,
  timeoutMs: number,
): Promise<boolean> {
  if (target.refusal !== undefined) return false
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await origins.poolOf(target.upstream).request({
      method: 'GET',
      path: target.basePath + path,
      headers: { accept: '*/*', 'user-agent': 'gatehouse-health-check' },
      signal,
    })
    await answer.body.dump({ limit: bodyBytesMax, signal })
    return answer.statusCode >= 200 && answer.statusCode < 400
  } catch {
    return false
  }
}
