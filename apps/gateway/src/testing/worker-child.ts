import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { bareWorker } from './bare-worker.ts'
import type { FromWorker, ToWorker } from '../messages/worker-messages.ts'
import type { WorkerSettings } from '../messages/worker-settings.ts'

export const childSettings: WorkerSettings = {
  ...bareWorker,
  listen: { host: '127.0.0.1', port: 0 },
}

/** The real program of a worker. The test sends it messages and kills it at the end. */
export class WorkerChild {
  readonly child: ChildProcess
  readonly exited: Promise<number | null>
  readonly received: FromWorker[] = []
  readonly #waiters: (() => void)[] = []

  /** `openFilesMax`: `ulimit -n` of the process. */
  constructor(openFilesMax: number | 'unchanged' = 'unchanged') {
    const file = fileURLToPath(new URL('../worker.ts', import.meta.url))
    const program = [process.execPath, file]
    const limited = ['sh', '-c', `ulimit -n ${openFilesMax} && exec "$0" "$1"`, ...program]
    const [command = '', ...args] = openFilesMax === 'unchanged' ? program : limited
    this.child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.exited = new Promise((resolve) => this.child.once('exit', resolve))
    this.child.on('message', (message: FromWorker) => {
      this.received.push(message)
      this.#wake()
    })
    void this.exited.then(() => this.#wake())
    onTestFinished(async () => {
      this.child.kill('SIGKILL')
      await this.exited
    })
  }

  tell(message: ToWorker, handle?: Parameters<ChildProcess['send']>[1]): void {
    this.child.send(message, handle)
  }

  /** The first message of a type, or the first from `from` on. Throws where the worker ends before it. */
  async receives<T extends FromWorker['type']>(
    type: T,
    from = 0,
  ): Promise<Extract<FromWorker, { type: T }>> {
    for (;;) {
      const found = this.received.slice(from).find((each) => each.type === type)
      if (found) return found as Extract<FromWorker, { type: T }>
      if (this.child.exitCode !== null) throw new Error('The worker has ended.')
      await new Promise<void>((resolve) => this.#waiters.push(resolve))
    }
  }

  #wake(): void {
    this.#waiters.splice(0).forEach((wake) => wake())
  }
}
