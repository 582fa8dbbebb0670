import type {
  applyConfiguration,
  diffConfiguration,
  ErrorCode,
  FieldErrors,
} from '@gatehouse/contract'
import type { z } from 'zod'
import { answerQuestions, type CallOwner } from '../../kernel/threads/answer-questions.ts'
import { AppError } from '../../kernel/app-error.ts'
import { ConfigurationApplier } from './apply-configuration.ts'
import { readCurrent } from './current.ts'
import type { OwnAnswer } from '../../kernel/http/own-calls.ts'
import { OwnApi } from './own-api.ts'
import { planConfiguration } from './plan-configuration.ts'
import { readConfiguration } from './read-configuration.ts'
import { writeConfiguration } from './write-configuration.ts'

// The thread that reads, compares, writes and carries out configurations: documents of others, and all that
// the installation has. It makes its calls through the server's thread, which passes their texts on.

interface Document {
  document: string
  values: Record<string, string>
  prune: boolean
}

/** What the thread does: what it is asked, and what it answers. */
export interface ConfigurationWork {
  export: { asks: object; answers: string }
  diff: { asks: Document; answers: z.output<(typeof diffConfiguration)['response']> }
  apply: { asks: Document; answers: z.output<(typeof applyConfiguration)['response']> }
}

export type ConfigurationQuestion = { work: keyof ConfigurationWork }
export type ConfigurationAnswer =
  | { ok: true; value: unknown }
  | { ok: false; code: ErrorCode; fields: FieldErrors | undefined }

const works: {
  [Name in keyof ConfigurationWork]: (
    asked: ConfigurationWork[Name]['asks'],
    api: OwnApi,
  ) => Promise<ConfigurationWork[Name]['answers']>
} = {
  export: async (_, api) => writeConfiguration(await readCurrent(api)),
  diff: async (asked, api) => {
    const { plan } = await prepare(api, asked)
    return {
      things: plan.things.map(({ section, name, action, fields }) => ({
        section: section.name,
        name,
        action,
        fields,
      })),
      references: [...plan.references].map(([name, is_given]) => ({ name, is_given })),
    }
  },
  apply: async (asked, api) => {
    const prepared = await prepare(api, asked)
    return { results: await new ConfigurationApplier({ ...prepared, api }).apply() }
  },
}

async function prepare(api: OwnApi, { document, values, prune }: Document) {
  const wanted = readConfiguration(document)
  const current = await readCurrent(api, wanted.things)
  const plan = planConfiguration({ wanted, current, values, isPruned: prune })
  return { wanted, current, plan }
}

async function answer(
  { work, ...asked }: ConfigurationQuestion,
  callOwner: CallOwner,
): Promise<ConfigurationAnswer> {
  const api = new OwnApi(async (call) => (await callOwner(call)) as OwnAnswer)
  try {
    return { ok: true, value: await works[work](asked as never, api) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ok: false, code: error.code, fields: error.details.fields }
  }
}

answerQuestions(answer)
