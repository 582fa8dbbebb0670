import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

/** Measures what a process keeps, after a full collection: what is garbage says nothing about leaks. */
export interface LiveHeap {
  measureMiB(): Promise<number>
  close(): void
}

const mib = 1024 * 1024

/** Connects to the inspector of a process that was started with `--inspect=127.0.0.1:<port>`. */
export async function openLiveHeap(port: number): Promise<LiveHeap> {
  const socket = new WebSocket(await addressOf(port))
  await once(socket, 'open')
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown }
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  let last = 0
  const ask = (method: string): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    waiting.set(++last, resolve)
    socket.send(JSON.stringify({ id: last, method }))
    return promise
  }
  return {
    measureMiB: async () => {
      await ask('HeapProfiler.collectGarbage')
      const { usedSize } = (await ask('Runtime.getHeapUsage')) as { usedSize: number }
      return usedSize / mib
    },
    close: () => socket.close(),
  }
}

async function addressOf(port: number): Promise<string> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined)
    const [target] = answer ? ((await answer.json()) as { webSocketDebuggerUrl: string }[]) : []
    if (target) return target.webSocketDebuggerUrl
    await delay(50)
  }
}
