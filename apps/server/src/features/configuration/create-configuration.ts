import { applyConfiguration, diffConfiguration, exportConfiguration } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../kernel/app-error.ts'
import { fewAtOnce } from '../../kernel/few-at-once.ts'
import { mount, type CallContext } from '../../kernel/mount.ts'
import { ConfigurationApplier } from './apply-configuration.ts'
import { readCurrent } from './current.ts'
import { OwnApi } from './own-api.ts'
import { planConfiguration } from './plan-configuration.ts'
import { readConfiguration } from './read-configuration.ts'
import { writeConfiguration } from './write-configuration.ts'

interface Request {
  document: string
  values: Record<string, string>
  prune: boolean
}

/** Wires the configuration as one document. It works by calls of the admin API alone. */
export function createConfiguration() {
  /** Of one change after the other; reading all of it is long, too. */
  const run = fewAtOnce({ atOnce: 1, queueMax: 8 })
  return {
    mountOn: (app: FastifyInstance) => {
      mount(app, exportConfiguration, async (_, context) => {
        const current = await run(() => readCurrent(apiOf(app, context)))
        return {
          type: 'application/yaml; charset=utf-8',
          name: 'gatehouse.yaml',
          body: Buffer.from(writeConfiguration(current)),
        }
      })
      mount(app, diffConfiguration, async ({ body }, context) => {
        const { plan } = await run(() => prepare(apiOf(app, context), body))
        return {
          things: plan.things.map(({ section, name, action, fields }) => ({
            section: section.name,
            name,
            action,
            fields,
          })),
          references: [...plan.references].map(([name, is_given]) => ({ name, is_given })),
        }
      })
      mount(app, applyConfiguration, ({ body }, context) =>
        run(async () => {
          const api = apiOf(app, context)
          const prepared = await prepare(api, body)
          return { results: await new ConfigurationApplier({ ...prepared, api }).apply() }
        }),
      )
    },
  }
}

async function prepare(api: OwnApi, { document, values, prune }: Request) {
  const wanted = readConfiguration(document)
  const current = await readCurrent(api)
  const plan = planConfiguration({ wanted, current, values, isPruned: prune })
  return { wanted, current, plan }
}

function apiOf(app: FastifyInstance, { header, address }: CallContext): OwnApi {
  const authorization = header('authorization')
  if (authorization === undefined) throw new AppError('session.unauthenticated')
  return new OwnApi(app, { authorization, address })
}
