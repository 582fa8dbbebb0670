import { useEffect, useRef, useState } from 'react'
import { isAbort } from '../../lib/calls/call-error.ts'
import type { ReadAnswer } from './mapping-engine.ts'

export type Exchange =
  | { status: 'idle' | 'working' | 'cancelled' }
  | { status: 'done'; answer: ReadAnswer }
  | { status: 'failed'; error: unknown }

interface Handlers {
  onDone: (answer: ReadAnswer) => void
  onFailed: (error: unknown) => void
}

/**
 * One request at a time, with all that the screen shows of it. A start while another is under way is
 * ignored, however fast the clicks. `cancel`, and leaving the screen, abort what listens to the
 * signal. The handlers are called even if the screen has been left, but not after an abort.
 */
export function useExchange() {
  const [exchange, setExchange] = useState<Exchange>({ status: 'idle' })
  const current = useRef<AbortController>(undefined)
  useEffect(() => () => current.current?.abort(), [])

  async function start(
    run: (signal: AbortSignal) => Promise<ReadAnswer>,
    handlers: Handlers,
  ): Promise<void> {
    if (current.current) return
    const controller = new AbortController()
    current.current = controller
    setExchange({ status: 'working' })
    try {
      const answer = await run(controller.signal)
      setExchange({ status: 'done', answer })
      handlers.onDone(answer)
    } catch (error) {
      if (isAbort(error)) setExchange({ status: 'cancelled' })
      else {
        setExchange({ status: 'failed', error })
        handlers.onFailed(error)
      }
    } finally {
      current.current = undefined
    }
  }

  return {
    exchange,
    isWorking: exchange.status === 'working',
    start,
    cancel: () => current.current?.abort(),
    reset: () => setExchange({ status: 'idle' }),
  }
}
