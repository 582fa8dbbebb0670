import { fork } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LogAnswer, LogQuery } from '../../src/features/logs/reading/answer-page.ts'
import type { ProcessReply } from './reader-process.ts'

export type ReaderClient = ReturnType<typeof startReader>

/** The reader in a separate process. */
export function startReader() {
  const child = fork(fileURLToPath(new URL('reader-process.ts', import.meta.url)), {
    // What the process itself does, which hands every answer on, is not part of reading: its own garbage would
    // take up to 50 MiB more, as much as the collector likes at the time.
    execArgv: ['--max-semi-space-size=4'],
    serialization: 'advanced',
  })
  const waiting = new Map<number, (reply: ProcessReply) => void>()
  let lastId = 0
  let peakMiB = 0
  child.on('message', (reply: ProcessReply) => {
    peakMiB = Math.max(peakMiB, reply.peakMiB)
    waiting.get(reply.id)?.(reply)
    waiting.delete(reply.id)
  })
  child.on('exit', (code) => {
    for (const [id, settle] of waiting)
      settle({ id, error: `the process ended (${code})`, peakMiB })
  })
  return {
    /** One page; undefined where the file is gone. */
    async read(path: string, options: Partial<LogQuery> = {}): Promise<LogAnswer | undefined> {
      if (!child.connected) throw new Error('The process has ended.')
      const id = ++lastId
      const source = { path, root: dirname(path) }
      const query = { source, page: 1, perPage: 30, levels: [], search: '', ...options }
      const reply = await new Promise<ProcessReply>((resolve) => {
        waiting.set(id, resolve)
        child.send({ id, query })
      })
      if (reply.error !== undefined) throw new Error(reply.error)
      return reply.answer
    },
    /** Asks until the whole file has been read. */
    async readWhole(path: string, options: Partial<LogQuery> = {}): Promise<LogAnswer> {
      for (;;) {
        const answer = await this.read(path, options)
        if (!answer) throw new Error('The file is gone.')
        if (!answer.reading) return answer
      }
    },
    /** The most memory that reading has taken so far. */
    get peakMiB() {
      return peakMiB
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}
