import type { AnswerHead, CallConnection, OutgoingCall } from '@gatehouse/http1'
import { UpstreamFailure } from '@gatehouse/upstream/http'
import type { UpstreamOrigins, UpstreamTarget } from '../../snapshot/upstream-origins.ts'

const bodyBytesMax = 64 * 1024

/** True where the target answers 2xx or 3xx in time. The credential of the API is not sent. */
export async function probeTarget(
  origins: UpstreamOrigins,
  target: UpstreamTarget,
  path: string,
  timeoutMs: number,
): Promise<boolean> {
  if (target.refusal !== undefined) return false
  const probe = new Probe(target.basePath + path)
  const timer = setTimeout(() => probe.giveUp(), timeoutMs)
  origins.poolOf(target.upstream).dispatch(probe)
  const isWell = await probe.result.promise
  clearTimeout(timer)
  return isWell
}

class Probe implements OutgoingCall {
  readonly method = 'GET'
  readonly path: string
  readonly isRepeatable = true
  readonly fields = ['Accept', '*/*', 'User-Agent', 'gatehouse-health-check']
  readonly body = null
  readonly bodyLength = -1
  /** The timer of the whole probe bounds it. */
  readonly timeoutMs = 0
  readonly switching = null
  readonly result = Promise.withResolvers<boolean>()
  #isGivenUp = false
  #connection: CallConnection | null = null
  #status = 0
  #bytes = 0

  constructor(path: string) {
    this.path = path
  }

  giveUp(): void {
    this.#isGivenUp = true
    this.result.resolve(false)
    this.#connection?.abort(this, new UpstreamFailure('aborted', 'the check took too long'))
  }

  handleStart(connection: CallConnection): boolean {
    this.#connection = connection
    return !this.#isGivenUp
  }

  handleHead({ status }: AnswerHead): void {
    this.#status = status
  }

  handleData(_bytes: Buffer, start: number, end: number): void {
    this.#bytes += end - start
    if (this.#bytes <= bodyBytesMax) return
    // Enough to tell; the rest is not worth its way.
    this.handleEnd()
    this.#connection?.abort(this, new UpstreamFailure('aborted', 'the check has seen enough'))
  }

  handleEnd(): void {
    this.result.resolve(this.#status >= 200 && this.#status < 400)
  }

  handleFailure(): void {
    this.result.resolve(false)
  }

  handleFault(): void {
    this.result.resolve(false)
  }
}
