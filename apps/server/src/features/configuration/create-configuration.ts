import { applyConfiguration, diffConfiguration, exportConfiguration } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import { sendAs, type OwnCall, type SendOwn } from '../../kernel/http/own-calls.ts'
import { mount } from '../../kernel/mount.ts'
import { isTooCostly } from '../../kernel/threads/thread-ended.ts'
import { WorkerLink } from '../../kernel/threads/worker-link.ts'
import type {
  ConfigurationAnswer,
  ConfigurationQuestion,
  ConfigurationWork,
} from './configuration-worker.ts'

/** CPU time of one change or export. */
const timeoutMs = 60_000

/** Wires the configuration as one document. It works by calls of the admin API alone. */
export function createConfiguration() {
  /** One question at a time: one change comes after the other. */
  const thread = new WorkerLink<ConfigurationQuestion, ConfigurationAnswer>(
    new URL('configuration-worker.ts', import.meta.url),
    { name: 'configuration', timeoutMs, isComputing: true, heapMaxMb: 1024, queueMax: 8 },
  )

  /** Throws what the work refused, also where it takes too much time or memory. */
  async function ask<W extends keyof ConfigurationWork>(
    work: W,
    asked: ConfigurationWork[W]['asks'],
    send: SendOwn,
  ): Promise<ConfigurationWork[W]['answers']> {
    const answer = await thread
      .ask({ work, ...asked }, (call: OwnCall) => send(call))
      .catch((error: unknown) => {
        if (work === 'export' || !isTooCostly(error)) throw error
        const message = `Reading it takes longer than ${timeoutMs / 1000} seconds, or too much memory. Split it.`
        throw fieldError({ document: [message] })
      })
    if (!answer.ok) throw new AppError(answer.code, answer.fields ? { fields: answer.fields } : {})
    return answer.value as ConfigurationWork[W]['answers']
  }

  return {
    mountOn: (app: FastifyInstance) => {
      mount(app, exportConfiguration, async (_, context) => ({
        type: 'application/yaml; charset=utf-8',
        name: 'gatehouse.yaml',
        body: Buffer.from(await ask('export', {}, sendAs(app, context))),
      }))
      mount(app, diffConfiguration, ({ body }, context) => ask('diff', body, sendAs(app, context)))
      mount(app, applyConfiguration, ({ body }, context) =>
        ask('apply', body, sendAs(app, context)),
      )
      app.addHook('onClose', () => thread.close())
    },
  }
}
